// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/nccl_calls.h"
#include "analyzer/import/nsys_tables.h"
#include "analyzer/import/range_domains.h"
#include "analyzer/model/trace_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace tacho {

namespace {

/// Values of ENUM_NSYS_EVENT_TYPE.
enum class NvtxType : std::int64_t {
    Mark = 34,
    PushPop = 59,
    StartEnd = 60,
    ImportedPushPop = 70,
    ImportedStartEnd = 71,
    DomainCreate = 75
};

bool isRange(NvtxType type) {
    return type == NvtxType::PushPop || type == NvtxType::StartEnd || type == NvtxType::ImportedPushPop ||
           type == NvtxType::ImportedStartEnd;
}

using DomainKey = std::pair<std::int64_t, std::int64_t>; ///< process key, domain id

/// The name of an NVTX event is inline, or a registered string.
StringId nvtxName(SqliteFile& file, const SqliteRows& rows, int text, int textId) {
    if (!rows.isNull(text))
        return file.trace().strings.intern(rows.text(text));
    return rows.isNull(textId) ? StringId{} : file.string(rows.integer(textId));
}

std::map<DomainKey, StringId> readDomains(SqliteFile& file) {
    std::map<DomainKey, StringId> domains;
    SqliteRows rows(file.db(), "NVTX_EVENTS", {"eventType", "globalTid", "domainId", "text", "textId"});
    while (rows.next())
        if (static_cast<NvtxType>(rows.integer(0)) == NvtxType::DomainCreate)
            domains[{processKeyOf(rows.integer(1)), rows.integer(2)}] = nvtxName(file, rows, 3, 4);
    return domains;
}

TimeNs lastEnd(const Trace& trace) {
    TimeNs last = TimeNs::min();
    for (const auto* column : {&trace.gpuOps.end, &trace.apiCalls.end, &trace.ranges.end})
        if (!column->empty())
            last = std::max(last, *std::max_element(column->begin(), column->end()));
    return last;
}

/// Ranges that were open when the capture ended last to the last thing that it has.
void closeOpenRanges(SqliteFile& file, const std::vector<std::size_t>& open) {
    if (open.empty())
        return;
    Ranges& ranges = file.trace().ranges;
    const TimeNs end = lastEnd(file.trace());
    for (const std::size_t row : open)
        ranges.end[row] = std::max(ranges.start[row], end);
    file.note(Severity::Info, "open_range", static_cast<std::int64_t>(open.size()),
              fmt::format("{}: {} ranges had not ended when the capture did; they are shown up to its end",
                          file.path(), open.size()));
}

SyncKind syncKind(std::int64_t value) {
    return value >= 0 && value <= static_cast<int>(SyncKind::Context) ? static_cast<SyncKind>(value)
                                                                      : SyncKind::Unknown;
}

OverheadKind overheadKind(std::int64_t value) {
    return value >= 0 && value <= static_cast<int>(OverheadKind::BufferRequest)
               ? static_cast<OverheadKind>(value)
               : OverheadKind::Unknown;
}

} // namespace

void readApiCalls(SqliteFile& file) {
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_RUNTIME",
                    {"start", "end", "globalTid", "correlationId", "nameId"});
    while (rows.next())
        if (const auto interval = file.interval(rows.integer(0), rows.integer(1)))
            append(file.trace().apiCalls,
                   {*interval, file.apiName(rows.integer(4)), file.threadOf(rows.integer(2)),
                    static_cast<std::uint32_t>(rows.integer(3))});
}

NcclCalls readNvtx(SqliteFile& file) {
    const auto domains = readDomains(file);
    SqliteRows rows(file.db(), "NVTX_EVENTS",
                    {"start", "end", "eventType", "globalTid", "domainId", "text", "textId", "binaryData"});
    NcclCalls ncclCalls;
    std::vector<std::size_t> open;
    while (rows.next()) {
        const auto type = static_cast<NvtxType>(rows.integer(2));
        const bool isMark = type == NvtxType::Mark;
        const auto interval =
            file.interval(rows.integer(0), isMark ? rows.integer(0) : rows.integer(1, rows.integer(0)));
        if (!interval || (!isMark && !isRange(type)))
            continue;
        if (!isMark && rows.isNull(1))
            open.push_back(file.trace().ranges.size());
        const auto domain = domains.find({processKeyOf(rows.integer(3)), rows.integer(4)});
        RangeRow row{*interval, nvtxName(file, rows, 5, 6),
                     domain == domains.end() ? StringId{} : domain->second, file.threadOf(rows.integer(3)),
                     isMark ? RangeKind::Mark : RangeKind::Nvtx};
        if (type == NvtxType::StartEnd)
            row.kind = RangeKind::NvtxStartEnd;
        else if (!isMark && row.domain != StringId{})
            row.kind = kindOfDomain(file.trace().text(row.domain));
        if (row.kind == RangeKind::Operator || row.kind == RangeKind::Annotation)
            row.domain = StringId{}; // the domain did no more than carry the kind
        if (row.domain != StringId{} && file.trace().text(row.domain) == kNcclDomain)
            ncclCalls.add(row.thread, file.trace().text(row.name), row.interval,
                          rows.isNull(7) ? std::string_view() : rows.text(7));
        append(file.trace().ranges, row);
    }
    closeOpenRanges(file, open);
    return ncclCalls;
}

void readSyncs(SqliteFile& file) {
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                    {"start", "end", "globalPid", "streamId", "correlationId", "syncType"});
    while (rows.next())
        if (const auto interval = file.interval(rows.integer(0), rows.integer(1)))
            append(file.trace().syncs, {*interval, syncKind(rows.integer(5)), file.processOf(rows.integer(2)),
                                        static_cast<std::uint32_t>(rows.integer(3, -1)),
                                        static_cast<std::uint32_t>(rows.integer(4))});
}

void readOverheads(SqliteFile& file) {
    SqliteRows rows(file.db(), "CUPTI_ACTIVITY_KIND_OVERHEAD", {"start", "end", "globalTid", "overheadType"});
    while (rows.next())
        if (const auto interval = file.interval(rows.integer(0), rows.integer(1)))
            append(file.trace().overheads, {*interval, overheadKind(rows.integer(3)),
                                            rows.isNull(2) ? kNoThread : file.threadOf(rows.integer(2))});
}

} // namespace tacho
