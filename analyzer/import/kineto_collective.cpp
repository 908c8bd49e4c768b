// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/kineto_collective.h"

#include "analyzer/model/collective_kind.h"
#include "analyzer/model/plausible.h"

#include <algorithm>
#include <fmt/format.h>

namespace tacho {
namespace {

/// The larger of what goes in and what comes out is the whole. -1: not told.
std::int64_t namedBytes(const KinetoCollective& told) {
    const std::int64_t elements = std::max(told.inElements.value_or(-1), told.outElements.value_or(-1));
    const std::int64_t each = elementBytes(told.elementType);
    return elements < 0 || elements > kMostBytes / 16 || each == 0 ? -1 : elements * each;
}

/// A range has only what goes in, which of a gather is the part of one rank.
std::int64_t inputBytes(const KinetoCollective& told, CollectiveKind kind) {
    const bool isPart = kind == CollectiveKind::AllGather || kind == CollectiveKind::Gather;
    return told.inputBytes == 0 || isPart ? -1 : told.inputBytes;
}

StringId groupOf(const KinetoCollective& told, StringTable& strings) {
    if (told.group.empty() || told.groupDescription.empty() || told.groupDescription == "undefined")
        return strings.intern(told.group);
    return strings.intern(fmt::format("{} ({})", told.group, told.groupDescription));
}

} // namespace

std::optional<Collective> collectiveOf(const KinetoEvent& event, Interval interval, ProcessIndex process,
                                       StringTable& strings) {
    const KinetoCollective& told = event.collective;
    const KinetoCategory category = categoryOf(event.category);
    Collective row;
    row.process = process;
    row.interval = interval;
    row.ranks = static_cast<std::int32_t>(std::clamp<std::int64_t>(told.ranks.value_or(0), 0, 1 << 30));
    row.group = groupOf(told, strings);
    if (category == KinetoCategory::Annotation) {
        row.source = CollectiveSource::Annotation;
        row.kind = collectiveKindOf(event.name);
        row.bytes = inputBytes(told, row.kind);
        row.backend = strings.intern(event.name.substr(0, event.name.find(':')));
        const bool isOfGpu = event.name.starts_with("nccl:");
        return row.kind == CollectiveKind::Unknown || (isOfGpu && row.bytes < 0) ? std::nullopt
                                                                                 : std::optional(row);
    }
    row.source = category == KinetoCategory::Kernel ? CollectiveSource::Kernel : CollectiveSource::Call;
    row.kind = collectiveKindOf(told.name);
    row.bytes = namedBytes(told);
    row.backend = strings.intern("nccl");
    if (category == KinetoCategory::Kernel)
        row.correlation = static_cast<std::uint32_t>(event.correlation.value_or(0));
    return row.kind == CollectiveKind::Unknown ? std::nullopt : std::optional(row);
}

} // namespace tacho
