#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How measurements become ratios."""
import unittest

import step_statistics


def measured(variant, number, step_ns, training="t"):
    return {"training": training, "variant": variant, "set": 0, "round": number, "step_ns": step_ns}


class StatisticsTest(unittest.TestCase):
    def test_variants_are_compared_within_their_round_so_that_drift_cancels(self):
        measurements = [measured("plain", 0, 100), measured("tacho", 0, 110),
                        measured("plain", 1, 200), measured("tacho", 1, 220)]
        spread = step_statistics.ratios(step_statistics.by_round(measurements, "t", "tacho"),
                                        step_statistics.by_round(measurements, "t", "plain"))
        self.assertAlmostEqual(spread.lower, 1.1)
        self.assertAlmostEqual(spread.upper, 1.1)

    def test_one_disturbed_round_does_not_change_the_ratio(self):
        spread = step_statistics.ratios({0: 110, 1: 110, 2: 900}, {0: 100, 1: 100, 2: 100})
        self.assertAlmostEqual(spread.median, 1.1)

    def test_a_round_that_lacks_one_of_both_is_left_out(self):
        self.assertEqual(step_statistics.ratios({0: 110, 1: 500}, {0: 100}).count, 1)
        self.assertIsNone(step_statistics.ratios({0: 110}, {1: 100}))

    def test_added_time_is_compared_with_added_time(self):
        self.assertAlmostEqual(step_statistics.added_ratio({0: 120}, {0: 180}, {0: 100}), 0.25)
        self.assertIsNone(step_statistics.added_ratio({0: 120}, {0: 100}, {0: 100}))

    def test_the_table_has_a_line_per_variant_and_a_dash_where_nothing_can_be_compared(self):
        lines = step_statistics.table([measured("plain", 0, 1000000), measured("tacho", 0, 1500000)])
        self.assertEqual(len(lines), 5)
        self.assertIn("1.500 (1.500..1.500)", lines[-1])
        self.assertTrue(lines[-1].endswith("-"))


if __name__ == "__main__":
    unittest.main()
