# SPDX-License-Identifier: Apache-2.0
"""Ratios between variants that were measured in turn.

A machine drifts: so a variant is compared with the other one of the same round, and the median of these ratios counts.
"""
import statistics


class Spread:
    """Median, least and greatest of some numbers."""

    def __init__(self, numbers):
        numbers = list(numbers)
        self.median = statistics.median(numbers)
        self.least, self.greatest = min(numbers), max(numbers)

    def text(self, form):
        return "%s (%s..%s)" % tuple(form % each for each in (self.median, self.least, self.greatest))


def step_ns(measurement):
    """Time of a step of one measured process: the median over its blocks."""
    return statistics.median(measurement["block_step_ns"])


def by_round(measurements, training, variant):
    """{round: time of a step}"""
    return {each["round"]: step_ns(each) for each in measurements
            if each["training"] == training and each["variant"] == variant}


def ratios(times, base):
    """Spread of the per-round ratios of two results of by_round(); None: no round has both."""
    both = [times[each] / base[each] for each in times if each in base]
    return Spread(both) if both else None


def added_ratios(times, base, plain):
    """Spread of (time added to plain) / (time that `base` adds to plain)."""
    rounds = [each for each in times if each in base and each in plain and base[each] != plain[each]]
    return Spread((times[each] - plain[each]) / (base[each] - plain[each]) for each in rounds) if rounds else None


def table(measurements):
    """Lines of text: for each training, a line per variant."""
    lines = []
    trainings = dict.fromkeys(each["training"] for each in measurements)
    for training in trainings:
        variants = dict.fromkeys(each["variant"] for each in measurements if each["training"] == training)
        times = {each: by_round(measurements, training, each) for each in variants}
        lines += ["", training, "%-22s %6s %26s %25s %25s %25s" %
                  ("variant", "rounds", "ms per step", "x plain", "x floor", "added, of torch.profiler")]
        lines += [_line(variant, times) for variant in variants]
    return lines


def _line(variant, times):
    own, none = times[variant], {}
    compared = (ratios(own, times.get("plain", none)), ratios(own, times.get("floor", none)),
                added_ratios(own, times.get("torch.profiler", none), times.get("plain", none)))
    texts = [each.text("%.3f") if each else "-" for each in compared]
    return "%-22s %6d %26s %25s %25s %25s" % (
        variant, len(own), Spread(each / 1e6 for each in own.values()).text("%.3f"), *texts)
