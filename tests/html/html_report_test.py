#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The HTML report of every sample: well-formed, complete, and in a real browser without requests, complaints or
overflow. TACHO names the program; with TACHO_TEST_SCREENSHOTS=DIR pictures of the pages are left there."""
import glob
import html.parser
import os
import subprocess
import tempfile
import unittest
from xml.etree import ElementTree

import browser

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_TACHO = os.environ.get("TACHO", os.path.join(_ROOT, "build/release/bin/tacho"))
_SAMPLES = os.path.join(_ROOT, "share/samples/*.sqlite")
_PUBLIC = [os.path.join(_ROOT, "../shared/data", each) for each in (
    "nsys-ai/h100_2gpu_1s.sqlite", "param/dlrm_kineto", "dynamicvit/*.sqlite", "kineto/*nw0*.json.gz",
    "pipit/*.sqlite")]
_SECTIONS = {"findings", "steps", "breakdown", "idle", "kernels", "copies", "capture", "health"}    # of every sample
_XHTML = "{http://www.w3.org/1999/xhtml}"
_SVG = "{http://www.w3.org/2000/svg}"
_PHONE, _DESKTOP = 390, 1280
_PAPER = 718    # A4 between margins of 1 cm, in CSS pixels

_folder = tempfile.TemporaryDirectory()
_pages = {}    # path of the page: whether it is of a sample


def setUpModule():
    for pattern in [_SAMPLES] + _PUBLIC:
        for capture in sorted(glob.glob(pattern)):
            page = os.path.join(_folder.name, os.path.basename(capture) + ".html")
            subprocess.run([_TACHO, "report", capture, "--format", "html", "-o", page], check=True,
                           env=dict(os.environ, XDG_CACHE_HOME=_folder.name))
            _pages[page] = pattern == _SAMPLES


def tearDownModule():
    _folder.cleanup()


class Nesting(html.parser.HTMLParser):
    """Raises AssertionError where an end tag is not of the element that is open."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, "</%s> at line %d" % (tag, self.getpos()[0])


class Page(unittest.TestCase):
    def test_is_well_formed_as_html(self):
        for page in _pages:
            with self.subTest(page), open(page, encoding="utf-8") as file:
                nesting = Nesting()
                nesting.feed(file.read())
                nesting.close()
                self.assertEqual(nesting.open, [])

    def test_has_one_of_each_id_and_names_what_it_refers_to(self):
        for page in _pages:
            with self.subTest(page):
                elements = list(ElementTree.parse(page).iter())
                ids = [element.get("id") for element in elements if element.get("id")]
                self.assertEqual(len(ids), len(set(ids)))
                for element in elements:
                    for name in (element.get("aria-labelledby") or "").split():
                        self.assertIn(name, ids)
                    if element.tag == _XHTML + "a":
                        self.assertIn(element.get("href")[1:], ids)

    def test_has_every_section(self):
        for page, is_sample in _pages.items():
            with self.subTest(page):
                ids = {section.get("id") for section in ElementTree.parse(page).iter(_XHTML + "section")}
                self.assertLessEqual(_SECTIONS if is_sample else {"capture", "health"}, ids)

    def test_says_what_its_pictures_show(self):
        for page in _pages:
            with self.subTest(page):
                for svg in ElementTree.parse(page).iter(_SVG + "svg"):
                    if svg.get("role") == "img":
                        self.assertTrue(svg.findtext(_SVG + "title") and svg.findtext(_SVG + "desc"))

    def test_has_tables_with_headers_of_all_columns_and_rows(self):
        for page in _pages:
            with self.subTest(page):
                for table in ElementTree.parse(page).iter(_XHTML + "table"):
                    self.assertTrue(table.findtext(_XHTML + "caption"))
                    columns = table.findall("%sthead/%str/%sth[@scope='col']" % ((_XHTML,) * 3))
                    for row in table.findall("%stbody/%str" % ((_XHTML,) * 2)):
                        self.assertEqual(len(row), len(columns))
                        self.assertEqual(row[0].get("scope"), "row")


@unittest.skipUnless(browser.find(), "no Chromium here; it is Debian's package chromium")
class PageInBrowser(unittest.TestCase):
    def setUp(self):
        self.browser = browser.Browser(browser.find())
        self.addCleanup(self.browser.close)

    def assert_fits(self):
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"),
                             self.browser.evaluate("document.documentElement.clientWidth"))

    def keep_picture(self, page, name):
        if os.environ.get("TACHO_TEST_SCREENSHOTS"):
            self.browser.screenshot(os.path.join(os.environ["TACHO_TEST_SCREENSHOTS"],
                                                 "%s.%s.png" % (os.path.basename(page), name)))

    def test_fits_a_phone_and_a_desktop_light_and_dark(self):
        for page in _pages:
            for width, colours in ((_PHONE, "dark"), (_DESKTOP, "light")):
                with self.subTest(page, width=width):
                    self.browser.open(page, width, colours=colours)
                    self.assert_fits()
                    self.keep_picture(page, "%d-%s" % (width, colours))

    def test_fits_with_everything_unfolded(self):
        for page in _pages:
            with self.subTest(page):
                self.browser.open(page, _PHONE)
                self.browser.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
                self.assert_fits()

    def test_fits_paper(self):
        for page in _pages:
            with self.subTest(page):
                self.browser.open(page, _PAPER, media="print")
                self.assert_fits()
                self.keep_picture(page, "print")

    def test_asks_for_nothing_and_leaves_the_console_empty(self):
        for page in _pages:
            with self.subTest(page):
                self.browser.open(page, _DESKTOP)
                self.assertEqual(self.browser.requests(), ["file://" + page])
                self.assertEqual(self.browser.complaints(), [])

    def test_shows_bars_as_long_as_the_time_they_stand_for(self):
        page = next(page for page, is_sample in _pages.items() if is_sample)
        self.browser.open(page, _DESKTOP)
        widths = self.browser.evaluate(
            "[...document.querySelectorAll('#breakdown .piece')].map(each => each.getBoundingClientRect().width)")
        whole = self.browser.evaluate("document.querySelector('#breakdown .picture').getBoundingClientRect().width")
        self.assertGreater(len(widths), 2)
        self.assertAlmostEqual(sum(widths), whole, delta=2)

    def test_has_texts_that_can_be_read_on_either_ground(self):
        for colours in ("light", "dark"):
            with self.subTest(colours):
                self.browser.open(next(iter(_pages)), _DESKTOP, colours=colours)
                ink = self.browser.evaluate("getComputedStyle(document.body).color")
                paper = self.browser.evaluate("getComputedStyle(document.body).backgroundColor")
                self.assertGreater(contrast(ink, paper), 7)    # WCAG 2.1, level AAA


def contrast(one, other):
    """Of two colours as CSS computes them, "rgb(1, 2, 3)"; WCAG 2.1's definition."""
    def luminance(colour):
        parts = [int(part) / 255 for part in colour[4:-1].split(",")]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


if __name__ == "__main__":
    unittest.main()
