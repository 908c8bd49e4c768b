# SPDX-License-Identifier: Apache-2.0
"""The two ways of counting agree on the same operations, written as a tacho file and as a Kineto trace."""
import json
import os
import sqlite3
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "unit", "hook", "fake_torch"))  # counting needs no torch

import tacho_capture_counts  # noqa: E402
import torch_profiler_reference  # noqa: E402

PROCESS = 4242 << 24
STEP_ENDS = [1000, 2000, 3000]  # of the steps 4, 5, 6
# class, launch, start, duration in ns; the last kernel runs after the step that launched it
OPERATIONS = [("kernel", 1100, 1200, 300), ("kernel", 1900, 2100, 400), ("memcpy", 2500, 2600, 50),
              ("memset", 2600, 2700, 20), ("kernel", 2999, 5000, 700), ("kernel", 500, 1500, 90)]
EXPECTED = [{"kernel": [2, 700], "memcpy": [0, 0], "memset": [0, 0]},
            {"kernel": [1, 700], "memcpy": [1, 50], "memset": [1, 20]}]


def write_kineto(path):
    categories = {"kernel": "kernel", "memcpy": "gpu_memcpy", "memset": "gpu_memset"}
    events = [{"ph": "X", "cat": "user_annotation", "name": torch_profiler_reference._MARK, "ts": end / 1000, "dur": 0}
              for end in STEP_ENDS]
    for correlation, (kind, launch, start, duration) in enumerate(OPERATIONS, 1):
        argument = {"correlation": correlation}
        events.append({"cat": "cuda_runtime", "name": "launch", "ts": launch / 1000, "dur": 0.01, "args": argument})
        events.append({"cat": categories[kind], "name": "k", "ts": start / 1000, "dur": duration / 1000,
                       "args": argument})
    with open(path, "w") as file:
        json.dump({"traceEvents": events}, file)


def insert(database, table, **values):
    """Fills columns that must not be NULL and do not matter here with 0."""
    columns = {row[1]: 0 for row in database.execute("PRAGMA table_info(%s)" % table) if row[3]}
    columns.update(values)
    database.execute("INSERT INTO %s (%s) VALUES (%s)" % (table, ",".join('"%s"' % each for each in columns),
                                                        ",".join("?" * len(columns))), list(columns.values()))


def write_tacho(path):
    database = sqlite3.connect(path)
    with open(os.path.join(ROOT, "share", "schema.sql")) as schema:
        database.executescript(schema.read())
    insert(database, "StringIds", id=1, value="k")
    for step, end in enumerate(STEP_ENDS, 4):
        insert(database, "TACHO_STEPS", global_pid=PROCESS, step_index=step, end_ns=end)
        insert(database, "NVTX_EVENTS", start=end - 900, end=end, eventType=59, text="step", globalTid=PROCESS + 7)
    for correlation, (kind, launch, start, duration) in enumerate(OPERATIONS, 1):
        insert(database, "CUPTI_ACTIVITY_KIND_RUNTIME", start=launch, end=launch + 10, correlationId=correlation,
               globalTid=PROCESS + 7, nameId=1)
        insert(database, tacho_capture_counts._TABLES[kind], start=start, end=start + duration,
               correlationId=correlation, globalPid=PROCESS, **({"demangledName": 1} if kind == "kernel" else {}))
    # Another process uses the same correlation id.
    insert(database, "CUPTI_ACTIVITY_KIND_RUNTIME", start=2900, end=2950, correlationId=1, globalTid=9 << 24, nameId=1)
    database.commit()
    database.close()


class Counts(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self._folder.name, "trace")

    def tearDown(self):
        self._folder.cleanup()

    def check(self, counts):
        self.assertEqual(counts.steps, EXPECTED)
        self.assertEqual((counts.outside, counts.orphans), (1, 0))
        self.assertEqual(dict(counts.kernels), {"k": 3})

    def test_kineto_operations_belong_to_the_step_that_launched_them(self):
        write_kineto(self.path)
        self.check(torch_profiler_reference.count(self.path, 5))

    def test_tacho_operations_belong_to_the_step_that_launched_them(self):
        write_tacho(self.path)
        self.check(tacho_capture_counts.count(self.path, (5, 7)))

    def test_steps_can_be_nvtx_ranges(self):
        write_tacho(self.path)
        self.check(tacho_capture_counts.count(self.path, (1, 3), nvtx="step"))


if __name__ == "__main__":
    unittest.main()
