# SPDX-License-Identifier: Apache-2.0
"""Types of one name in one namespace: the linker takes either, and the program crashes where it took the wrong one."""
import collections
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPENS = re.compile(r"(?:inline )?namespace ([\w:]*) ?\{")
CLOSES = re.compile(r"\} // namespace ?([\w:]*)$")
DEFINES = re.compile(r"(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)?\s*\{")


def definitions(path):
    """(namespace, type) of each type that other files could see."""
    namespaces = []
    for line in path.read_text().splitlines():
        opened = OPENS.match(line)
        if opened:
            namespaces.append(opened.group(1))
        elif CLOSES.match(line) and namespaces:
            namespaces.pop()
        defined = DEFINES.match(line)
        if defined and namespaces and "" not in namespaces:
            yield "::".join(namespaces), defined.group(1)


class OneDefinition(unittest.TestCase):
    def test_no_two_files_define_a_type_of_the_same_name(self):
        places = collections.defaultdict(list)
        for folder in ("analyzer", "collector"):
            for path in sorted((ROOT / folder).rglob("*")):
                if path.suffix in (".h", ".cpp"):
                    for name in definitions(path):
                        places[name].append(str(path.relative_to(ROOT)))
        self.assertGreater(len(places), 100, "the search itself is broken")
        twice = {"::".join(name): where for name, where in places.items() if len(where) > 1}
        self.assertEqual(twice, {})


if __name__ == "__main__":
    sys.exit(unittest.main())
