// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/process_table.h"

#include "analyzer/sqlite/insert.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tacho {

namespace {

std::optional<std::int64_t> number(const RecordedProcess& process, const std::string& fact) {
    const auto found = process.facts.find(fact);
    if (found == process.facts.end())
        return std::nullopt;
    const std::string& text = found->second;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

std::optional<std::string_view> nullIfEmpty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

RecordedProcess merged(const std::vector<RecordedProcess>& images) {
    RecordedProcess process = images.back();
    process.startNs = images.front().startNs;
    for (auto earlier = images.rbegin(); earlier != images.rend(); ++earlier) {
        if (process.commandLine.empty())
            process.commandLine = earlier->commandLine;
        if (process.name.empty())
            process.name = earlier->name;
        process.facts.insert(earlier->facts.begin(), earlier->facts.end());
    }
    return process;
}

} // namespace

void ProcessTable::add(RecordedProcess process) {
    std::vector<RecordedProcess>& images = m_images[process.pid];
    const auto later = std::ranges::upper_bound(images, process.startNs, {}, &RecordedProcess::startNs);
    images.insert(later, std::move(process));
}

void ProcessTable::write(const Database& db) const {
    Insert process(db, "TACHO_PROCESSES",
                   {"global_pid", "parent_pid", "command_line", "start_ns", "end_ns", "rank", "local_rank",
                    "world_size"});
    Insert compatible(db, "PROCESSES", {"globalPid", "pid", "name"});
    Insert framework(db, "TACHO_FRAMEWORK", {"global_pid", "name", "value"});
    for (const auto& [pid, images] : m_images) {
        const RecordedProcess it = merged(images);
        const std::int64_t globalPid = globalThreadId(pid);
        process.row(globalPid, it.parentPid, nullIfEmpty(it.commandLine), it.startNs, it.endNs,
                    number(it, "rank"), number(it, "local_rank"), number(it, "world_size"));
        compatible.row(globalPid, pid, nullIfEmpty(it.name));
        for (const auto& [name, value] : it.facts)
            framework.row(globalPid, name, value);
    }
}

std::optional<std::string> ProcessTable::fact(const std::string& name) const {
    for (const auto& [pid, images] : m_images)
        for (const RecordedProcess& process : images)
            if (const auto found = process.facts.find(name); found != process.facts.end())
                return found->second;
    return std::nullopt;
}

} // namespace tacho
