# SPDX-License-Identifier: Apache-2.0
"""Runs victims under the built `tacho record` and reads the file it makes."""
import contextlib
import glob
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

TACHO = os.environ["TACHO_PROGRAM"]
LIBRARY = os.environ["TACHO_LIBRARY"]
LIMIT_S = 60  # for what takes a second: only a hang gets there
MARK, PUSH_POP, START_END = 34, 59, 60  # eventType


def victim(name, *arguments):
    return [os.path.join(os.environ["TACHO_VICTIMS"], name), *map(str, arguments)]


def wait_until(condition, what):
    limit = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > limit:
            raise AssertionError("waited in vain for " + what)
        time.sleep(0.005)


class Trace:
    """The rows of a finished file."""

    def __init__(self, path):
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.row_factory = sqlite3.Row
            self.nvtx = db.execute(
                "SELECT n.*, COALESCE(n.text, s.value) AS name, n.globalTid >> 24 & 0xffffff AS pid,"
                " n.globalTid & 0xffffff AS tid FROM NVTX_EVENTS n LEFT JOIN StringIds s ON s.id = n.textId"
                " ORDER BY start, end DESC").fetchall()
            self.kernels = db.execute(
                "SELECT k.*, s.value AS name, k.globalPid >> 24 AS pid FROM CUPTI_ACTIVITY_KIND_KERNEL k"
                " JOIN StringIds s ON s.id = k.shortName ORDER BY start").fetchall()
            self.calls = {row[0] for row in db.execute("SELECT correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME")}
            self.steps = db.execute("SELECT * FROM TACHO_STEPS ORDER BY step_index").fetchall()
            self.windows = db.execute("SELECT * FROM TACHO_WINDOWS ORDER BY start_ns").fetchall()
            self.calibration = db.execute("SELECT * FROM TACHO_CALIBRATION ORDER BY start_ns").fetchall()
            self.health = {row["code"]: row for row in db.execute("SELECT * FROM TACHO_HEALTH")}
            self.processes = db.execute("SELECT * FROM TACHO_PROCESSES ORDER BY start_ns").fetchall()
            self.meta = dict(db.execute("SELECT name, value FROM TACHO_META").fetchall())
            self.thread_names = [row[0] for row in db.execute(
                "SELECT s.value FROM ThreadNames t JOIN StringIds s ON s.id = t.nameId")]

    def events(self, *types):
        return [row for row in self.nvtx if row["eventType"] in (types or (MARK, PUSH_POP, START_END))]

    def names(self, *types):
        return [row["name"] for row in self.events(*types)]


class RecordingTest(unittest.TestCase):
    """Each test has a folder of its own; `self.file` is where its trace goes."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tacho-inject-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.file = os.path.join(self.folder, "run.sqlite")
        self.spool = self.file + ".spool"
        foreign = ("TACHO_", "PYTHON", "SLURM", "OMPI_", "PMI_")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(foreign)}

    def command(self, command):
        return [TACHO, "record", "--quiet", "-o", self.file, "--", *command]

    def run_recorded(self, command, **options):
        """The finished recording: its `returncode`, `stdout` and `stderr`."""
        options.setdefault("env", self.environment)
        return subprocess.run(self.command(command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S,
                              universal_newlines=True, **options)

    def start_recorded(self, command, **options):
        """A recording under way whose victim has said "ready"."""
        process = subprocess.Popen(self.command(command), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   universal_newlines=True, env=self.environment, **options)
        self.addCleanup(self._end, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    @staticmethod
    def _end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def put_file_on_disk(self, options):
        """Moves `self.file` to a file system mounted with `options`; skips the test where mounting is forbidden."""
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], stderr=subprocess.DEVNULL)
        if mounted.returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk])
        self.file = os.path.join(disk, "run.sqlite")
        self.spool = self.file + ".spool"

    def trace(self):
        return Trace(self.file)

    def spool_files(self):
        return sorted(glob.glob(os.path.join(self.spool, "*.spool")))

    def child_of(self, process):
        """Process id of the command that the recorder `process` runs: its youngest child."""
        with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as children:
            return int(children.read().split()[-1])
