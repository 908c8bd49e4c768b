# SPDX-License-Identifier: Apache-2.0
"""What happens to the training and to the file when something is killed, full, forbidden or closed."""
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

from recording import LIBRARY, LIMIT_S, PUSH_POP, TACHO, RecordingTest, Trace, victim, wait_until


class Killed(RecordingTest):
    def test_a_killed_training_loses_less_than_its_last_second(self):
        recorder = self.start_recorded(victim("endless"))
        os.kill(self.child_of(recorder), signal.SIGKILL)
        killed_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        recorder.communicate(timeout=LIMIT_S)
        self.assertEqual(recorder.returncode, 128 + signal.SIGKILL)
        trace = self.trace()
        self.assertGreater(len(trace.names()), 50)
        self.assertLess(killed_ns - max(row["start"] for row in trace.events()), 1e9)
        self.assertIn("not_ended", trace.health)
        self.assertIsNone(trace.processes[0]["end_ns"])

    def test_a_killed_recorder_costs_the_training_and_the_file_nothing(self):
        recorder = self.start_recorded(victim("checkpoint"))
        training = self.child_of(recorder)
        recorder.kill()
        recorder.wait()
        os.kill(training, signal.SIGTERM)
        self.assertEqual(recorder.stdout.read(), "checkpoint 15\n")  # up to the end of the training
        recovered = subprocess.run([TACHO, "recover", self.spool], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   universal_newlines=True, timeout=LIMIT_S)
        self.assertEqual(recovered.returncode, 0, recovered.stderr)
        lost = self.trace()
        self.assertEqual(lost.names(), ["training", "checkpoint"])
        self.assertIsNotNone(lost.processes[0]["end_ns"])
        self.assertIn("recovered", lost.health)

    def test_a_killed_rank_costs_the_others_nothing(self):
        script = ('"$1" >out & rank=$!; until grep -q ready out; do :; done; kill -9 $rank; wait $rank; '
                  'echo "rank ended: $?"; exec "$2"')
        done = self.run_recorded(["sh", "-c", script, "sh", *victim("endless"), *victim("call_forms")],
                                 cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (9, "rank ended: 137\nloss 0.5\n"))
        trace = self.trace()
        self.assertGreater(trace.names().count("step"), 50)
        self.assertIn("never ended", trace.names())
        self.assertEqual(sorted(row["end_ns"] is None for row in trace.processes), [False, True])

    def test_a_process_that_ends_by__exit_is_said_to_lack_its_end(self):
        self.assertEqual(self.run_recorded(victim("ends_at_once")).returncode, 11)
        self.assertTrue({"not_ended", "spool_empty"} & set(self.trace().health))


