# SPDX-License-Identifier: Apache-2.0
"""Each CUPTI of this machine records the same GPU work, or is refused with a sentence.

TACHO: the program; TRAINING: workloads/encoder_cublas, built; TACHO_TEST_CUPTI: more libraries, separated by colons.
"""
import contextlib
import glob
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
LIMIT_S = 60
PLACES = ("/usr/local/cuda*/targets/*/lib/libcupti.so.*",
          "/opt/nvidia/nsight-compute/*/host/target-linux-x64/libcupti.so.*")  # 10.2 to the newest
TABLES = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET")


def libraries():
    found = [file for place in PLACES for file in sorted(glob.glob(place))]
    found += [file for file in os.environ.get("TACHO_TEST_CUPTI", "").split(":") if file]
    return sorted({os.path.realpath(file) for file in found})


class Recording:
    def __init__(self, cupti=None):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.sqlite")
            options = ["--cupti", cupti] if cupti else []
            done = subprocess.run(
                [os.environ["TACHO"], "record", "--quiet", "--all", *options, "-o", path, "--", os.environ["TRAINING"],
                 "--steps", "20", "--print-every", "20"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=LIMIT_S, universal_newlines=True)
            self.status, self.output = done.returncode, done.stdout
            with contextlib.closing(sqlite3.connect(path)) as db:
                self.counts = [db.execute("SELECT COUNT(*) FROM " + table).fetchone()[0] for table in TABLES]
                self.health = dict(db.execute("SELECT code, message FROM TACHO_HEALTH"))
                self.version = int(dict(db.execute("SELECT name, value FROM TACHO_META")).get("cupti_version", 0))


class CuptiVersions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.expected = Recording()

    def test_the_one_that_is_found_records_kernels(self):
        self.assertEqual((self.expected.status, self.expected.health), (0, {}))
        self.assertGreater(self.expected.counts[0], 0)

    def test_each_records_the_same_or_is_refused(self):
        for file in libraries():
            with self.subTest(file):
                recording = Recording(file)
                self.assertEqual((recording.status, recording.output), (0, self.expected.output))
                if recording.version:
                    self.assertEqual(recording.counts, self.expected.counts)
                    self.assertLessEqual(set(recording.health), {"cupti_newer_than_known"})
                else:
                    self.assertIn("older than CUDA 11.8", recording.health["no_gpu_activity_recorded"])
                print("%6d  %s" % (recording.version, file))

    def test_one_that_is_not_there_costs_nothing_but_gpu_activity(self):
        recording = Recording("/no/such/libcupti.so.13")
        self.assertEqual((recording.status, recording.output), (0, self.expected.output))
        self.assertIn("/no/such/libcupti.so.13", recording.health["no_gpu_activity_recorded"])


if __name__ == "__main__":
    if not os.path.exists("/dev/nvidiactl"):
        print("skipped: no NVIDIA GPU here")
        sys.exit(SKIPPED)
    unittest.main()
