// SPDX-License-Identifier: Apache-2.0
// What a PyTorch profiler trace says beside its events: process, threads, devices, rank, clock.
#pragma once

#include "analyzer/import/file_rows.h"
#include "analyzer/import/kineto_event.h"
#include "analyzer/import/trace_entities.h"

#include <map>
#include <nlohmann/json_fwd.hpp>

namespace tacho {

/// Of one file, which is one process. Top-level keys may come before or after the events.
class KinetoSession {
  public:
    KinetoSession(Trace& trace, const std::string& path);

    [[nodiscard]] static bool wants(std::string_view topLevelKey);
    void readTopLevel(const std::string& key, std::string_view value, const std::string& path);
    /// Throws Error if the key shows that the file is of another program.
    void refuseForeign(std::string_view topLevelKey, const std::string& path) const;
    /// The root is a list of something else than objects.
    [[noreturn]] void refuseList(char firstCharacter, const std::string& path) const;
    [[noreturn]] void failNotKineto(const std::string& path) const;
    /// Whether a top-level key was seen that only the PyTorch profiler writes.
    [[nodiscard]] bool isKineto() const { return m_isKineto; }

    void readMetadata(const KinetoEvent& event);
    [[nodiscard]] ProcessIndex process() const { return m_process; }
    /// Of an event on the host.
    ThreadIndex hostThread(const KinetoEvent& event);
    /// Of an event on a GPU.
    DeviceIndex device(const KinetoEvent& event);
    std::uint32_t shape(const LaunchShape& shape) { return m_entities.shape(shape); }
    void countUnused(std::string_view category);

    /// After the last event: puts rows on the absolute clock, names threads and devices, adds health notes.
    void finish(const FileRows& rows, const std::string& path);
    [[nodiscard]] std::string formatVersion() const;

  private:
    void readDeviceProperties(const nlohmann::json& list);
    void readDistributedInfo(const nlohmann::json& info);
    void describeDevices(bool hasGpuWork);
    void nameProcessAndThreads();
    void noteUnusedEvents(const std::string& path);

    Trace& m_trace;
    TraceEntities m_entities;
    ProcessIndex m_process;
    bool m_isKineto = false;
    std::int64_t m_schemaVersion = 0, m_baseTimeNs = 0;
    std::string m_hostPid; ///< as spelt, of the first host event
    std::map<std::int32_t, Device> m_devices;
    std::map<std::string, std::int64_t, std::less<>> m_namedTids; ///< threads known by a text, not a number
    std::map<std::string, std::string> m_processNames;            ///< by pid as spelt
    std::map<std::pair<std::string, std::string>, std::string> m_threadNames;
    std::map<std::string, std::int64_t, std::less<>> m_unusedEvents;
};

} // namespace tacho
