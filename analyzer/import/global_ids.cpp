// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/global_ids.h"

#include <set>

namespace tacho {

namespace {

constexpr std::int64_t kLow24 = 0xffffff;
constexpr int kPidShift = 24;
constexpr int kVmShift = 48;

} // namespace

GlobalIds::GlobalIds(const Trace& trace) {
    std::set<std::int64_t> taken;
    for (const Process& process : trace.processes) {
        std::int64_t id = (process.pid & kLow24) << kPidShift;
        while (!taken.insert(id).second)
            id += std::int64_t{1} << kVmShift;
        m_processes.push_back(id);
    }
    for (const Thread& thread : trace.threads) {
        const std::int64_t process = of(thread.process);
        const bool fits = thread.tid > 0 && thread.tid <= kLow24; // with 0 it would be the id of the process
        std::int64_t id = process | (fits ? thread.tid : kLow24);
        for (std::int64_t free = kLow24; !taken.insert(id).second; --free)
            id = process | free;
        m_threads.push_back(id);
    }
}

} // namespace tacho
