#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the time of a training step under tacho, bare CUPTI, torch.profiler and nothing, in turn.

    overhead.py --tacho build/release/bin/tacho --floor build/release/lib/libtacho_floor.so --output overhead.json

Needs a GPU, torch, transformers and timm. One process imports them and forks one for each variant, which is the first
there to touch CUDA. All of them live at once, but only one trains at a time: a few steps, then it is the next one's
turn. Some rounds later all are ended and started anew. The result is written after each such set, as JSON and table.
"""
import argparse
import json
import os
import random
import sys
import tempfile
import time

import live_recorder
import step_statistics
import trainings
import variants
from measured_process import MeasuredProcess, in_child

_DEFAULT_VARIANTS = "plain,floor,floor:kernels,tacho,tacho-kernels,torch.profiler,closed"
_WARM_UP_STEPS = 20         # after the end of the window of `closed`
_STEPS_OF_A_TURN = 5        # timed; one more comes before, as caches and clocks have gone cold
_MOST_PROFILED_TURNS = 6    # torch.profiler keeps all records in memory, and ends when that is full


def parse():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--tacho", required=True, help="the program")
    flags.add_argument("--floor", required=True, help="libtacho_floor.so")
    flags.add_argument("--output", required=True, help="JSON file; the table is beside it, as .txt")
    flags.add_argument("--trainings", default="deeplogic,roberta_base_b4,roberta_large_b32,resnet152_b32",
                       help="of " + ",".join(trainings.NAMES))
    flags.add_argument("--variants", default=_DEFAULT_VARIANTS,
                       help="plain, floor, floor:SETTING, tacho, tacho-kernels, closed, torch.profiler; settings: "
                            + " ".join(variants.FLOOR_SETTINGS))
    flags.add_argument("--sets", type=int, default=3, help="how often all processes are started anew")
    flags.add_argument("--rounds", type=int, default=20, help="turns of each process of a set")
    flags.add_argument("--steps", type=int, default=_STEPS_OF_A_TURN, help="timed steps of a turn")
    options = flags.parse_args()
    options.trainings = options.trainings.split(",")
    options.variants = options.variants.split(",")
    return options


def main():
    options = parse()
    trainings.import_all(options.trainings)
    refuse_if_cuda_is_started()
    result = {**machine(), "steps_of_a_turn": options.steps, "measurements": [], "errors": []}
    with tempfile.TemporaryDirectory() as folder:
        recorder = live_recorder.LiveRecorder(options.tacho, os.path.join(folder, "overhead.sqlite"))
        try:
            for number in range(options.sets):
                for training in options.trainings:
                    measure_set(training, number, options, recorder, result)
                    write(options.output, result)
        finally:
            trace_bytes = recorder.end()
    print("trace of the tacho variants: %d MB" % (trace_bytes // 1000000))
    if result["errors"]:
        sys.exit("\n".join(result["errors"]))


def refuse_if_cuda_is_started():
    """A forked child can use CUDA only if its parent does not, and is injected only as it starts CUDA."""
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink("/proc/self/fd/" + descriptor)
        except OSError:
            continue
        if target.startswith("/dev/nvidia"):
            sys.exit("importing the trainings has started CUDA (%s is open)" % target)


def machine():
    """Facts of the machine."""
    def ask():
        import torch
        return {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda}
    return {**in_child(ask), "cpus": os.cpu_count(), "utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}


def measure_set(training, number, options, recorder, result):
    processes = {each: MeasuredProcess(lambda variant=each: prepare(training, variant, options, recorder))
                 for each in options.variants}
    ready = [each for each in options.variants if processes[each].wait_until_ready()]
    order = random.Random(number)
    for round_number in range(options.rounds):
        order.shuffle(ready)  # nobody always follows the same one
        for variant in ready:
            if variant == "torch.profiler" and round_number >= _MOST_PROFILED_TURNS:
                continue
            step_ns = processes[variant].block()
            if step_ns is not None:
                result["measurements"].append({"training": training, "variant": variant, "set": number,
                                               "round": round_number, "step_ns": step_ns})
    for variant, process in processes.items():
        process.end()
        if process.error:
            result["errors"].append("%s, %s: %s" % (training, variant, process.error))


def prepare(training, variant, options, recorder):
    """In the child: warms up; returns what is done in a turn."""
    os.environ.update(variants.environment(variant, os.path.abspath(options.floor), recorder.environment))
    when_warm = variants.start(variant, recorder.python_folder)
    import torch
    step = trainings.build(training).step
    run(step, _WARM_UP_STEPS)
    torch.cuda.synchronize()
    when_warm()

    def turn():
        run(step, 1)
        torch.cuda.synchronize()
        begin = time.perf_counter_ns()
        run(step, options.steps)
        torch.cuda.synchronize()
        return (time.perf_counter_ns() - begin) // options.steps

    turn()
    return turn


def run(step, count):
    for _ in range(count):
        step()


def write(path, result):
    with open(path, "w") as file:
        json.dump(result, file, indent=0)
    lines = ["%(gpu)s, torch %(torch)s, CUDA %(cuda)s, %(cpus)d CPUs, %(utc)s" % result]
    lines += step_statistics.table(result["measurements"])
    with open(os.path.splitext(path)[0] + ".txt", "w") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
