// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/nsys_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace tacho {

namespace {

std::string trimmed(std::string_view text) {
    return std::string(text.substr(0, text.find_last_not_of(" \t") + 1));
}

/// By TARGET_INFO_GPU.id. The rows are of the machine: they know no process.
std::map<std::int64_t, Device> readGpus(const Database& db) {
    std::map<std::int64_t, Device> gpus;
    SqliteRows rows(db, "TARGET_INFO_GPU",
                    {"id", "name", "chipName", "totalMemory", "smCount", "computeMajor", "computeMinor",
                     "maxWarpsPerSm", "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm", "cuDevice"});
    const auto number = [&rows](int column) { return static_cast<std::int32_t>(rows.integer(column)); };
    while (rows.next()) {
        Device gpu;
        gpu.id = static_cast<std::int32_t>(rows.integer(11, rows.integer(0)));
        gpu.name = trimmed(rows.text(1));
        gpu.chip = trimmed(rows.text(2));
        gpu.memoryBytes = rows.integer(3);
        gpu.smCount = number(4);
        gpu.computeMajor = number(5);
        gpu.computeMinor = number(6);
        gpu.maxWarpsPerSm = number(7);
        gpu.maxBlocksPerSm = number(8);
        gpu.registersPerSm = rows.integer(9);
        gpu.sharedMemoryPerSmBytes = rows.integer(10);
        gpus.emplace(rows.integer(0), gpu);
    }
    return gpus;
}

/// GPU id by pid and CUDA ordinal: CUDA_VISIBLE_DEVICES makes them differ.
std::map<std::pair<std::int64_t, std::int32_t>, std::int64_t> readOrdinals(const Database& db) {
    std::map<std::pair<std::int64_t, std::int32_t>, std::int64_t> gpuIds;
    SqliteRows rows(db, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"});
    while (rows.next())
        if (!rows.isNull(0))
            gpuIds[{rows.integer(2), static_cast<std::int32_t>(rows.integer(1))}] = rows.integer(0);
    return gpuIds;
}

void readDevices(SqliteFile& file) {
    const auto gpus = readGpus(file.db());
    const auto ordinals = readOrdinals(file.db());
    TraceEntities& entities = file.entities();
    if (entities.devices().empty()) {
        const ProcessIndex process =
            entities.processes().empty() ? entities.process(0, 0) : entities.processes().begin()->second;
        for (const auto& [id, gpu] : gpus)
            entities.device(process, gpu.id);
    }
    for (const auto& [key, index] : entities.devices()) {
        const auto ordinal = ordinals.find({entities.info(key.first).pid, key.second});
        auto gpu = gpus.end();
        if (ordinal != ordinals.end())
            gpu = gpus.find(ordinal->second);
        else
            gpu = std::find_if(gpus.begin(), gpus.end(),
                               [id = key.second](const auto& row) { return row.second.id == id; });
        if (gpu == gpus.end())
            continue;
        Device& device = entities.info(index);
        device = gpu->second;
        device.process = key.first;
        device.id = key.second;
    }
}

void readProcessNames(SqliteFile& file) {
    SqliteRows rows(file.db(), "PROCESSES", {"globalPid", "pid", "name"});
    while (rows.next()) { // all processes of the machine, not only ours
        const auto known = file.entities().processes().find(processKeyOf(rows.integer(0)));
        if (known == file.entities().processes().end())
            continue;
        Process& process = file.entities().info(known->second);
        process.name = rows.text(2);
        process.pid = rows.integer(1, process.pid);
    }
}

void readThreadNames(SqliteFile& file) {
    TraceEntities& entities = file.entities();
    SqliteRows rows(file.db(), "ThreadNames", {"nameId", "globalTid"});
    while (rows.next()) {
        const std::int64_t globalTid = rows.integer(1);
        const auto process = entities.processes().find(processKeyOf(globalTid));
        if (process == entities.processes().end())
            continue;
        const auto thread = entities.threads().find({process->second, tidOf(globalTid)});
        if (thread != entities.threads().end())
            entities.info(thread->second).name = file.trace().text(file.string(rows.integer(0)));
    }
}

} // namespace

void readMachine(SqliteFile& file) {
    readProcessNames(file);
    readThreadNames(file);
    readDevices(file);
}

void readDiagnostics(SqliteFile& file) {
    constexpr std::int64_t kWarning = 2; // of ENUM_DIAGNOSTIC_SEVERITY_LEVEL
    constexpr std::int64_t kError = 3;
    std::map<std::pair<std::int64_t, std::string>, std::int64_t> counts;
    SqliteRows rows(file.db(), "DIAGNOSTIC_EVENT", {"severity", "text"});
    while (rows.next())
        if (rows.integer(0) == kWarning || rows.integer(0) == kError)
            ++counts[{rows.integer(0), trimmed(rows.text(1))}];
    for (const auto& [event, count] : counts)
        file.note(event.first == kError ? Severity::Error : Severity::Warning, "nsys_diagnostic", count,
                  fmt::format("Nsight Systems said: {}", event.second));
}

} // namespace tacho
