# SPDX-License-Identifier: Apache-2.0
"""What happens to the record of the GPU's work, with a CUPTI and a GPU that are stand-ins (stand_in/)."""
import contextlib
import os
import shutil
import signal
import subprocess
import time
import unittest

from recording import LIMIT_S, TACHO, RecordingTest, Trace, victim, wait_until


def is_open_in(pid, ending):
    folder = "/proc/%d/fd" % pid
    for name in os.listdir(folder):
        with contextlib.suppress(OSError):  # closed meanwhile
            if os.readlink(os.path.join(folder, name)).endswith(ending):
                return True
    return False


class Killed(RecordingTest):
    def test_kernels_older_than_a_second_survive_a_kill_of_the_training(self):
        recorder = self.start_recorded(victim("gpu_endless"))
        time.sleep(1.5)  # for kernels that must survive to be more than those before "ready"
        os.kill(self.child_of(recorder), signal.SIGKILL)
        killed_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        recorder.communicate(timeout=LIMIT_S)
        self.assertEqual(recorder.returncode, 128 + signal.SIGKILL)
        trace = self.trace()
        self.assertLess(killed_ns - trace.kernels[-1]["start"], 1e9)
        self.assertEqual([row["correlationId"] for row in trace.kernels], list(range(1, len(trace.kernels) + 1)))
        self.assertIn("not_ended", trace.health)

    def test_a_killed_recorder_costs_no_kernel(self):
        recorder = self.start_recorded(victim("gpu_endless"))
        training = self.child_of(recorder)
        recorder.kill()
        recorder.wait()
        time.sleep(0.5)  # the training goes on, and nobody reads its spool
        os.kill(training, signal.SIGTERM)
        recorder.stdout.read()  # up to the end of the training
        recovered = subprocess.run([TACHO, "recover", self.spool], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   universal_newlines=True, timeout=LIMIT_S)
        self.assertEqual(recovered.returncode, 0, recovered.stderr)
        trace = self.trace()
        self.assertEqual([row["correlationId"] for row in trace.kernels], list(range(1, len(trace.kernels) + 1)))
        self.assertEqual(trace.kernels[-1]["name"], "checkpoint")


