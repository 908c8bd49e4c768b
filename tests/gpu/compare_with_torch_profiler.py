#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trainings with and without tacho: same output, and the GPU operations that torch.profiler counts.

    TACHO=build/release/bin/tacho OUT=/tmp/out compare_with_torch_profiler.py [WORKLOAD ...]

Each workload runs plain, and then (if it is PyTorch) under `tacho record` and under torch.profiler in turn, A B A B ...,
REPEATS times each. Standard output and exit status of the plain and the recorded runs must be equal, counts per step and
class equal to torch.profiler's, and the median time of a step in each class within 1 %, 5 us, or the spread of
torch.profiler's own runs, whichever is largest. The C++ training is compared with the launches that its source makes.
Exits 1 on a mismatch, 77 without a GPU.
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import tacho_capture_counts
from step_counts import CLASSES

HERE = pathlib.Path(__file__).resolve().parent
WORKLOADS = HERE.parent.parent / "workloads"
SKIP = 77
STEPS = (15, 25)  # profiled by both
RELATIVE_TOLERANCE = 0.01
ABSOLUTE_TOLERANCE_NS = 5000  # a step's copies can take less than a microsecond in all
REPEATS = int(os.environ.get("REPEATS", "1"))
TIMEOUT_S = 240

_COMMON = ["--steps", "30"]
TORCH = {
    "roberta-fp32": ["roberta.py", "--batch", "32"] + _COMMON,
    "roberta-bf16": ["roberta.py", "--batch", "32", "--precision", "bf16", "--accumulate", "2"] + _COMMON,
    "resnet152-tf32": ["resnet152.py", "--batch", "32", "--precision", "tf32", "--pin-memory"] + _COMMON,
    "deeplogic": ["deeplogic.py"] + _COMMON,
    "deeplogic-sync": ["deeplogic.py", "--sync-read"] + _COMMON,
    "roberta-compile": ["roberta.py", "--batch", "32", "--compile"] + _COMMON,
}
ENCODER = {
    "encoder_cublas": ["--steps", "30"],
    "encoder_cublas-tf32": ["--steps", "30", "--precision", "tf32", "--input", "pinned"],
}
BY_DEFAULT = ["encoder_cublas", "encoder_cublas-tf32", "roberta-fp32", "roberta-bf16", "resnet152-tf32", "deeplogic"]

# Launches of one step in workloads/encoder_cublas/encoder.cpp with its 6 blocks; cuBLAS may add kernels of its own.
ENCODER_KERNELS = {"addBiasKernel": 2, "biasGeluKernel": 6, "geluGradientKernel": 6, "addBiasAndResidualKernel": 6,
                   "addInPlaceKernel": 6, "columnSumsKernel": 14, "softmaxCrossEntropyKernel": 1, "meanKernel": 1,
                   "adamKernel": 1}


class Comparison:
    """One workload: runs it in all ways and collects what differs."""

    def __init__(self, name, tacho, out):
        self.name, self._tacho, self._out = name, tacho, out
        self.differences = []
        self.rows = []

    def run(self, label, command):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        begin = time.monotonic()
        with open(self._out / ("%s.%s.stderr" % (self.name, label)), "wb") as errors:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, env=environment, timeout=TIMEOUT_S)
        print("  %-16s %-8s %6.1f s, exit %d" % (self.name, label, time.monotonic() - begin, done.returncode),
              flush=True)
        (self._out / ("%s.%s.stdout" % (self.name, label))).write_bytes(done.stdout)
        return done

    def run_plain(self, command):
        plain = self.run("plain", command)
        if plain.returncode != 0:
            self.differences.append("the plain run failed with exit status %d" % plain.returncode)
        return plain

    def record(self, command, window, plain):
        """Runs under tacho and compares with the plain run; returns the trace file, or None if there is none."""
        trace = self._out / (self.name + ".sqlite")
        trace.unlink(missing_ok=True)
        recorded = self.run("tacho", [self._tacho, "record", "-q", *window, "-o", str(trace), "--"] + command)
        if plain.returncode != recorded.returncode:
            self.differences.append("exit status %d became %d" % (plain.returncode, recorded.returncode))
        if plain.stdout != recorded.stdout:
            self.differences.append("standard output differs")
        if not trace.exists():
            self.differences.append("no file %s" % trace)
            return None
        return trace

    def compare(self, ours, reference):
        """Both a list of runs, a run as StepCounts.steps."""
        for kind in CLASSES:
            our_counts = [[step[kind][0] for step in run] for run in ours]
            counts = [step[kind][0] for step in reference[0]]
            our_ns = statistics.median(median_ns(run, kind) for run in ours)
            all_ns = [median_ns(run, kind) for run in reference]
            ns = statistics.median(all_ns)
            spread = max(all_ns) - min(all_ns)
            self.rows.append((self.name, kind, sum(our_counts[0]), sum(counts), our_ns, ns, spread))
            if any(each != counts for each in our_counts):
                self.differences.append("%s per step: %s, torch.profiler: %s" % (kind, our_counts, counts))
            if abs(our_ns - ns) > max(RELATIVE_TOLERANCE * ns, ABSOLUTE_TOLERANCE_NS, spread):
                self.differences.append("%s time of a step: %d ns, torch.profiler: %d ns" % (kind, our_ns, ns))


