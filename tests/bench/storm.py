#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records a storm of kernels and asks: is each of them in the file, or counted as lost? What did that take?

    storm.py --tacho build/release/bin/tacho --storm build/release/bin/storm [--output DIR] -- --launches 1000000

Needs a GPU. The arguments after -- are the storm's. Exit status 1: records vanished uncounted, the process grew by
more than 64 MB over a run without tacho, or a record took more than 60 bytes of spool.
"""
import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time

_MOST_GROWTH_KIB = 64 * 1024
_MOST_SPOOL_BYTES = 60
_LOSSES = ("cupti_dropped_records", "gpu_work_without_times", "unknown_activity_records", "host_events_dropped",
           "times_unknown", "records_unusable")
_TABLES = ("KERNEL", "MEMCPY", "MEMSET", "RUNTIME", "SYNCHRONIZATION", "OVERHEAD")


def parse():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--tacho", required=True)
    flags.add_argument("--storm", required=True)
    flags.add_argument("--output", help="folder for the trace, which is kept there (default: a temporary one)")
    flags.add_argument("--max-size", default="100GB", help="of the spool (default: %(default)s)")
    flags.add_argument("storm_arguments", nargs="*")
    return flags.parse_args()


def run_plain(options):
    done = subprocess.run([options.storm] + options.storm_arguments, stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(done.stdout)


def run_recorded(options, trace):
    """(what the storm made, what the recording took)"""
    command = [options.tacho, "record", "--all", "--quiet", "--max-size", options.max_size, "-o", trace, "--",
               options.storm] + options.storm_arguments
    spool_bytes, processor_seconds, storm_ended = 0, 0.0, None
    with tempfile.TemporaryFile("w+") as output:
        recorder = subprocess.Popen(command, stdout=output)
        while recorder.poll() is None:
            if storm_ended is None and os.fstat(output.fileno()).st_size > 0:
                storm_ended = time.monotonic()
            spool_bytes = max(spool_bytes, size_of_spool(trace + ".spool"))
            processor_seconds = max(processor_seconds, processor_seconds_of(recorder.pid))
            time.sleep(0.01)
        ended = time.monotonic()
        output.seek(0)
        text = output.read()
    if recorder.returncode != 0:
        sys.exit("tacho record ended with status %d" % recorder.returncode)
    return json.loads(text), {"spool_bytes": spool_bytes, "recorder_seconds": processor_seconds,
                              "recorder_behind_seconds": ended - (storm_ended or ended)}


def size_of_spool(folder):
    try:
        return sum(entry.stat().st_size for entry in os.scandir(folder) if entry.name.endswith(".spool"))
    except OSError:  # not yet, or no longer there
        return 0


def processor_seconds_of(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_trace(trace):
    """({table: rows}, {health code: count}, ranges of the storm, rows of launches and copies in the API table)"""
    with sqlite3.connect("file:%s?mode=ro" % trace, uri=True) as file:
        rows = {each: file.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_" + each).fetchone()[0]
                for each in _TABLES}
        health = dict(file.execute("SELECT code, sum(count) FROM TACHO_HEALTH GROUP BY code"))
        ranges = file.execute("SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 59").fetchone()[0]
        calls = file.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id = nameId WHERE "
                             "value LIKE '%Launch%' OR value LIKE 'cudaMemcpyAsync%'").fetchone()[0]
    return rows, health, ranges, calls


def judge(made, plain, taken, trace):
    """Prints what was found; returns what is wrong."""
    rows, health, ranges, calls = read_trace(trace)
    launches = made["graph_launches"] or made["kernels"]
    expected = made["kernels"] + 2 * made["copies"] + launches + made["ranges"]
    found = rows["KERNEL"] + rows["MEMCPY"] + calls + ranges
    lost = sum(health.get(each, 0) for each in _LOSSES)
    records = sum(rows.values()) + ranges
    growth = (made["peak_kib"] - made["peak_kib_before"]) - (plain["peak_kib"] - plain["peak_kib_before"])
    growth_in_all = made["peak_kib"] - plain["peak_kib"]
    bytes_each = taken["spool_bytes"] / records if records else 0.0
    print("made %d events (%d kernels, %d copies, %d ranges, %d launches of graphs)"
          % (expected, made["kernels"], made["copies"], made["ranges"], made["graph_launches"]))
    print("found %d of them, %d counted as lost; rows %s; health %s" % (found, lost, rows, health))
    print("seconds: %.3f plain, %.3f recorded" % (plain["seconds"], made["seconds"]))
    print("memory: %d KiB more than plain, %d of it in the storm itself" % (growth_in_all, growth))
    print("spool: %.1f bytes per record" % bytes_each)
    print("recorder: %.2f M records/s of processor time, ended %.1f s after the storm"
          % (records / max(taken["recorder_seconds"], 0.01) / 1e6, taken["recorder_behind_seconds"]))
    return [text for wrong, text in (
        (found + lost < expected, "%d events vanished uncounted" % (expected - found - lost)),
        (found > expected, "%d events too many" % (found - expected)),
        (growth_in_all > _MOST_GROWTH_KIB, "the process grew by %d KiB" % growth_in_all),
        (bytes_each > _MOST_SPOOL_BYTES, "a record took %.1f bytes" % bytes_each)) if wrong]


def main():
    options = parse()
    plain = run_plain(options)
    with tempfile.TemporaryDirectory() as temporary:
        trace = os.path.join(options.output or temporary, "storm.sqlite")
        made, taken = run_recorded(options, trace)
        problems = judge(made, plain, taken, trace)
    for each in problems:
        print("WRONG: " + each)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
