#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the unprofiled step time that tacho reports that of a run without tacho?

    calibration.py --tacho build/release/bin/tacho --output calibration.json

Needs a GPU, torch, transformers and timm. Runs of a training without tacho and recorded ones with the default window
take turns, each in a process of its own. "plain" are the steps of the former, timed by the host as tacho does it;
"reported" and "recorded" are what the report says of the latter: the steps that were not recorded, and all that were.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import live_recorder
import overhead
import trainings
import variants
from measured_process import in_child

_SKIPPED_STEPS = 10   # the default window opens then
_WINDOW_STEPS = 100
_STEPS = _SKIPPED_STEPS + _WINDOW_STEPS + 5


def parse():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--tacho", required=True, help="the program")
    flags.add_argument("--output", required=True, help="JSON file; the table is beside it, as .txt")
    flags.add_argument("--trainings", default="deeplogic,roberta_base_b4,roberta_large_b32,resnet152_b32",
                       help="of " + ",".join(trainings.NAMES))
    flags.add_argument("--rounds", type=int, default=5)
    options = flags.parse_args()
    options.trainings = options.trainings.split(",")
    return options


def main():
    options = parse()
    trainings.import_all(options.trainings)
    overhead.refuse_if_cuda_is_started()
    result = {**overhead.machine(), "measurements": []}
    for number in range(options.rounds):
        for training in options.trainings:
            times = {"plain": in_child(lambda: train(training)), **reported(training, options.tacho)}
            result["measurements"] += [{"training": training, "variant": variant, "set": 0, "round": number,
                                        "step_ns": step_ns} for variant, step_ns in times.items()]
        overhead.write(options.output, result)


def train(training):
    """In a child: median time of the steps in which the default window is open."""
    step = trainings.build(training).step
    ends = []
    for _ in range(_STEPS):
        step()
        ends.append(time.perf_counter_ns())
    window = ends[_SKIPPED_STEPS - 1:_SKIPPED_STEPS + _WINDOW_STEPS]
    return statistics.median(end - begin for begin, end in zip(window, window[1:]))


def reported(training, tacho):
    with tempfile.TemporaryDirectory() as folder:
        recorder = live_recorder.LiveRecorder(tacho, os.path.join(folder, "calibration.sqlite"), window=())

        def train_recorded():
            os.environ.update(recorder.environment)
            variants.attach_hook(recorder.python_folder)
            train(training)

        in_child(train_recorded)
        recorder.end()
        report = subprocess.run([tacho, "report", recorder.output, "--format", "json"], stdout=subprocess.PIPE,
                                check=True)
    steps = json.loads(report.stdout)["steps"]
    if steps["unprofiled_median_ns"] is None:
        sys.exit("the report of %s has no unprofiled step time" % training)
    return {"reported": steps["unprofiled_median_ns"], "recorded": steps["median_ns"]}


if __name__ == "__main__":
    main()
