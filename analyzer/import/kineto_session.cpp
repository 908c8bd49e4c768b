// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/kineto_session.h"

#include "analyzer/import/decimal_time.h"
#include "analyzer/model/error.h"
#include "analyzer/model/plausible.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tacho {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kNewestSchema = 1;
constexpr std::int64_t kWarpThreadsNvidia = 32;
constexpr std::string_view kWhatToGive = "give a trace written by torch.profiler's export_chrome_trace() or "
                                         "tensorboard_trace_handler()";

std::int64_t number(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(" \t") + 1);
    return text;
}

} // namespace

KinetoSession::KinetoSession(Trace& trace, const std::string& path)
    : m_trace(trace), m_entities(trace, path), m_process(m_entities.process(0, 0)) {}

bool KinetoSession::wants(std::string_view topLevelKey) {
    return topLevelKey == "schemaVersion" || topLevelKey == "deviceProperties" ||
           topLevelKey == "distributedInfo" || topLevelKey == "baseTimeNanoseconds" ||
           topLevelKey == "schema";
}

void KinetoSession::readTopLevel(const std::string& key, std::string_view value, const std::string& path) {
    if (key == "schema") { // the execution traces of PyTorch and Chakra: "1.1.1-chakra.0.0.4"
        if (value.find("chakra") != std::string_view::npos)
            throw Error(fmt::format(
                "{}: is an execution trace of PyTorch or Chakra, which has no times of the GPU; {}", path,
                kWhatToGive));
        return;
    }
    m_isKineto = true;
    if (key == "schemaVersion")
        m_schemaVersion = leadingInteger(value).value_or(0);
    if (m_schemaVersion > kNewestSchema)
        throw Error(
            fmt::format("{}: has version {} of the PyTorch profiler's format, and this tacho knows {}; use a "
                        "newer tacho",
                        path, m_schemaVersion, kNewestSchema));
    if (key == "baseTimeNanoseconds")
        m_baseTimeNs = leadingInteger(value).value_or(0);
    const Json json = Json::parse(value, nullptr, false);
    if (key == "deviceProperties" && json.is_array())
        readDeviceProperties(json);
    else if (key == "distributedInfo" && json.is_object())
        readDistributedInfo(json);
}

void KinetoSession::refuseForeign(std::string_view topLevelKey, const std::string& path) const {
    if (topLevelKey.substr(0, 11) == "rocprofiler")
        throw Error(fmt::format("{}: is a trace of ROCm's rocprofiler, which tacho does not read; {}", path,
                                kWhatToGive));
}

void KinetoSession::refuseList(char firstCharacter, const std::string& path) const {
    if (firstCharacter == '[')
        throw Error(
            fmt::format("{}: is a memory timeline of the PyTorch profiler, which has no times of the GPU; {}",
                        path, kWhatToGive));
    failNotKineto(path);
}

void KinetoSession::failNotKineto(const std::string& path) const {
    throw Error(
        fmt::format("{}: is JSON, but not a trace of the PyTorch profiler (it has no traceEvents of its "
                    "kind); {}",
                    path, kWhatToGive));
}

void KinetoSession::readDeviceProperties(const Json& list) {
    for (const Json& properties : list) {
        if (!properties.is_object())
            continue;
        Device device;
        device.id = static_cast<std::int32_t>(number(properties, "id"));
        const auto name = properties.find("name");
        if (name != properties.end() && name->is_string())
            device.name = trimmed(name->get<std::string>());
        device.memoryBytes = number(properties, "totalGlobalMem");
        device.smCount = static_cast<std::int32_t>(number(properties, "numSms"));
        device.computeMajor = static_cast<std::int32_t>(number(properties, "computeMajor"));
        device.computeMinor = static_cast<std::int32_t>(number(properties, "computeMinor"));
        const std::int64_t warpThreads = std::max(number(properties, "warpSize"), std::int64_t{1});
        device.maxWarpsPerSm =
            static_cast<std::int32_t>(number(properties, "maxThreadsPerMultiprocessor") / warpThreads);
        device.registersPerSm = number(properties, "regsPerMultiprocessor");
        device.sharedMemoryPerSmBytes = number(properties, "sharedMemPerMultiprocessor");
        if (warpThreads != kWarpThreadsNvidia) // AMD's version numbers are not CUDA compute capabilities
            device.computeMajor = device.computeMinor = 0;
        m_devices.insert_or_assign(device.id, device);
    }
}

