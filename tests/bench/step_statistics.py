# SPDX-License-Identifier: Apache-2.0
"""Ratios between variants that were measured in turn.

A machine drifts by more than variants differ: so a variant is compared with the other one of the same round, and the
median of these ratios counts.
"""
import statistics


class Spread:
    """Median and quartiles of some numbers."""

    def __init__(self, numbers):
        numbers = list(numbers)
        self.count = len(numbers)
        self.median = statistics.median(numbers)
        self.lower, _, self.upper = (statistics.quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1
                                     else numbers * 3)

    def text(self, form="%.3f"):
        return "%s (%s..%s)" % tuple(form % each for each in (self.median, self.lower, self.upper))


def by_round(measurements, training, variant):
    """{(set, round): time of a step}"""
    return {(each["set"], each["round"]): each["step_ns"] for each in measurements
            if each["training"] == training and each["variant"] == variant}


def ratios(times, base):
    """Spread of the per-round ratios of two results of by_round(); None: no round has both."""
    both = [times[each] / base[each] for each in times if each in base]
    return Spread(both) if both else None


def added_ratio(times, base, plain):
    """Median time added to plain, divided by the median time that `base` adds to plain; None: not known."""
    rounds = [each for each in times if each in base and each in plain]
    if not rounds:
        return None
    of_base = statistics.median(base[each] - plain[each] for each in rounds)
    return statistics.median(times[each] - plain[each] for each in rounds) / of_base if of_base > 0 else None


def table(measurements):
    """Lines of text: for each training, a line per variant."""
    lines = []
    for training in dict.fromkeys(each["training"] for each in measurements):
        variants = sorted({each["variant"] for each in measurements if each["training"] == training})
        times = {each: by_round(measurements, training, each) for each in variants}
        lines += ["", training, "%-26s %6s %26s %23s %23s %10s" %
                  ("variant", "rounds", "ms per step", "x plain", "x floor", "of torch's")]
        lines += [_line(variant, times) for variant in variants]
    return lines


def _line(variant, times):
    own, none = times[variant], {}
    compared = [ratios(own, times.get(base, none)) for base in ("plain", "floor")]
    texts = [each.text() if each else "-" for each in compared]
    added = added_ratio(own, times.get("torch.profiler", none), times.get("plain", none))
    return "%-26s %6d %26s %23s %23s %10s" % (variant, len(own), Spread(each / 1e6 for each in own.values()).text(),
                                              *texts, "-" if added is None else "%.3f" % added)
