// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/impossible_durations.h"

#include "analyzer/model/trace_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace tacho {

namespace {

using namespace std::chrono_literals;
using Row = std::uint32_t;

constexpr DurationNs kHealthyOverlap = 100us; // seen on a B200: 74 overlaps, up to 3.7 us
constexpr DurationNs kLongEnough = 10ms;      // shorter ones hardly change a report
constexpr int kTimesTheMedian = 10;
constexpr std::size_t kFewestOfAName = 4;

DurationNs median(std::vector<DurationNs> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The longer of each two rows of a stream that run at once, where that is a contradiction.
std::vector<Row> contradictions(const GpuOps& ops) {
    std::vector<Row> rows;
    std::map<std::pair<DeviceIndex, std::uint32_t>, Row> lastOfStream;
    for (Row row = 0; row < ops.size(); ++row) {
        if (ops.inGraph[row] != 0)
            continue;
        const auto [at, isFirst] = lastOfStream.try_emplace({ops.device[row], ops.stream[row]}, row);
        if (isFirst)
            continue;
        const Row last = at->second;
        const bool isOneCall = ops.correlation[row] != 0 && ops.correlation[row] == ops.correlation[last];
        const bool isLastLonger = ops.interval(last).length() > ops.interval(row).length();
        const Row longer = isLastLonger ? last : row;
        const bool contradicts = ops.end[last] - ops.start[row] > kHealthyOverlap && !isOneCall &&
                                 ops.interval(longer).length() >= kLongEnough;
        if (contradicts)
            rows.push_back(longer);
        if (!contradicts || isLastLonger)
            at->second = row;
    }
    return rows;
}

/// Median lengths, worked out once for each name that is asked for.
class UsualLengths {
  public:
    UsualLengths(const GpuOps& ops, const std::vector<Row>& asked) {
        std::map<Kind, std::vector<DurationNs>> ofName;
        std::map<GpuOpKind, std::vector<DurationNs>> ofKind;
        for (const Row row : asked) {
            ofName[kindOf(ops, row)];
            ofKind[ops.kind[row]];
        }
        for (Row row = 0; row < ops.size(); ++row) {
            if (const auto at = ofName.find(kindOf(ops, row)); at != ofName.end())
                at->second.push_back(ops.interval(row).length());
            if (const auto at = ofKind.find(ops.kind[row]); at != ofKind.end())
                at->second.push_back(ops.interval(row).length());
        }
        for (const auto& [kind, lengths] : ofName)
            m_ofName[kind] = median(lengths.size() < kFewestOfAName ? ofKind[kind.first] : lengths);
    }
    [[nodiscard]] DurationNs of(const GpuOps& ops, Row row) const { return m_ofName.at(kindOf(ops, row)); }

  private:
    using Kind = std::pair<GpuOpKind, StringId>;
    static Kind kindOf(const GpuOps& ops, Row row) { return {ops.kind[row], ops.name[row]}; }
    std::map<Kind, DurationNs> m_ofName;
};

} // namespace

void setAsideImpossibleDurations(Trace& trace) {
    const GpuOps& ops = trace.gpuOps;
    std::vector<Row> impossible = contradictions(ops);
    if (impossible.empty())
        return;
    const UsualLengths usual(ops, impossible);
    std::erase_if(impossible,
                  [&](Row row) { return ops.interval(row).length() < kTimesTheMedian * usual.of(ops, row); });
    std::sort(impossible.begin(), impossible.end());
    impossible.erase(std::unique(impossible.begin(), impossible.end()), impossible.end());
    if (impossible.empty())
        return;
    DurationNs total{0};
    for (const Row row : impossible)
        total += ops.interval(row).length();
    trace.health.push_back(
        {Severity::DataLoss, "impossible_duration", static_cast<std::int64_t>(impossible.size()),
         fmt::format(
             "{} of {} kernels and copies, {:.1f} ms in all, run into later work of their own stream, "
             "which cannot be, and are far longer than their like; they were set aside",
             impossible.size(), ops.size(), static_cast<double>(total.count()) / 1e6)});
    removeRows(trace.gpuOps, impossible);
}

} // namespace tacho
