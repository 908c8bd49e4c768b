# SPDX-License-Identifier: Apache-2.0
"""Trainings of many processes, images and threads."""
import os
import sys
import unittest

from recording import PUSH_POP, RecordingTest, victim

# Children end in both ways and use the library; a thread registers exit handlers meanwhile.
PYTHON_FORKS = """
import atexit, ctypes, os, threading
tacho = ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"])
assert tacho.tacho_attach() == 1
done = False
def register():
    while not done:
        handler = lambda: None
        atexit.register(handler); atexit.unregister(handler)
thread = threading.Thread(target=register); thread.start()
failed = 0
for i in range(60):
    pid = os.fork()
    if pid == 0:
        tacho.tacho_phase_begin(b"in a child"); tacho.tacho_phase_end()
        tacho.tacho_step_end(0); tacho.tacho_fact(b"a", b"b"); tacho.tacho_flush()
        if i % 2:
            os._exit(3)
        done = True
        raise SystemExit(3)
    failed += os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 3
done = True
thread.join()
tacho.tacho_phase_begin(b"parent"); tacho.tacho_phase_end()
print("failed children:", failed)
"""


# Ranks forked by a launcher that was recorded itself, while its other threads are inside the library.
PYTHON_RANKS = """
import ctypes, os, threading
tacho = ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"])
assert tacho.tacho_attach() == 1
done = False
def work():
    while not done:
        tacho.tacho_phase_begin(b"launcher"); tacho.tacho_phase_end(); tacho.tacho_fact(b"busy", b"yes")
threads = [threading.Thread(target=work) for _ in range(2)]
[thread.start() for thread in threads]
failed = 0
for i in range(20):
    pid = os.fork()
    if pid == 0:
        attached = tacho.tacho_attach()
        tacho.tacho_phase_begin(b"rank"); tacho.tacho_phase_end(); tacho.tacho_flush()
        os._exit(3 if attached else 4)
    failed += os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 3
done = True
[thread.join() for thread in threads]
print("failed children:", failed)
"""


# Starts four ranks as a launcher does, on two nodes of which this is the second; the arguments are the victim, then the
# names of rank, local rank and world size.
LAUNCHER = """
import os, subprocess, sys
victim, rank, local_rank, world_size = sys.argv[1:]
ranks = [subprocess.Popen([victim], env=dict(os.environ, **{rank: str(i + 2), local_rank: str(i), world_size: "6"}))
         for i in range(4)]
print(os.getpid(), [each.wait() for each in ranks])
"""


# As torch's DataLoader does it: workers of multiprocessing. A training imports torch, and so do spawned workers.
WORKERS = """
import multiprocessing, os, sys
import torch
def load(item):
    return item * item
if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(3) as workers:
        print(sum(workers.map(load, range(100), 1)))
        workers.close()
        workers.join()  # else those that have not come far yet are killed
    sys.exit(9)
"""


def nests(rows):
    """Whether no two ranges of a thread cross. Rows by start, longer first."""
    open_ends = []
    for row in rows:
        while open_ends and open_ends[-1] <= row["start"]:
            open_ends.pop()
        if open_ends and row["end"] > open_ends[-1]:
            return False
        open_ends.append(row["end"])
    return True


class Forks(RecordingTest):
    def test_forked_children_neither_hang_nor_write(self):
        done = self.run_recorded(victim("fork_storm"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "failed children: 0\n", ""))
        trace = self.trace()
        self.assertEqual(trace.names(), ["parent"])
        self.assertEqual(len(trace.processes), 1)

    def test_forked_children_of_python_neither_hang_nor_write(self):
        done = self.run_recorded([sys.executable, "-c", PYTHON_FORKS])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "failed children: 0\n", ""))
        self.assertEqual(self.trace().names(), ["parent"])


    def test_forked_ranks_that_attach_are_recorded_each_for_itself(self):
        done = self.run_recorded([sys.executable, "-c", PYTHON_RANKS])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "failed children: 0\n", ""))
        trace = self.trace()
        self.assertEqual(trace.names().count("rank"), 20)
        self.assertEqual(len(trace.processes), 21)
        self.assertEqual(len({row["pid"] for row in trace.events() if row["name"] == "rank"}), 20)


