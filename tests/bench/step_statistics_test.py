#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How measurements become ratios."""
import unittest

import step_statistics


def measured(variant, number, *block_step_ns, training="t"):
    return {"training": training, "variant": variant, "round": number, "block_step_ns": list(block_step_ns)}


class StatisticsTest(unittest.TestCase):
    def test_a_slow_block_does_not_change_the_time_of_a_step(self):
        self.assertEqual(step_statistics.step_ns(measured("plain", 0, 10, 11, 900)), 11)

    def test_variants_are_compared_within_their_round_so_that_drift_cancels(self):
        measurements = [measured("plain", 0, 100), measured("tacho", 0, 110),
                        measured("plain", 1, 200), measured("tacho", 1, 220)]
        spread = step_statistics.ratios(step_statistics.by_round(measurements, "t", "tacho"),
                                        step_statistics.by_round(measurements, "t", "plain"))
        self.assertAlmostEqual(spread.least, 1.1)
        self.assertAlmostEqual(spread.greatest, 1.1)

    def test_a_round_that_lacks_one_of_both_is_left_out(self):
        self.assertAlmostEqual(step_statistics.ratios({0: 110, 1: 500}, {0: 100}).greatest, 1.1)
        self.assertIsNone(step_statistics.ratios({0: 110}, {1: 100}))

    def test_added_time_is_compared_with_added_time(self):
        spread = step_statistics.added_ratios({0: 120}, {0: 180}, {0: 100})
        self.assertAlmostEqual(spread.median, 0.25)

    def test_the_table_has_a_line_per_variant_and_a_dash_where_nothing_can_be_compared(self):
        lines = step_statistics.table([measured("plain", 0, 1000000), measured("tacho", 0, 1500000)])
        self.assertEqual(len(lines), 5)
        self.assertIn("1.500 (1.500..1.500)", lines[-1])
        self.assertTrue(lines[-1].endswith("-"))


if __name__ == "__main__":
    unittest.main()
