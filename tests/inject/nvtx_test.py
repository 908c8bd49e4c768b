# SPDX-License-Identifier: Apache-2.0
"""NVTX calls of real programs in the file, on a machine without a GPU."""
import os
import subprocess
import sys
import unittest

from recording import MARK, PUSH_POP, START_END, RecordingTest, victim

CATEGORY, DOMAIN = 33, 75  # eventType


class CallForms(RecordingTest):
    def setUp(self):
        super().setUp()
        done = self.run_recorded(victim("call_forms"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (9, "loss 0.5\n", ""))
        self.found = self.trace()

    def one(self, name):
        rows = [row for row in self.found.events() if row["name"] == name]
        self.assertEqual(len(rows), 1, name)
        return rows[0]

    def test_every_call_is_in_the_file_with_its_name(self):
        self.assertEqual(sorted(self.found.names(MARK)), sorted([
            "mark", "wide mark", "uint64", "int64", "double", "uint32", "int32", "float", "bytes", "registered"]))
        self.assertEqual(sorted(self.found.names(PUSH_POP)), sorted([
            "outer", "wide \u00e9\u20ac\U0001F600", "default domain", "registered"]))
        self.assertEqual(sorted(self.found.names(START_END)), ["across threads", "never ended"])
        self.assertEqual(self.found.health["nvtx_unmatched"]["count"], 1)

    def test_ranges_nest_as_they_were_made(self):
        outer, inner, mark = self.one("outer"), self.one("wide \u00e9\u20ac\U0001F600"), self.one("mark")
        self.assertTrue(outer["start"] <= inner["start"] <= mark["start"] <= inner["end"] <= outer["end"])
        self.assertIsNone(mark["end"])

    def test_domains_nest_each_for_itself(self):
        domain = [row["domainId"] for row in self.found.nvtx if row["eventType"] == DOMAIN and row["text"] == "data"]
        plain = self.one("default domain")
        [other] = [row for row in self.found.events(PUSH_POP) if row["name"] == "registered"]
        self.assertEqual((plain["domainId"], [other["domainId"]]), (0, domain))
        self.assertTrue(plain["start"] <= other["start"] <= plain["end"] <= other["end"])

    def test_colours_categories_and_thread_names_are_kept(self):
        [other] = [row for row in self.found.events(PUSH_POP) if row["name"] == "registered"]
        self.assertEqual((other["color"], other["category"]), (0xff00ff00, 4))
        categories = {(row["category"], row["text"]) for row in self.found.nvtx if row["eventType"] == CATEGORY}
        self.assertLessEqual({(3, "io"), (4, "loading")}, categories)
        self.assertEqual(self.found.thread_names, ["trainer"])

    def test_payloads_keep_type_and_value(self):
        wanted = {"uint64": ("uint64Value", 9000000000000000000), "int64": ("int64Value", -5000000000),
                  "double": ("doubleValue", 0.125), "uint32": ("uint32Value", 4000000000), "int32": ("int32Value", -7),
                  "float": ("floatValue", -1.5), "bytes": ("binaryData", "42:0102fe")}
        columns = [column for column, value in wanted.values()]
        for name, (column, value) in wanted.items():
            row = self.one(name)
            self.assertEqual({c: row[c] for c in columns if row[c] is not None}, {column: value}, name)

    def test_a_range_may_end_on_another_thread_or_never(self):
        row = self.one("across threads")
        self.assertNotEqual(row["endGlobalTid"], row["globalTid"])
        self.assertGreaterEqual(row["end"], row["start"])
        self.assertIsNone(self.one("never ended")["end"])


class Python(RecordingTest):
    def test_a_python_process_keeps_exit_code_and_output(self):
        done = self.run_recorded([sys.executable, "-c", "print('loss 0.5'); raise SystemExit(21)"])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (21, "loss 0.5\n", ""))

    def test_phases_and_steps_of_a_python_process_are_in_the_file(self):
        script = ("import ctypes, os\n"
                  "tacho = ctypes.CDLL(os.environ['CUDA_INJECTION64_PATH'])\n"
                  "assert tacho.tacho_attach() == 1\n"
                  "tacho.tacho_phase_begin(b'forward'); tacho.tacho_phase_end()\n"
                  "tacho.tacho_fact(b'optimizer', b'SGD')\n"
                  "raise SystemExit(22)\n")
        done = self.run_recorded([sys.executable, "-c", script])
        self.assertEqual((done.returncode, done.stderr), (22, ""))
        self.assertEqual(self.trace().names(), ["forward"])

    def test_what_was_flushed_survives_an_end_without_exit_handlers(self):
        script = ("import ctypes, os\n"
                  "tacho = ctypes.CDLL(os.environ['CUDA_INJECTION64_PATH'])\n"
                  "tacho.tacho_attach(); tacho.tacho_phase_begin(b'forward'); tacho.tacho_phase_end()\n"
                  "tacho.tacho_flush(); os._exit(23)\n")
        self.assertEqual(self.run_recorded([sys.executable, "-c", script]).returncode, 23)
        self.assertEqual(self.trace().names(), ["forward"])

    def test_a_child_with_a_wiped_environment_runs_unrecorded(self):
        done = self.run_recorded(["/usr/bin/env", "-i", *victim("call_forms")])
        self.assertEqual((done.returncode, done.stdout), (9, "loss 0.5\n"))
        self.assertEqual(self.trace().names(), [])

    def test_the_library_alone_without_a_recorder_does_nothing(self):
        environment = dict(self.environment, NVTX_INJECTION64_PATH=os.environ["TACHO_LIBRARY"])
        done = subprocess.run(victim("call_forms"), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (9, "loss 0.5\n", ""))
        self.assertEqual(os.listdir(self.folder), [])


CUDA_STARTS = """
import ctypes, os
library = ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"])
print("taken" if library.InitializeInjection() else "refused")
"""


@unittest.skipIf(os.path.exists("/dev/nvidiactl"), "there is a GPU here")
class CudaWithoutGpu(RecordingTest):
    def test_what_the_driver_calls_does_no_harm_and_says_what_is_lost(self):
        done = self.run_recorded([sys.executable, "-c", CUDA_STARTS])
        self.assertEqual((done.returncode, done.stdout), (0, "taken\n"))
        note = self.trace().health["no_gpu_activity_recorded"]
        self.assertEqual(note["severity"], "error")
        self.assertIn("GPU activity is not recorded", note["message"])


if __name__ == "__main__":
    unittest.main()
