#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trainings with and without tacho: same output, and the GPU operations that torch.profiler counts.

    TACHO=build/release/bin/tacho OUT=/tmp/out compare_with_torch_profiler.py [WORKLOAD ...]

Each workload runs plain, under `tacho record`, and (if it is PyTorch) under torch.profiler. Standard output and exit
status of the first two must be equal, counts per step and class of the last two equal, and the median time of a step
in each class within 1 % or 5 us. The C++ training is compared with the launches that its source makes. Exits 1 on a
mismatch, 77 without a GPU.
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
TIMEOUT_S = 240

_COMMON = ["--steps", "30"]
TORCH = {
    "roberta-fp32": ["roberta.py", "--batch", "32"] + _COMMON,
    "roberta-bf16": ["roberta.py", "--batch", "32", "--precision", "bf16", "--accumulate", "2"] + _COMMON,
    "resnet152-tf32": ["resnet152.py", "--batch", "32", "--precision", "tf32"] + _COMMON,
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

    def record(self, command, window):
        """Runs plain and under tacho; returns the trace file, or None where there is nothing to count."""
        trace = self._out / (self.name + ".sqlite")
        trace.unlink(missing_ok=True)
        plain = self.run("plain", command)
        recorded = self.run("tacho", [self._tacho, "record", "-q", *window, "-o", str(trace), "--"] + command)
        if plain.returncode != 0:
            self.differences.append("the plain run failed with exit status %d" % plain.returncode)
        if plain.returncode != recorded.returncode:
            self.differences.append("exit status %d became %d" % (plain.returncode, recorded.returncode))
        if plain.stdout != recorded.stdout:
            self.differences.append("standard output differs")
        if not trace.exists():
            self.differences.append("no file %s" % trace)
            return None
        return trace

    def compare(self, ours, reference):
        """Both as StepCounts.steps."""
        for kind in CLASSES:
            our_counts = [step[kind][0] for step in ours]
            counts = [step[kind][0] for step in reference]
            our_ns = statistics.median(step[kind][1] for step in ours)
            ns = statistics.median(step[kind][1] for step in reference)
            self.rows.append((self.name, kind, sum(our_counts), sum(counts), our_ns, ns))
            if our_counts != counts:
                self.differences.append("%s per step: %s, torch.profiler: %s" % (kind, our_counts, counts))
            if abs(our_ns - ns) > max(RELATIVE_TOLERANCE * ns, ABSOLUTE_TOLERANCE_NS):
                self.differences.append("%s time of a step: %d ns, torch.profiler: %d ns" % (kind, our_ns, ns))


def compare_torch(comparison, arguments, out):
    command = [sys.executable, str(WORKLOADS / arguments[0])] + arguments[1:]
    steps = "%d:%d" % STEPS
    trace = comparison.record(command, ["--steps", steps])
    counts = out / (comparison.name + ".profiler.json")
    profiled = comparison.run("profiler", [
        sys.executable, str(HERE / "torch_profiler_reference.py"), "--steps", steps, "--trace",
        str(out / (comparison.name + ".kineto.json")), "--counts", str(counts)] + command[1:])
    if profiled.returncode != 0:
        comparison.differences.append("the run under torch.profiler failed with exit status %d" % profiled.returncode)
    if trace is None or profiled.returncode != 0:
        return
    ours = tacho_capture_counts.count(trace, STEPS)
    ours.write(out / (comparison.name + ".tacho.json"))
    reference = json.loads(counts.read_text())
    comparison.compare(ours.steps, reference["steps"])
    if ours.orphans:
        comparison.differences.append("%d operations without a launch" % ours.orphans)


def compare_encoder(comparison, arguments, tacho):
    program = pathlib.Path(tacho).resolve().parent / "encoder_cublas"
    if not program.exists():
        comparison.differences.append("%s was not built" % program)
        return
    trace = comparison.record([str(program)] + arguments, ["--all"])
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
        comparison.rows.append((comparison.name, kind, sum(counts), 0, ns, 0))
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
    print("\n%-20s %-7s %9s %9s %15s %15s %8s" % ("workload", "class", "tacho", "profiler", "tacho ns/step",
                                                 "profiler", "differ"))
    for name, kind, ours, reference, our_ns, ns in (row for each in comparisons for row in each.rows):
        print("%-20s %-7s %9d %9d %15d %15d %7s%%" % (name, kind, ours, reference, our_ns, ns,
                                                    "%.2f" % (100 * (our_ns / ns - 1)) if ns else "-"))
    for each in comparisons:
        print("%-20s %s" % (each.name, "; ".join(each.differences) or "same output, same counts, times agree"))


if __name__ == "__main__":
    sys.exit(main())