class AskedToStop(RecordingTest):
    def test_handlers_of_the_training_run_and_its_exit_code_is_kept(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            with self.subTest(number):
                recorder = self.start_recorded(victim("checkpoint"))
                recorder.send_signal(number)
                output, errors = recorder.communicate(timeout=LIMIT_S)
                self.assertEqual((recorder.returncode, output, errors),
                                 (70 + number, "checkpoint %d\n" % number, ""))
                self.assertEqual(self.trace().names(), ["training", "checkpoint"])
                os.remove(self.file)

    def test_ctrl_c_on_a_terminal_reaches_the_training_once(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(TACHO, self.command(victim("checkpoint")), self.environment)
        self.addCleanup(os.close, terminal)
        output = self.read_until(terminal, b"ready")
        os.write(terminal, b"\x03")
        output += self.read_until(terminal, None)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 70 + signal.SIGINT)
        self.assertEqual(output.count(b"checkpoint 2"), 1)
        self.assertEqual(self.trace().names(), ["training", "checkpoint"])

    def test_a_signal_to_the_whole_group_reaches_the_training_once(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                recorder = self.start_recorded(victim("counts_signals"), start_new_session=True)
                os.killpg(recorder.pid, number)
                output, errors = recorder.communicate(timeout=LIMIT_S)
                self.assertEqual((recorder.returncode, output, errors), (0, "signals 1\n", ""))
                os.remove(self.file)

    def test_each_signal_to_the_recorder_reaches_a_training_that_left_its_group(self):
        recorder = self.start_recorded(victim("counts_signals", "own group"))
        for number in (signal.SIGTERM, signal.SIGINT):
            recorder.send_signal(number)
        output, errors = recorder.communicate(timeout=LIMIT_S)
        self.assertEqual((recorder.returncode, output, errors), (0, "signals 2\n", ""))

    def test_nothing_of_a_killed_recorder_stays_but_the_training(self):
        recorder = self.start_recorded(victim("checkpoint"))
        training = self.child_of(recorder)
        with open("/proc/%d/task/%d/children" % (recorder.pid, recorder.pid)) as file:
            others = set(map(int, file.read().split())) - {training}
        self.assertTrue(others)
        recorder.kill()
        recorder.wait()
        for other in others:
            wait_until(lambda: not os.path.exists("/proc/%d" % other) or "Z" in open("/proc/%d/stat" % other).read(),
                       "the end of the recorder's other processes")
        os.kill(training, signal.SIGTERM)

    def read_until(self, terminal, text):
        output = b""
        while text is None or text not in output:
            self.assertTrue(select.select([terminal], [], [], LIMIT_S)[0], output)
            try:
                output += os.read(terminal, 4096)
            except OSError:  # Linux's way to say that no process has the terminal open any more
                break
        return output


class NoRoom(RecordingTest):
    def test_an_unwritable_output_folder_is_refused_before_the_training_starts(self):
        self.file = os.path.join(self.folder, "missing", "run.sqlite")
        done = self.run_recorded(["touch", os.path.join(self.folder, "started")])
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_file_size_limit_of_the_training_does_not_kill_it(self):
        for limit in (0, 10000):
            with self.subTest(limit):
                done = self.run_recorded(victim("fills_its_limit", limit))
                self.assertEqual((done.returncode, done.stdout, done.stderr), (13, "", ""))
                health = self.trace().health
                self.assertEqual(health["spool_write_failed"]["severity"], "data_loss")
                self.assertNotIn("not_ended", health)
                os.remove(self.file)

    def test_a_file_size_limit_of_the_whole_run_does_not_kill_the_recorder(self):
        done = self.limited(["sh", "-c", "exit 3"])
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (3, 1), done.stderr)

    def limited(self, command):
        return subprocess.run(["sh", "-c", "ulimit -f 16; exec \"$@\"", "sh", *self.command(command)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, timeout=LIMIT_S,
                              universal_newlines=True)

    def test_an_output_folder_that_is_read_only_is_refused_before_the_training_starts(self):
        self.put_file_on_disk("size=1m,ro")
        done = self.run_recorded(["touch", os.path.join(self.folder, "started")])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Read-only file system", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "started")))

    def test_a_full_disk_does_not_disturb_the_training(self):
        self.put_file_on_disk("size=1m")
        done = self.run_recorded(victim("many_threads"))
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("tacho recover", done.stderr)
        saved = shutil.copytree(self.spool, os.path.join(self.folder, "saved.sqlite.spool"))
        recovered = subprocess.run([TACHO, "recover", saved], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, timeout=LIMIT_S)
        self.assertEqual(recovered.returncode, 0, recovered.stderr)
        self.assertIn("spool_write_failed", Trace(os.path.join(self.folder, "saved.sqlite")).health)

    def test_a_training_without_memory_for_a_recording_runs_on(self):
        done = self.run_recorded(["sh", "-c", 'ulimit -v 30000; exec "$0"', *victim("exit_in_atexit")])
        self.assertEqual((done.returncode, done.stdout), (6, "last handler\n"))
        self.assertRegex(done.stderr, r"\Atacho: process \d+ is not recorded: .*: Cannot allocate memory\n\Z")

    def test_a_recording_that_is_over_is_no_news_to_later_processes(self):
        environment = dict(self.environment, NVTX_INJECTION64_PATH=LIBRARY,
                           TACHO_SPOOL_DIR=os.path.join(self.folder, "gone"))
        done = subprocess.run(victim("call_forms"), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, timeout=LIMIT_S)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (9, "loss 0.5\n", ""))

    def test_a_broken_stderr_does_not_kill_a_training_that_cannot_be_recorded(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        not_a_folder = os.path.join(self.folder, "file")
        open(not_a_folder, "w").close()
        environment = dict(self.environment, NVTX_INJECTION64_PATH=LIBRARY, TACHO_SPOOL_DIR=not_a_folder)
        done = subprocess.run(victim("call_forms"), env=environment, stdout=subprocess.PIPE, stderr=write_end,
                              timeout=LIMIT_S)
        os.close(write_end)
        self.assertEqual((done.returncode, done.stdout), (9, b"loss 0.5\n"))


    def test_an_unreadable_stderr_of_tacho_keeps_the_exit_status_of_the_training(self):
        read_end, closed = os.pipe()
        os.close(read_end)
        full = os.open("/dev/full", os.O_WRONLY)
        for number, stderr in enumerate((closed, full)):
            for first in ([TACHO], [TACHO, "record"]):
                with self.subTest(stderr=number, command=first[1:]):
                    done = subprocess.run([*first, "-o", self.file, "sh", "-c", "exit 5"], stderr=stderr,
                                          env=self.environment, timeout=LIMIT_S)
                    self.assertEqual(done.returncode, 5)
                    os.remove(self.file)
        os.close(closed)
        os.close(full)


class OwnWays(RecordingTest):
    """Things that trainings do with their process."""

    def test_files_of_a_training_that_closed_all_descriptors_stay_its_own(self):
        done = self.run_recorded(victim("closes_descriptors", self.folder))
        self.assertEqual((done.returncode, done.stderr), (8, ""))
        self.assertEqual(os.path.getsize(os.path.join(self.folder, "data")), 0)
        self.assertEqual(self.trace().names(), ["before"] + ["after"] * 300)

    def test_another_user_in_an_empty_root_is_still_recorded(self):
        if os.geteuid() != 0:
            self.skipTest("only root may change root and user")
        jail = os.path.join(self.folder, "jail")
        os.mkdir(jail)
        done = self.run_recorded(victim("drops_rights", jail))
        self.assertEqual((done.returncode, done.stderr), (12, ""))
        self.assertEqual(self.trace().names(), ["as root", "as nobody"])

    def test_signals_and_descriptors_of_the_command_are_as_without_tacho(self):
        look = "grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status; ls /proc/self/fd"
        for ignored in ("", "trap '' INT CHLD XFSZ USR1 PIPE; "):
            with self.subTest(ignored):
                plain, recorded = [subprocess.run(["sh", "-c", ignored + 'exec "$@"', "sh", *command],
                                                  stdout=subprocess.PIPE, env=self.environment, timeout=LIMIT_S).stdout
                                   for command in (["sh", "-c", look], self.command(["sh", "-c", look]))]
                self.assertEqual(recorded, plain)
                os.remove(self.file)

    def test_errno_signal_mask_and_low_descriptors_are_left_alone(self):
        done = self.run_recorded(victim("own_state"))
        self.assertEqual(done.stdout, "errno 1\nmask 1\ndescriptor 1\n")

    def test_exit_inside_an_exit_handler_ends_the_recording_in_order(self):
        done = self.run_recorded(victim("exit_in_atexit"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (6, "last handler\n", ""))
        trace = self.trace()
        self.assertEqual(trace.names(), ["training"])
        self.assertNotIn("not_ended", trace.health)

    def test_closing_the_library_changes_nothing(self):
        self.assertEqual(self.run_recorded(victim("closes_library")).returncode, 5)
        self.assertEqual(self.trace().names(), ["before", "after"])

    def test_a_victim_under_valgrind_shows_no_error_of_ours(self):
        if not shutil.which("valgrind"):
            self.skipTest("valgrind is not installed")
        for name, status in (("call_forms", 9), ("exit_in_atexit", 6), ("gpu_exit_handlers", 6)):
            with self.subTest(name):
                done = self.run_recorded(["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=no",
                                          *victim(name)])
                self.assertEqual((done.returncode, done.stderr), (status, ""))
                os.remove(self.file)


FLOOD = """
import ctypes, os, sys
tacho = ctypes.PyDLL(os.environ["CUDA_INJECTION64_PATH"])
tacho.tacho_attach()
for i in range(300000):
    tacho.tacho_phase_begin(b"flood"); tacho.tacho_phase_end()
print("trained")
sys.exit(4)
"""


class SizeLimit(RecordingTest):
    def test_a_process_that_has_written_max_size_stops_recording_and_runs_on(self):
        done = subprocess.run([TACHO, "record", "--quiet", "-o", self.file, "--max-size", "1MB", "--",
                               sys.executable, "-c", FLOOD], stdout=subprocess.PIPE, timeout=LIMIT_S,
                              universal_newlines=True, env=self.environment)
        self.assertEqual((done.returncode, done.stdout), (4, "trained\n"))
        trace = self.trace()
        self.assertIn("--max-size", trace.health["size_limit_reached"]["message"])
        self.assertNotIn("not_ended", trace.health)
        self.assertTrue(0 < len(trace.events(PUSH_POP)) < 300000)


if __name__ == "__main__":
    unittest.main()
