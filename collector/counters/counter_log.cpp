// SPDX-License-Identifier: Apache-2.0
#include "collector/counters/counter_log.h"

#include "collector/inject/spool_header.h"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace tacho {

CounterLog::~CounterLog() {
    flush();
    if (m_file >= 0)
        close(m_file);
}

template <class R>
void CounterLog::append(spool::RecordType type, R fixed, std::string_view text) {
    if (m_file < 0)
        begin();
    const std::size_t bytes = spool::paddedBytes(sizeof fixed, text.size());
    fixed.header = {static_cast<std::uint16_t>(type), static_cast<std::uint16_t>(bytes)};
    const std::size_t end = m_pending.size() + bytes;
    m_pending.append(reinterpret_cast<const char*>(&fixed), sizeof fixed).append(text);
    m_pending.resize(end);
}

void CounterLog::begin() {
    if (m_isGivenUp)
        return;
    m_file = open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    m_isGivenUp = m_file < 0;
    const spool::FileHeader header = newSpoolHeader();
    m_pending.append(reinterpret_cast<const char*>(&header), sizeof header);
}

std::uint32_t CounterLog::idOf(std::string_view text) {
    const auto known = m_ids.find(text);
    if (known != m_ids.end())
        return known->second;
    const auto id = static_cast<std::uint32_t>(m_ids.size() + 1);
    m_ids.emplace(text, id);
    text = text.substr(0, spool::kMaxText);
    spool::StringRecord record{};
    record.id = id;
    record.textBytes = static_cast<std::uint32_t>(text.size());
    append(spool::RecordType::String, record, text);
    return id;
}

void CounterLog::add(std::uint32_t gpu, std::uint32_t counter, std::int64_t timeNs, double value) {
    spool::CounterValue record{};
    record.gpu = gpu;
    record.counter = counter;
    record.timeNs = static_cast<std::uint64_t>(timeNs);
    record.value = value;
    append(spool::RecordType::CounterValue, record);
}

void CounterLog::addProblem(spool::Severity severity, std::string_view code, std::string_view message) {
    if (!m_problems.emplace(code).second)
        return;
    message = message.substr(0, spool::kMaxText);
    spool::Health record{};
    record.severity = static_cast<std::uint32_t>(severity);
    record.count = 1;
    record.codeBytes = static_cast<std::uint16_t>(code.size());
    record.messageBytes = static_cast<std::uint16_t>(message.size());
    append(spool::RecordType::Health, record, std::string(code).append(message));
}

void CounterLog::flush() {
    std::string_view left = m_pending;
    while (!m_isGivenUp && !left.empty()) {
        const ssize_t written = write(m_file, left.data(), left.size());
        m_isGivenUp = written <= 0; // what follows a torn record could not be read
        left.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    m_pending.clear();
}

} // namespace tacho
