#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the GPU operations per step in a tacho file, as torch_profiler_reference.py does in its own trace.

    tacho_capture_counts.py FILE --steps A:B [--nvtx RANGE] [--counts counts.json]

With --nvtx the steps are the ranges of that name, the first one being step 0.
"""
import argparse
import sqlite3
import sys

from step_counts import StepCounts, parse_steps

_TABLES = {"kernel": "CUPTI_ACTIVITY_KIND_KERNEL", "memcpy": "CUPTI_ACTIVITY_KIND_MEMCPY",
           "memset": "CUPTI_ACTIVITY_KIND_MEMSET"}


def hook_step_ends(database, first, last):
    """(process, ends of the steps first-1..last-1) of the process with most steps."""
    row = database.execute("SELECT global_pid FROM TACHO_STEPS GROUP BY global_pid ORDER BY COUNT(*) DESC").fetchone()
    if row is None:
        sys.exit("no steps in the file: did the hook run?")
    ends = dict(database.execute("SELECT step_index, end_ns FROM TACHO_STEPS WHERE global_pid = ?", row))
    return row[0], [ends[step] for step in range(first - 1, last)]


def nvtx_step_ends(database, name, first, last):
    rows = database.execute(
        "SELECT (globalTid >> 24) << 24, end FROM NVTX_EVENTS LEFT JOIN StringIds ON textId = id "
        "WHERE eventType = 59 AND COALESCE(text, value) = ? ORDER BY start", (name,)).fetchall()
    if len(rows) < last:
        sys.exit("only %d ranges %r in the file" % (len(rows), name))
    return rows[0][0], [end for _, end in rows[first - 1:last]]


def count(path, steps, nvtx=None):
    first, last = steps
    database = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    process, ends = (nvtx_step_ends(database, nvtx, first, last) if nvtx
                     else hook_step_ends(database, first, last))
    counts = StepCounts(first, ends)
    launches = dict(database.execute(
        "SELECT correlationId, start FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE (globalTid >> 24) << 24 = ?", (process,)))
    for kind, table in _TABLES.items():
        name = "(SELECT value FROM StringIds WHERE id = demangledName)" if kind == "kernel" else "''"
        for correlation, duration, text in database.execute(
                "SELECT correlationId, end - start, %s FROM %s WHERE globalPid = ?" % (name, table), (process,)):
            counts.add(kind, text, launches.get(correlation), duration)
    return counts


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("file")
    flags.add_argument("--steps", type=parse_steps, required=True)
    flags.add_argument("--nvtx")
    flags.add_argument("--counts")
    options = flags.parse_args()
    counts = count(options.file, options.steps, options.nvtx)
    if options.counts:
        counts.write(options.counts)
    counts.print()


if __name__ == "__main__":
    main()
