// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/collective_rows.h"

#include "analyzer/model/collective_kind.h"
#include "analyzer/model/plausible.h"
#include "analyzer/sqlite/insert.h"

#include <algorithm>
#include <array>

namespace tacho {
namespace {

constexpr std::array<std::string_view, 4> kSourceNames = {"kernel", "call", "nvtx", "annotation"};

CollectiveSource sourceOf(std::string_view name) {
    const auto* const found = std::find(kSourceNames.begin(), kSourceNames.end(), name);
    return found == kSourceNames.end() ? CollectiveSource::Annotation
                                       : static_cast<CollectiveSource>(found - kSourceNames.begin());
}

std::optional<std::int64_t> nullUnless(bool isThere, std::int64_t value) {
    return isThere ? std::optional(value) : std::nullopt;
}

} // namespace

void readCollectives(SqliteFile& file) {
    SqliteRows rows(file.db(), "TACHO_COLLECTIVES",
                    {"global_pid", "global_tid", "start_ns", "end_ns", "kind", "source", "correlation_id",
                     "ranks", "size_bytes", "group_name", "backend"});
    StringTable& strings = file.trace().strings;
    while (rows.next()) {
        const auto interval = file.interval(rows.integer(2), rows.integer(3));
        if (!interval)
            continue;
        Collective row;
        row.process = file.processOf(rows.integer(0));
        row.thread = rows.isNull(1) ? kNoThread : file.threadOf(rows.integer(1));
        row.interval = *interval;
        row.kind = collectiveKindOf(rows.text(4));
        row.source = sourceOf(rows.text(5));
        row.correlation = static_cast<std::uint32_t>(rows.integer(6));
        row.ranks = static_cast<std::int32_t>(rows.integer(7));
        row.bytes = rows.isNull(8) ? -1 : plausibleBytes(rows.integer(8));
        row.group = rows.isNull(9) ? StringId{} : strings.intern(rows.text(9));
        row.backend = rows.isNull(10) ? StringId{} : strings.intern(rows.text(10));
        file.trace().collectives.push_back(row);
    }
}

void writeCollectives(const Trace& trace, const GlobalIds& ids, const Database& db) {
    Insert insert(db, "TACHO_COLLECTIVES",
                  {"global_pid", "global_tid", "start_ns", "end_ns", "kind", "source", "correlation_id",
                   "ranks", "size_bytes", "group_name", "backend"});
    for (const Collective& row : trace.collectives) {
        const bool hasThread = row.thread != kNoThread;
        insert.row(ids.of(row.process), nullUnless(hasThread, hasThread ? ids.of(row.thread) : 0),
                   toNs(row.interval.start), toNs(row.interval.end), nameOf(row.kind),
                   kSourceNames[static_cast<std::size_t>(row.source)],
                   nullUnless(row.correlation != 0, row.correlation), nullUnless(row.ranks > 0, row.ranks),
                   nullUnless(row.bytes >= 0, row.bytes), trace.text(row.group), trace.text(row.backend));
    }
}

} // namespace tacho
