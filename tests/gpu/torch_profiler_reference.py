#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a PyTorch training under torch.profiler for some steps and counts its GPU operations per step.

    torch_profiler_reference.py --steps A:B --trace kineto.json --counts counts.json SCRIPT [ARGUMENTS]
"""
import argparse
import json
import os
import runpy
import sys

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from step_counts import StepCounts, parse_steps

_MARK = "end of training step"
_GPU_CATEGORIES = {"kernel": "kernel", "gpu_memcpy": "memcpy", "gpu_memset": "memset"}


class ProfiledSteps:
    """Profiles the steps first..last-1 and marks their ends in the trace."""

    def __init__(self, first, last, trace):
        self._first, self._last, self._trace = first, last, trace
        self._ended = 0
        self._profiler = torch.profiler.profile(
            activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA])

    def step_ended(self, *_):
        self._ended += 1
        if self._ended == self._first:
            torch.cuda.synchronize()  # nothing launched earlier shall run while the profiler is on
            self._profiler.start()
        if self._first <= self._ended <= self._last:
            with torch.profiler.record_function(_MARK):
                pass
        if self._ended == self._last:
            torch.cuda.synchronize()
            self._profiler.stop()
            self._profiler.export_chrome_trace(self._trace)


def count(trace, first):
    with open(trace) as file:
        events = json.load(file)["traceEvents"]
    ends = sorted(each["ts"] for each in events if each.get("name") == _MARK and each.get("cat") == "user_annotation")
    launches = {each["args"]["correlation"]: each["ts"] for each in events
                if each.get("cat") in ("cuda_runtime", "cuda_driver") and "correlation" in each.get("args", {})}
    counts = StepCounts(first, ends)
    for each in events:
        kind = _GPU_CATEGORIES.get(each.get("cat"))
        if kind:
            counts.add(kind, each["name"], launches.get(each["args"].get("correlation")), round(each["dur"] * 1000))
    return counts


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("--steps", type=parse_steps, required=True)
    flags.add_argument("--trace", required=True)
    flags.add_argument("--counts", required=True)
    flags.add_argument("command", nargs=argparse.REMAINDER)
    options = flags.parse_args()
    first, last = options.steps
    if first < 1:
        flags.error("the profiler starts at the end of a step: A must be at least 1")
    register_optimizer_step_post_hook(ProfiledSteps(first, last, options.trace).step_ended)
    script = options.command[0]
    sys.argv = options.command
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    runpy.run_path(script, run_name="__main__")
    counts = count(options.trace, first)
    counts.write(options.counts)


if __name__ == "__main__":
    main()