class Images(RecordingTest):
    def test_each_image_of_a_process_that_calls_exec_over_and_over_is_in_the_file(self):
        done = self.run_recorded(victim("exec_loop", 100))
        self.assertEqual((done.returncode, done.stderr), (4, ""))
        trace = self.trace()
        self.assertIn("image 0", trace.names())  # the others may have lost their last moments, and say so
        self.assertIn("not_ended", trace.health)


    def test_images_started_by_vfork_posix_spawn_and_system_are_children_of_their_starter(self):
        done = self.run_recorded(victim("spawner"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (31, "", ""))
        trace = self.trace()
        self.assertEqual(sorted(trace.names()), sorted(["spawner", "vfork", "posix_spawn", "system", "done"]))
        pid = {row["name"]: row["pid"] for row in trace.events()}
        parent = {row["global_pid"] >> 24: row["parent_pid"] for row in trace.processes}
        self.assertEqual([parent[pid[how]] for how in ("vfork", "posix_spawn")], [pid["spawner"]] * 2)
        self.assertEqual(len(parent), 4)
        self.assertTrue(all(row["end_ns"] for row in trace.processes))


class Launchers(RecordingTest):
    def test_ranks_of_every_launcher_are_in_one_file_with_rank_and_parent(self):
        for names in (("RANK", "LOCAL_RANK", "WORLD_SIZE"),
                      ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"),
                      ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_SIZE"),
                      ("HOROVOD_RANK", "HOROVOD_LOCAL_RANK", "HOROVOD_SIZE"),
                      ("PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE"),
                      ("SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS")):
            with self.subTest(names[0]):
                done = self.run_recorded([sys.executable, "-c", LAUNCHER, *victim("exec_loop"), *names])
                launcher, ended = done.stdout.split(maxsplit=1)
                self.assertEqual((ended, done.stderr), ("[4, 4, 4, 4]\n", ""))
                self.assertEqual(self.ranks(), [(rank, rank - 2, 6, int(launcher)) for rank in range(2, 6)])
                os.remove(self.file)

    def ranks(self):
        return sorted((row["rank"], row["local_rank"], row["world_size"], row["parent_pid"])
                      for row in self.trace().processes)

    def recorded_with(self, **variables):
        done = self.run_recorded(victim("call_forms"), env=dict(self.environment, **variables))
        self.assertEqual(done.returncode, 9)
        [(rank, local_rank, world_size, _)] = self.ranks()
        os.remove(self.file)
        return rank, local_rank, world_size

    def test_the_innermost_of_nested_launchers_counts(self):
        slurm = {"SLURM_PROCID": "1", "SLURM_LOCALID": "0", "SLURM_STEP_NUM_TASKS": "2"}
        self.assertEqual(self.recorded_with(RANK="5", LOCAL_RANK="1", WORLD_SIZE="8", **slurm), (5, 1, 8))
        self.assertEqual(self.recorded_with(RANK="1", WORLD_SIZE="2", **slurm), (1, 0, 2))
        self.assertEqual(self.recorded_with(WORLD_SIZE="2", **slurm), (1, 0, 2))

    def test_a_process_alone_is_no_rank(self):
        alone = (None, None, None)
        self.assertEqual(self.recorded_with(RANK="0", LOCAL_RANK="0", WORLD_SIZE="1"), alone)
        self.assertEqual(self.recorded_with(SLURM_PROCID="0", SLURM_LOCALID="0", SLURM_NTASKS="8"), alone)  # of sbatch
        self.assertEqual(self.recorded_with(RANK="", WORLD_SIZE=""), alone)


class Workers(RecordingTest):
    def loaded_by(self, method):
        training = os.path.join(self.folder, "train.py")
        for path, text in ((training, WORKERS), (os.path.join(self.folder, "torch.py"), "")):
            with open(path, "w") as file:
                file.write(text)
        done = self.run_recorded([sys.executable, training, method])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (9, "328350\n", ""))
        return self.trace().processes

    def test_forked_workers_leave_nothing_in_the_file(self):
        self.assertEqual(len(self.loaded_by("fork")), 1)

    def test_spawned_workers_are_children_of_the_training(self):
        training, *workers = self.loaded_by("spawn")
        self.assertEqual([row["parent_pid"] for row in workers], [training["global_pid"] >> 24] * 3)


class Threads(RecordingTest):
    def test_ranges_of_200_threads_at_once_are_kept_and_nest(self):
        self.assertEqual(self.run_recorded(victim("many_threads")).returncode, 0)
        trace = self.trace()
        by_thread = {}
        for row in trace.events(PUSH_POP):
            by_thread.setdefault(row["tid"], []).append(row)
        self.assertEqual(len(by_thread), 200)
        for rows in by_thread.values():
            self.assertTrue(nests(rows))
            self.assertEqual([row["name"] for row in rows].count("inner"), len(rows) // 2)
        lost = trace.health["host_events_dropped"]["count"] if "host_events_dropped" in trace.health else 0
        self.assertEqual(sum(map(len, by_thread.values())) + lost // 2, 200 * 1000)


class Floods(RecordingTest):
    def test_ranges_after_a_flood_that_cost_records_end_where_they_ended(self):
        self.assertEqual(self.run_recorded(victim("floods")).returncode, 0)
        trace = self.trace()
        rows = trace.events(PUSH_POP)
        self.assertTrue(all(row["end"] is not None for row in rows))
        self.assertTrue(nests(rows))
        names = [row["name"] for row in rows]
        self.assertEqual((names.count("run"), names.count("calm"), names.count("inside")), (1, 1000, 1000))
        self.assertGreater(trace.health["host_events_dropped"]["count"], 0)


if __name__ == "__main__":
    unittest.main()
