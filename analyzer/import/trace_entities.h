// SPDX-License-Identifier: Apache-2.0
// The processes, threads, devices and launch shapes of one file, found or added as its rows name them.
#pragma once

#include "analyzer/model/trace.h"

#include <map>
#include <string>
#include <unordered_map>

namespace tacho {

/// Borrows the trace, which must outlive it. Two files never share an entity: process 1 of two containers is
/// two processes.
class TraceEntities {
  public:
    TraceEntities(Trace& trace, std::string file) : m_trace(&trace), m_file(std::move(file)) {}

    /// `key` tells processes of the file apart (pids alone do not, if it covers several machines).
    ProcessIndex process(std::int64_t key, std::int64_t pid);
    ThreadIndex thread(ProcessIndex process, std::int64_t tid);
    DeviceIndex device(ProcessIndex process, std::int32_t id);
    std::uint32_t shape(const LaunchShape& shape);

    [[nodiscard]] Process& info(ProcessIndex process) {
        return m_trace->processes[static_cast<std::size_t>(process)];
    }
    [[nodiscard]] Thread& info(ThreadIndex thread) {
        return m_trace->threads[static_cast<std::size_t>(thread)];
    }
    [[nodiscard]] Device& info(DeviceIndex device) {
        return m_trace->devices[static_cast<std::size_t>(device)];
    }

    /// By key, of this file only.
    [[nodiscard]] const std::map<std::int64_t, ProcessIndex>& processes() const { return m_processes; }
    [[nodiscard]] const std::map<std::pair<ProcessIndex, std::int64_t>, ThreadIndex>& threads() const {
        return m_threads;
    }
    [[nodiscard]] const std::map<std::pair<ProcessIndex, std::int32_t>, DeviceIndex>& devices() const {
        return m_devices;
    }

  private:
    Trace* m_trace;
    std::string m_file;
    std::map<std::int64_t, ProcessIndex> m_processes;
    std::map<std::pair<ProcessIndex, std::int64_t>, ThreadIndex> m_threads;
    std::map<std::pair<ProcessIndex, std::int32_t>, DeviceIndex> m_devices;
    std::map<LaunchShape, std::uint32_t> m_shapes;
};

} // namespace tacho