void KinetoSession::readDistributedInfo(const Json& info) {
    Process& process = m_entities.info(m_process);
    if (info.contains("rank") && info["rank"].is_number_integer())
        process.rank = info["rank"].get<int>();
    if (info.contains("world_size") && info["world_size"].is_number_integer())
        process.worldSize = info["world_size"].get<int>();
    if (info.contains("backend") && info["backend"].is_string())
        process.facts["distributed_backend"] = info["backend"].get<std::string>();
}

void KinetoSession::readMetadata(const KinetoEvent& event) {
    if (event.name == "process_name")
        m_processNames[std::string(event.pid)] = event.metadataName;
    else if (event.name == "thread_name")
        m_threadNames[{std::string(event.pid), std::string(event.tid)}] = event.metadataName;
}

ThreadIndex KinetoSession::hostThread(const KinetoEvent& event) {
    if (m_hostPid.empty()) {
        m_hostPid = event.pid;
        m_entities.info(m_process).pid = leadingInteger(event.pid).value_or(0);
    }
    if (const auto tid = leadingInteger(event.tid))
        return m_entities.thread(m_process, *tid);
    auto known = m_namedTids.find(event.tid);
    if (known == m_namedTids.end()) // negative: no real thread has it
        known = m_namedTids.emplace(event.tid, -1 - static_cast<std::int64_t>(m_namedTids.size())).first;
    const ThreadIndex thread = m_entities.thread(m_process, known->second);
    const std::string& text = known->first; // in quotes
    m_entities.info(thread).name = text.size() > 2 ? text.substr(1, text.find('"', 1) - 1) : text;
    return thread;
}

DeviceIndex KinetoSession::device(const KinetoEvent& event) {
    const auto id = event.device ? event.device : leadingInteger(event.pid);
    return m_entities.device(m_process, static_cast<std::int32_t>(id.value_or(0)));
}

void KinetoSession::countUnused(std::string_view category) {
    if (category == "Trace" || category == "gpu_user_annotation") // they say nothing that other events do not
        return;
    auto known = m_unusedEvents.find(category);
    if (known == m_unusedEvents.end())
        known = m_unusedEvents.emplace(category, 0).first;
    ++known->second;
}

void KinetoSession::finish(const FileRows& rows, const std::string& path) {
    if (m_baseTimeNs > 0 && isPlausibleTime(m_baseTimeNs))
        rows.shift(m_trace, DurationNs{m_baseTimeNs});
    describeDevices(rows.haveGpuOps(m_trace));
    nameProcessAndThreads();
    noteUnusedEvents(path);
    if (rows.haveGpuOps(m_trace))
        return;
    m_trace.health.push_back(
        {Severity::Warning, "no_gpu_activity", 1,
         rows.haveApiCalls(m_trace)
             ? fmt::format("{}: has CUDA calls but no GPU work: the profiler was stopped before the work was "
                           "done, or "
                           "could not use CUPTI",
                           path)
             : fmt::format(
                   "{}: has no GPU work: the profiler ran without ProfilerActivity.CUDA, or no GPU was used",
                   path)});
}

void KinetoSession::describeDevices(bool hasGpuWork) {
    if (!hasGpuWork) // of a file without GPU work, all that it lists
        for (const auto& [id, properties] : m_devices)
            m_entities.device(m_process, id);
    for (const auto& [key, index] : m_entities.devices()) {
        const auto properties = m_devices.find(key.second);
        if (properties == m_devices.end())
            continue;
        Device& device = m_entities.info(index);
        device = properties->second;
        device.process = m_process;
    }
}

void KinetoSession::nameProcessAndThreads() {
    const auto name = m_processNames.find(m_hostPid);
    if (name != m_processNames.end())
        m_entities.info(m_process).name = name->second;
    for (const auto& [key, threadName] : m_threadNames) {
        const auto tid = leadingInteger(key.second);
        if (key.first != m_hostPid || !tid)
            continue;
        const auto thread = m_entities.threads().find({m_process, *tid});
        if (thread != m_entities.threads().end())
            m_entities.info(thread->second).name = threadName;
    }
}

void KinetoSession::noteUnusedEvents(const std::string& path) {
    std::int64_t total = 0;
    std::string categories;
    for (const auto& [category, count] : m_unusedEvents) {
        total += count;
        categories +=
            fmt::format("{}{}", categories.empty() ? "" : ", ", category.empty() ? "none" : category);
    }
    if (total > 0)
        m_trace.health.push_back(
            {Severity::Info, "unused_event", total,
             fmt::format("{}: {} events of kinds that tacho does not use ({})", path, total, categories)});
}

std::string KinetoSession::formatVersion() const {
    return m_schemaVersion > 0 ? fmt::format("kineto schema {}", m_schemaVersion) : "kineto";
}

} // namespace tacho
