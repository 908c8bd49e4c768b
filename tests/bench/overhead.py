#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the time of a training step under tacho, bare CUPTI, torch.profiler and nothing, in turn.

    overhead.py --tacho build/release/bin/tacho --floor build/release/lib/libtacho_floor.so --output overhead.json

Needs a GPU, torch, transformers and timm. One process imports them and forks another one for each measurement,
which then is the first to touch CUDA. The result is written after each round, as JSON and as a table.
"""
import argparse
import json
import os
import sys
import tempfile
import time

import live_recorder
import step_statistics
import trainings
import variants

_DEFAULT_VARIANTS = "plain,floor,floor:kernels,tacho,tacho-kernels,torch.profiler,closed"
_WARM_UP_STEPS = 20         # after the end of the window of `closed`
_PROFILER_WARM_UP_STEPS = 3
_MOST_PROFILED_STEPS = 30   # torch.profiler keeps all records in memory, and ends when that is full


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
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--steps", type=int, help="timed steps of a measurement (default: by training)")
    flags.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS",
                       help="start no round that would end later")
    options = flags.parse_args()
    options.trainings = options.trainings.split(",")
    options.variants = options.variants.split(",")
    return options


def main():
    begin = time.monotonic()
    options = parse()
    trainings.import_all(options.trainings)
    refuse_if_cuda_is_started()
    with tempfile.TemporaryDirectory() as folder:
        recorder = live_recorder.LiveRecorder(options.tacho, os.path.join(folder, "overhead.sqlite"))
        try:
            measurements = measure_all(options, recorder, begin)
        finally:
            trace_bytes = recorder.end()
    print("trace of the tacho variants: %d MB" % (trace_bytes // 1000000))
    if any("error" in each for each in measurements):
        sys.exit("some measurements failed: see their \"error\" in " + options.output)


def refuse_if_cuda_is_started():
    """A forked child can use CUDA only if its parent does not, and is injected only as it starts CUDA."""
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink("/proc/self/fd/" + descriptor)
        except OSError:
            continue
        if target.startswith("/dev/nvidia"):
            sys.exit("importing the trainings has started CUDA (%s is open)" % target)


def measure_all(options, recorder, begin):
    measurements, facts, longest_round = [], machine(), 0.0
    for number in range(options.rounds):
        round_begin = time.monotonic()
        if number > 0 and round_begin + longest_round - begin > options.limit:
            break
        for training in options.trainings:
            for variant in options.variants:
                result = in_child(lambda: measure(training, variant, options, recorder))
                measurements.append({"training": training, "variant": variant, "round": number, **result})
        longest_round = max(longest_round, time.monotonic() - round_begin)
        write(options.output, {**facts, "measurements": measurements})
    return measurements


def measure(training, variant, options, recorder):
    """In the child: times of a step, one per block."""
    variants.set_environment(variants.environment(variant, os.path.abspath(options.floor), recorder.environment))
    when_warm = variants.start(variant, recorder.python_folder)
    import torch
    step = trainings.build(training).step
    run(step, _WARM_UP_STEPS)
    when_warm()
    steps, block = trainings.steps_of(training)
    steps = options.steps or steps
    if variant == "torch.profiler":
        run(step, _PROFILER_WARM_UP_STEPS)
        steps = min(steps, _MOST_PROFILED_STEPS)
    torch.cuda.synchronize()
    times = [timed(step, block, torch) for _ in range(max(1, steps // block))]
    return {"block_steps": block, "block_step_ns": times}


def run(step, count):
    for _ in range(count):
        step()


def timed(step, count, torch):
    begin = time.perf_counter_ns()
    run(step, count)
    torch.cuda.synchronize()
    return (time.perf_counter_ns() - begin) // count


def in_child(work):
    """What `work()` returns in a forked process, as JSON through a pipe; {"error": ...} if it fails."""
    begin = time.monotonic()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        try:
            answer = work()
        except BaseException as problem:
            answer = {"error": repr(problem)}
        with os.fdopen(writer, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)  # the profilers' ends are not measured, and the parent's exit handlers are not ours
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    _, status = os.waitpid(pid, 0)
    answer = json.loads(text) if text else {"error": "the process ended with status %d" % status}
    return {**answer, "process_seconds": round(time.monotonic() - begin, 2)}


def machine():
    """Facts of the machine; CUDA is asked in a process of its own."""
    def ask():
        import torch
        return {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda}
    facts = in_child(ask)
    del facts["process_seconds"]
    return {**facts, "cpus": os.cpu_count(), "utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}


def write(path, result):
    with open(path, "w") as file:
        json.dump(result, file, indent=1)
    lines = ["%(gpu)s, torch %(torch)s, CUDA %(cuda)s, %(cpus)d CPUs" % result] if "gpu" in result else []
    lines += step_statistics.table([each for each in result["measurements"] if "error" not in each])
    with open(os.path.splitext(path)[0] + ".txt", "w") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
