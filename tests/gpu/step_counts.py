# SPDX-License-Identifier: Apache-2.0
"""GPU operations per training step: how many, how long, by class and by kernel name.

An operation belongs to the step in which the host launched it. Step k lasts from the end of step k-1 to its own end.
"""
import bisect
import collections
import json

CLASSES = ("kernel", "memcpy", "memset")


class StepCounts:
    """Operations of the steps first..last-1. `ends` are times of the ends of steps first-1..last-1."""

    def __init__(self, first, ends):
        self.first = first
        self.ends = ends
        self.steps = [{each: [0, 0] for each in CLASSES} for _ in range(len(ends) - 1)]
        self.kernels = collections.Counter()
        self.outside = 0   # launched before or after these steps
        self.orphans = 0   # no launch known

    def add(self, kind, name, launch, duration_ns):
        """`launch` in the unit of `ends`; None: not known."""
        if launch is None:
            self.orphans += 1
            return
        index = bisect.bisect_left(self.ends, launch) - 1
        if not 0 <= index < len(self.steps):
            self.outside += 1
            return
        counted = self.steps[index][kind]
        counted[0] += 1
        counted[1] += duration_ns
        if kind == "kernel":
            self.kernels[name] += 1

    def write(self, path):
        with open(path, "w") as file:
            json.dump({"first": self.first, "steps": self.steps, "kernels": self.kernels, "outside": self.outside,
                       "orphans": self.orphans}, file, indent=1)

    def print(self):
        print("%6s" % "step" + "".join("%10s %14s" % (each, "ns") for each in CLASSES))
        for number, step in enumerate(self.steps, self.first):
            print("%6d" % number + "".join("%10d %14d" % tuple(step[each]) for each in CLASSES))
        print("outside of these steps: %d, without a launch: %d" % (self.outside, self.orphans))


def parse_steps(text):
    """"A:B" as two numbers."""
    first, last = text.split(":")
    return int(first), int(last)