class Windows(RecordingTest):
    def record(self, *options, steps=200):
        done = subprocess.run([TACHO, "record", "--quiet", "-o", self.file, *options, "--", *victim("gpu_steps", steps)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              env=self.environment, timeout=LIMIT_S)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return self.trace()

    def recorded_steps(self, trace):
        """Those that lie in a window from their beginning to their end, give or take its switching."""
        return [step["step_index"] for step in trace.steps for window in trace.windows
                if step["start_ns"] is not None and window["end_ns"] is not None
                and window["start_ns"] <= step["end_ns"] <= window["end_ns"]
                and window["start_ns"] - step["start_ns"] < (step["end_ns"] - step["start_ns"]) / 2]

    def test_the_default_alternates_and_loses_nothing(self):
        trace = self.record()
        self.assertEqual(len(trace.windows), 10)
        self.assertEqual(len(self.recorded_steps(trace)), 50)
        self.assertEqual(self.recorded_steps(trace)[0], 15)
        self.assertEqual(len(trace.kernels), 50 * 20)
        self.assertEqual({row["correlationId"] for row in trace.kernels}, trace.calls)
        self.assertEqual(len(trace.calls), 50 * 20, "no id is there twice")
        self.assertEqual(trace.health, {})
        kinds = [row["is_profiled"] for row in trace.calibration]
        self.assertEqual(kinds[:20], [0, 1] * 10, "each recorded block follows one at full speed")

    def test_steps_are_recorded_again_every_n_steps(self):
        trace = self.record("--steps", "20:24", "--every", "50", steps=120)
        self.assertEqual(self.recorded_steps(trace), [*range(20, 24), *range(70, 74)])
        self.assertEqual(len(trace.kernels), 8 * 20)

    def test_a_launcher_that_only_asks_for_the_gpus_has_missed_nothing(self):
        self.assertEqual(self.record(steps=0).health, {})

    def test_a_training_that_ends_before_its_window_says_so(self):
        self.assertEqual(set(self.record(steps=5).health), {"window_never_opened"})

    def test_kernels_alone_come_without_their_calls(self):
        trace = self.record("--detail", "kernels", "--steps", "5:10", steps=20)
        self.assertEqual(len(trace.kernels), 5 * 20)
        self.assertEqual(trace.calls, set())


class Ends(RecordingTest):
    def test_kernels_of_a_handler_of_sigterm_are_in_the_file(self):
        recorder = self.start_recorded(victim("gpu_endless"))
        recorder.terminate()
        recorder.communicate(timeout=LIMIT_S)
        self.assertEqual(recorder.returncode, 21)
        trace = self.trace()
        self.assertEqual(trace.kernels[-1]["name"], "checkpoint")
        self.assertNotIn("not_ended", trace.health)

    def test_kernels_of_exit_handlers_are_kept_up_to_ours(self):
        done = self.run_recorded(victim("gpu_exit_handlers"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (6, "last handler\n", ""))
        trace = self.trace()
        self.assertEqual([row["name"] for row in trace.kernels], ["training", "cleaning up"])
        self.assertNotIn("not_ended", trace.health)

    def test_exit_in_a_signal_handler_that_interrupted_cupti_does_not_hang(self):
        recorder = self.start_recorded(victim("gpu_exit_in_handler"))
        time.sleep(0.2)  # so that it is in the middle of a launch, most probably
        os.kill(self.child_of(recorder), signal.SIGTERM)
        output, errors = recorder.communicate(timeout=LIMIT_S)
        self.assertEqual((recorder.returncode, output, errors), (22, "", ""))
        self.assertGreater(len(self.trace().kernels), 500)

    def test_no_recorder_at_the_end_is_no_news_to_the_training(self):
        recorder = self.start_recorded(victim("gpu_endless"))
        training = self.child_of(recorder)
        recorder.kill()
        recorder.wait()
        shutil.rmtree(self.spool)
        os.kill(training, signal.SIGTERM)
        self.assertEqual((recorder.stdout.read(), recorder.stderr.read()), ("", ""))


class Processes(RecordingTest):
    def test_helpers_forked_from_a_training_on_the_gpu_neither_hang_nor_write(self):
        done = self.run_recorded(victim("gpu_threads"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "failed children: 0\n", ""))
        trace = self.trace()
        self.assertEqual(len(trace.processes), 1)
        lost = trace.health["cupti_dropped_records"]["count"] if "cupti_dropped_records" in trace.health else 0
        self.assertGreaterEqual(len(trace.kernels) + lost, 200 * 2000)
        self.assertEqual(len({row["correlationId"] for row in trace.kernels}), len(trace.kernels))

    def test_a_forked_rank_waits_for_the_steps_that_its_launcher_announced(self):
        self.assertEqual(self.run_recorded(victim("gpu_forked_rank")).returncode, 14)
        trace = self.trace()
        self.assertEqual(trace.kernels, [])
        self.assertIn("window_never_opened", trace.health)

    def test_children_of_a_training_on_the_gpu_that_attach_leave_its_cupti_alone(self):
        done = self.run_recorded(victim("gpu_attach_in_child"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "failed children: 0\n", ""))
        trace = self.trace()
        self.assertEqual(len(trace.processes), 31)
        self.assertEqual(len({row["pid"] for row in trace.kernels}), 1)

    def test_a_forked_child_that_comes_to_use_cuda_gets_a_spool_of_its_own(self):
        done = self.run_recorded(victim("gpu_in_children"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "failed children: 0\n", ""))
        trace = self.trace()
        self.assertEqual([row["name"] for row in trace.kernels], ["kernel of a child"] * 4)
        self.assertEqual(sorted(trace.names()), ["launcher"] + ["step"] * 4)
        [launcher] = [row["global_pid"] >> 24 for row in trace.processes
                      if row["global_pid"] >> 24 not in {kernel["pid"] for kernel in trace.kernels}]
        children = [row for row in trace.processes if row["global_pid"] >> 24 != launcher]
        self.assertEqual([row["parent_pid"] for row in children], [launcher] * 4)
        self.assertTrue(all(row["end_ns"] for row in trace.processes))


class OtherCuptis(RecordingTest):
    def test_another_profiler_is_named_and_costs_neither_the_training_nor_its_ranges(self):
        done = self.run_recorded(victim("gpu_other_profiler"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (17, "trained\n", ""))
        trace = self.trace()
        self.assertEqual((trace.kernels, trace.names()), ([], ["step"]))
        self.assertIn("(CUPTI for Kineto)", trace.health["no_gpu_activity_recorded"]["message"])

    def test_a_chosen_cupti_that_is_not_there_is_one_sentence(self):
        self.environment["TACHO_CUPTI"] = "/no/such/libcupti.so.13"
        done = self.run_recorded(victim("gpu_exit_handlers"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (6, "last handler\n", ""))
        trace = self.trace()
        self.assertEqual((trace.kernels, list(trace.health)), ([], ["no_gpu_activity_recorded"]))
        self.assertIn("/no/such/libcupti.so.13", trace.health["no_gpu_activity_recorded"]["message"])


class NoRoom(RecordingTest):
    def test_a_full_disk_under_the_records_of_the_gpu_does_not_disturb_the_training(self):
        self.put_file_on_disk("size=2m")
        done = self.run_recorded(victim("gpu_threads"))
        self.assertEqual((done.returncode, done.stdout), (0, "failed children: 0\n"))
        saved = shutil.copytree(self.spool, os.path.join(self.folder, "saved.sqlite.spool"))
        recovered = subprocess.run([TACHO, "recover", saved], stdout=subprocess.DEVNULL, timeout=LIMIT_S)
        self.assertEqual(recovered.returncode, 0)
        trace = Trace(os.path.join(self.folder, "saved.sqlite"))
        self.assertGreater(len(trace.kernels), 0)
        self.assertIn("spool_write_failed", trace.health)

    def test_a_spool_folder_that_is_removed_under_way_costs_no_kernel_of_those_that_run(self):
        recorder = self.start_recorded(victim("gpu_endless"))
        wait_until(lambda: is_open_in(recorder.pid, ".spool"), "the recorder to follow the spool")
        shutil.rmtree(self.spool)
        time.sleep(0.5)  # the training goes on
        recorder.terminate()
        output, errors = recorder.communicate(timeout=LIMIT_S)
        self.assertEqual((recorder.returncode, output, errors), (21, "", ""))
        trace = self.trace()
        self.assertIn("spool_folder_removed", trace.health)
        self.assertEqual([row["correlationId"] for row in trace.kernels], list(range(1, len(trace.kernels) + 1)))
        self.assertEqual(trace.kernels[-1]["name"], "checkpoint")


if __name__ == "__main__":
    unittest.main()