def median_ns(steps, kind):
    return statistics.median(step[kind][1] for step in steps)


def compare_torch(comparison, arguments, out):
    command = [sys.executable, str(WORKLOADS / arguments[0])] + arguments[1:]
    steps = "%d:%d" % STEPS
    counts = out / (comparison.name + ".profiler.json")
    plain = comparison.run_plain(command)
    ours, reference = [], []
    for _ in range(REPEATS):
        trace = comparison.record(command, ["--steps", steps], plain)
        profiled = comparison.run("profiler", [
            sys.executable, str(HERE / "torch_profiler_reference.py"), "--steps", steps, "--trace",
            str(out / (comparison.name + ".kineto.json")), "--counts", str(counts)] + command[1:])
        if profiled.returncode != 0:
            comparison.differences.append("torch.profiler's run failed with exit status %d" % profiled.returncode)
        if trace is None or profiled.returncode != 0:
            return
        counted = tacho_capture_counts.count(trace, STEPS)
        counted.write(out / (comparison.name + ".tacho.json"))
        if counted.orphans:
            comparison.differences.append("%d operations without a launch" % counted.orphans)
        ours.append(counted.steps)
        reference.append(json.loads(counts.read_text())["steps"])
    comparison.compare(ours, reference)


def compare_encoder(comparison, arguments, tacho):
    program = pathlib.Path(tacho).resolve().parent / "encoder_cublas"
    if not program.exists():
        comparison.differences.append("%s was not built" % program)
        return
    command = [str(program)] + arguments
    trace = comparison.record(command, ["--all"], comparison.run_plain(command))
    if trace is None:
        return
    ours = tacho_capture_counts.count(trace, STEPS, nvtx="step")
    for kernel, launches in ENCODER_KERNELS.items():
        counted = sum(number for name, number in ours.kernels.items() if kernel + "(" in name)
        expected = launches * (STEPS[1] - STEPS[0])
        if counted != expected:
            comparison.differences.append("%d launches of %s, the source makes %d" % (counted, kernel, expected))
    for kind in CLASSES:
        counts = [step[kind][0] for step in ours.steps]
        ns = statistics.median(step[kind][1] for step in ours.steps)
        comparison.rows.append((comparison.name, kind, sum(counts), 0, ns, 0, 0))
        if kind == "memcpy":  # samples and labels in, and the loss out every tenth step
            expected = [3 if step % 10 == 0 else 2 for step in range(*STEPS)]
        else:
            expected = [counts[0]] * len(counts)
        if counts != expected:
            comparison.differences.append("%s per step: %s instead of %s" % (kind, counts, expected))


def main():
    if shutil.which("nvidia-smi") is None or subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode:
        print("skipped: nvidia-smi finds no GPU")
        return SKIP
    tacho = os.path.abspath(os.environ.get("TACHO", str(HERE.parent.parent / "build/release/bin/tacho")))
    out = pathlib.Path(os.environ.get("OUT", "/tmp/tacho-gpu-tests"))
    out.mkdir(parents=True, exist_ok=True)
    done = []
    for name in sys.argv[1:] or BY_DEFAULT:
        comparison = Comparison(name, tacho, out)
        try:
            if name in TORCH:
                compare_torch(comparison, TORCH[name], out)
            else:
                compare_encoder(comparison, ENCODER[name], tacho)
        except (subprocess.TimeoutExpired, KeyError, ValueError) as error:
            comparison.differences.append("%s: %s" % (type(error).__name__, error))
        done.append(comparison)
    print_table(done)
    return 1 if any(each.differences for each in done) else 0


def print_table(comparisons):
    print("\n%-20s %-7s %9s %9s %15s %15s %8s %8s" % ("workload", "class", "tacho", "profiler", "tacho ns/step",
                                                     "profiler", "differ", "spread"))
    for name, kind, ours, reference, our_ns, ns, spread in (row for each in comparisons for row in each.rows):
        differ, spread = ("%.2f%%" % (100 * x / ns) if ns else "-" for x in (our_ns - ns, spread))
        print("%-20s %-7s %9d %9d %15d %15d %8s %8s" % (name, kind, ours, reference, our_ns, ns, differ, spread))
    for each in comparisons:
        print("%-20s %s" % (each.name, "; ".join(each.differences) or "same output, same counts, times agree"))


if __name__ == "__main__":
    sys.exit(main())
