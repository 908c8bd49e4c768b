// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/summary_columns.h"

namespace tacho {

double percentOf(DurationNs part, DurationNs whole) {
    return whole.count() > 0 ? 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count())
                             : 0;
}

std::vector<Column> timeColumns(const std::string& countTitle) {
    return {{"Time", Unit::Percent},
            {"Total Time", Unit::Nanoseconds},
            {countTitle},
            {"Avg", Unit::Nanoseconds},
            {"Med", Unit::Nanoseconds, true},
            {"Min", Unit::Nanoseconds, true},
            {"Max", Unit::Nanoseconds, true},
            {"StdDev", Unit::Nanoseconds, true}};
}

std::vector<Cell> timeCells(const TimeSummary& summary, DurationNs whole) {
    return {percentOf(summary.total, whole),
            std::int64_t{summary.total.count()},
            summary.count,
            summary.mean,
            summary.median,
            std::int64_t{summary.min.count()},
            std::int64_t{summary.max.count()},
            summary.stddev};
}

DurationNs sumOfTotals(const std::vector<TimeSummary>& summaries) {
    DurationNs sum{0};
    for (const TimeSummary& summary : summaries)
        sum += summary.total;
    return sum;
}

} // namespace tacho
