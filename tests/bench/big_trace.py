#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a big trace of a small one: all its events again and again, one round after the other.

    big_trace.py small.sqlite big.sqlite --rounds 1000
    big_trace.py small.json.gz big.json --rounds 46

Times and correlation ids are shifted by round, durations of GPU work vary by up to 2 %. Prints what was made.
"""
import argparse
import gzip
import json
import random
import shutil
import sqlite3

_PAUSE_NS = 1_000_000  # between rounds
_SQLITE_TIMES = ("start", "end", "timestamp", "start_ns", "end_ns", "time_ns")
_SQLITE_REPEATED = ("CUPTI_ACTIVITY_KIND", "NVTX_EVENTS", "TACHO_STEPS", "TACHO_WINDOWS", "TACHO_CALIBRATION")


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("small")
    flags.add_argument("big")
    flags.add_argument("--rounds", type=int, required=True)
    options = flags.parse_args()
    make = repeat_sqlite if options.small.endswith(".sqlite") else repeat_kineto
    print("%d events" % make(options.small, options.big, options.rounds))


def repeat_sqlite(small, big, rounds):
    shutil.copyfile(small, big)
    db = sqlite3.connect(big)
    db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                     "CREATE TEMP TABLE rounds AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r "
                     "WHERE n < %d) SELECT n FROM r" % (rounds - 1))
    tables = {name: [row[1] for row in db.execute("PRAGMA table_info('%s')" % name)]
              for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    tables = {name: columns for name, columns in tables.items()
              if name.startswith(_SQLITE_REPEATED)}
    period = span_of(db, tables) + _PAUSE_NS
    correlations = max((db.execute("SELECT max(correlationId) FROM " + name).fetchone()[0] or 0
                        for name, columns in tables.items() if "correlationId" in columns), default=0) + 1
    events = 0
    for name, columns in tables.items():
        db.execute("INSERT INTO %s SELECT %s FROM rounds CROSS JOIN (SELECT * FROM %s)"
                   % (name, ", ".join(shifted(name, each, period, correlations, db) for each in columns), name))
        if name.startswith("CUPTI_ACTIVITY_KIND"):
            events += db.execute("SELECT count(*) FROM " + name).fetchone()[0]
    db.commit()
    return events


def span_of(db, tables):
    """From the first to the last time in the file."""
    first, last = [], []
    for name, columns in tables.items():
        for column in set(columns) & set(_SQLITE_TIMES):
            low, high = db.execute("SELECT min(%s), max(%s) FROM %s" % (column, column, name)).fetchone()
            first += [] if low is None else [low]
            last += [] if high is None else [high]
    return max(last) - min(first)


def shifted(table, column, period, correlations, db):
    if column in _SQLITE_TIMES:
        varies = column == "end" and table.endswith(("_KERNEL", "_MEMCPY"))
        return "%s + n * %d%s" % (column, period, " + abs(random()) % ((end - start) / 50 + 1)" if varies else "")
    if column == "correlationId":
        return "%s + n * %d" % (column, correlations)
    if column == "step_index":
        steps = db.execute("SELECT max(step_index) FROM %s" % table).fetchone()[0]
        return "%s + n * %d" % (column, (steps or 0) + 1)
    return column


def repeat_kineto(small, big, rounds):
    with (gzip.open if small.endswith(".gz") else open)(small, "rt") as file:
        whole = json.load(file)
    events = whole.pop("traceEvents")
    timed = [each for each in events if "ts" in each and each.get("ph") != "M"]
    untimed = [each for each in events if "ts" not in each or each.get("ph") == "M"]
    begin = min(float(each["ts"]) for each in timed)
    period = max(float(each["ts"]) + float(each.get("dur", 0)) for each in timed) - begin + _PAUSE_NS / 1000
    correlations = max((each.get("args", {}).get("correlation", 0) for each in timed), default=0) + 1
    count = 0
    with open(big, "w") as file:
        file.write(json.dumps(whole)[:-1] + ', "traceEvents": [\n')
        file.write(",\n".join(json.dumps(each) for each in untimed))
        separator = ",\n" if untimed else ""
        for number in range(rounds):
            for each in timed:
                file.write(separator + json.dumps(moved(each, number, period, correlations)))
                separator = ",\n"
                count += 1
        file.write("\n]}\n")
    return count


def moved(event, number, period, correlations):
    event = dict(event, ts=event["ts"] + round(number * period))
    args = event.get("args", {})
    if "correlation" in args:
        event["args"] = dict(args, correlation=args["correlation"] + number * correlations)
    if event.get("cat", "").lower() == "kernel":
        event["dur"] = event["dur"] * random.uniform(1, 1.02)
    if event.get("cat") in ("ac2g", "fwdbwd", "async_cpu_to_gpu"):
        event["id"] = event["id"] + number * correlations
    return event


if __name__ == "__main__":
    main()
