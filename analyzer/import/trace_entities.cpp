// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/trace_entities.h"

namespace tacho {

ProcessIndex TraceEntities::process(std::int64_t key, std::int64_t pid) {
    const auto [known, isNew] =
        m_processes.try_emplace(key, static_cast<ProcessIndex>(m_trace->processes.size()));
    if (isNew) {
        Process& process = m_trace->processes.emplace_back();
        process.pid = pid;
        process.file = m_file;
    }
    return known->second;
}

ThreadIndex TraceEntities::thread(ProcessIndex process, std::int64_t tid) {
    const auto [known, isNew] =
        m_threads.try_emplace({process, tid}, static_cast<ThreadIndex>(m_trace->threads.size()));
    if (isNew)
        m_trace->threads.push_back({process, tid, {}});
    return known->second;
}

DeviceIndex TraceEntities::device(ProcessIndex process, std::int32_t id) {
    const auto [known, isNew] =
        m_devices.try_emplace({process, id}, static_cast<DeviceIndex>(m_trace->devices.size()));
    if (isNew) {
        Device& device = m_trace->devices.emplace_back();
        device.process = process;
        device.id = id;
    }
    return known->second;
}

std::uint32_t TraceEntities::shape(const LaunchShape& shape) {
    const auto [known, isNew] =
        m_shapes.try_emplace(shape, static_cast<std::uint32_t>(m_trace->launchShapes.size()));
    if (isNew)
        m_trace->launchShapes.push_back(shape);
    return known->second;
}

} // namespace tacho
