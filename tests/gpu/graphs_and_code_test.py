# SPDX-License-Identifier: Apache-2.0
"""CUDA graphs at both levels, code that the driver compiles, and allocations: recorded on a GPU.

Environment: TACHO and TACHO_GRAPH_PROGRAM name the two programs.
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

KERNELS, LAUNCHES = 50, 100
GRAPH_LAUNCH = ("JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = g.correlationId "
                "JOIN StringIds s ON s.id = r.nameId WHERE s.value LIKE 'cudaGraphLaunch%'")


class Recorded(unittest.TestCase):
    def record(self, *options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "run.sqlite")
        done = subprocess.run([os.environ["TACHO"], "record", "-q", "-o", self.file, "--all", *options, "--",
                               os.environ["TACHO_GRAPH_PROGRAM"]], env=dict(os.environ, CUDA_CACHE_DISABLE="1"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "%d\n" % (KERNELS * LAUNCHES), ""))
        database = sqlite3.connect(self.file)
        self.addCleanup(database.close)
        return lambda query: database.execute(query).fetchall()

    def report(self):
        return json.loads(subprocess.check_output([os.environ["TACHO"], "report", self.file, "--format", "json"]))

    def test_each_kernel_of_a_graph_belongs_to_the_call_that_launched_it(self):
        query = self.record()
        self.assertEqual(query("SELECT count(*), count(DISTINCT graphNodeId), count(DISTINCT g.correlationId) FROM "
                               "CUPTI_ACTIVITY_KIND_KERNEL g " + GRAPH_LAUNCH), [(KERNELS * LAUNCHES, KERNELS, LAUNCHES)])
        self.assertEqual(query("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE"), [(0,)])

    def test_a_graph_launch_recorded_as_one_belongs_to_its_call(self):
        query = self.record("--cuda-graph", "graph")
        self.assertEqual(query("SELECT count(*), count(DISTINCT graphId) FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE g " +
                               GRAPH_LAUNCH), [(LAUNCHES, 1)])
        self.assertEqual(query("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE graphNodeId IS NOT NULL"), [(0,)])
        device = self.report()["devices"][0]
        self.assertGreater(device["compute_ns"], 0)
        self.assertEqual(device["unknown_ns"], device["compute_ns"])

    def test_code_that_is_not_for_the_gpu_is_compiled_and_told(self):
        query = self.record()
        self.assertEqual(query("SELECT entry, operation, count(*) FROM TACHO_JIT GROUP BY 1, 2"),
                         [("ptx_to_cubin", "compile", 1)])
        self.assertEqual(query("SELECT architecture FROM TACHO_MODULES"),
                         query("SELECT computeMajor * 10 + computeMinor FROM TARGET_INFO_GPU"))
        report = self.report()
        self.assertEqual([each["count"] for each in report["capture"]["health"] if each["code"] == "compiled_by_driver"],
                         [1])
        self.assertGreater(report["start_up"][0]["compile_ns"], 0)

    def test_the_code_of_a_kernel_tells_its_class_that_its_name_does_not(self):
        query = self.record()
        self.assertEqual(query("SELECT tensor_types, count(*) FROM TACHO_KERNEL_CODE GROUP BY 1"), [("none", 1)])
        device = self.report()["devices"][0]
        self.assertEqual(device["unknown_ns"], 0)
        self.assertEqual(device["not_tensor_ns"], device["compute_ns"])

    def test_allocations_and_releases_are_told(self):
        query = self.record()
        self.assertEqual(query("SELECT memoryOperationType, bytes FROM CUDA_GPU_MEMORY_USAGE_EVENTS WHERE memKind = 2 "
                               "ORDER BY start"), [(0, 1 << 20), (1, 1 << 20)])
        self.assertEqual(self.report()["devices"][0]["memory"]["peak_cuda_bytes"], 1 << 20)


if __name__ == "__main__":
    if not os.path.exists("/dev/nvidia0"):
        print("skipped: there is no NVIDIA GPU here")
        sys.exit(77)
    unittest.main()
