// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/nsys_tables.h"
#include "analyzer/import/tacho_tables.h"
#include "analyzer/model/plausible.h"

#include <fmt/format.h>

#include <map>

namespace tacho {

namespace {

JitKind jitKind(std::string_view operation) {
    if (operation == "compile")
        return JitKind::Compile;
    if (operation == "cache_load")
        return JitKind::CacheLoad;
    return operation == "cache_store" ? JitKind::CacheStore : JitKind::Unknown;
}

void readJit(SqliteFile& file) {
    SqliteRows rows(file.db(), "TACHO_JIT", {"start_ns", "end_ns", "global_pid", "device_id", "operation"});
    while (rows.next())
        if (const auto interval = file.interval(rows.integer(0), rows.integer(1)))
            file.trace().jitOperations.push_back({file.processOf(rows.integer(2)),
                                                  static_cast<std::int32_t>(rows.integer(3)),
                                                  jitKind(rows.text(4)), *interval});
}

void readModules(SqliteFile& file) {
    SqliteRows rows(file.db(), "TACHO_MODULES",
                    {"global_pid", "device_id", "architecture", "code_bytes", "time_ns"});
    while (rows.next())
        if (const auto time = file.time(rows.integer(4)))
            file.trace().modules.push_back(
                {file.processOf(rows.integer(0)), static_cast<std::int32_t>(rows.integer(1)),
                 static_cast<std::int32_t>(rows.integer(2)), plausibleBytes(rows.integer(3)), *time});
}

void readKernelCode(SqliteFile& file) {
    SqliteRows rows(file.db(), "TACHO_KERNEL_CODE", {"global_pid", "kernel", "tensor_types"});
    while (rows.next())
        file.trace().kernelCode.push_back({file.processOf(rows.integer(0)), file.string(rows.integer(1)),
                                           file.trace().strings.intern(rows.text(2))});
}

/// "sm_90", or what to call a GPU that the file does not describe.
std::string architectureOf(SqliteFile& file, ProcessIndex process, std::int32_t device) {
    const auto known = file.entities().devices().find({process, device});
    if (known == file.entities().devices().end() || file.entities().info(known->second).computeMajor == 0)
        return "the GPU";
    const Device& gpu = file.entities().info(known->second);
    return fmt::format("sm_{}{}", gpu.computeMajor, gpu.computeMinor);
}

} // namespace

void readMemoryEvents(SqliteFile& file) {
    constexpr std::int64_t kDeallocation = 1; // of ENUM_CUDA_DEV_MEM_EVENT_OPER
    constexpr auto kUnknown = static_cast<std::int64_t>(MemoryKind::Unknown);
    SqliteRows rows(file.db(), "CUDA_GPU_MEMORY_USAGE_EVENTS",
                    {"globalPid", "deviceId", "memKind", "memoryOperationType", "bytes", "start"});
    while (rows.next()) {
        const std::int64_t kind = rows.integer(2, kUnknown);
        const auto time = file.time(rows.integer(5));
        if (!time)
            continue;
        file.trace().memoryEvents.push_back(
            {file.processOf(rows.integer(0)), static_cast<std::int32_t>(rows.integer(1)),
             kind >= 0 && kind <= kUnknown ? static_cast<MemoryKind>(kind) : MemoryKind::Unknown,
             rows.integer(3) == kDeallocation, plausibleBytes(rows.integer(4)), *time});
    }
}

void readLoadedCode(SqliteFile& file) {
    readJit(file);
    readModules(file);
    readKernelCode(file);
}

void readFrameworkMemory(SqliteFile& file) {
    SqliteRows rows(
        file.db(), "TACHO_FRAMEWORK_MEMORY",
        {"global_pid", "device_id", "allocated_bytes", "reserved_bytes", "peak_allocated_bytes", "time_ns"});
    while (rows.next())
        if (const auto time = file.time(rows.integer(5)))
            file.trace().memorySamples.push_back(
                {file.processOf(rows.integer(0)), static_cast<std::int32_t>(rows.integer(1)),
                 plausibleBytes(rows.integer(2)), plausibleBytes(rows.integer(3)),
                 plausibleBytes(rows.integer(4)), *time});
}

void noteCompiledCode(SqliteFile& file) {
    struct Total {
        std::int64_t count = 0;
        DurationNs time{0};
    };
    constexpr DurationNs kNoticeable{1'000'000'000};
    std::map<std::pair<ProcessIndex, std::int32_t>, Total> totals;
    for (const auto& [key, process] : file.entities().processes())
        for (const JitOperation& jit : file.trace().jitOperations)
            if (jit.kind == JitKind::Compile && jit.process == process) {
                Total& total = totals[{process, jit.device}];
                ++total.count;
                total.time += jit.interval.length();
            }
    for (const auto& [where, total] : totals)
        file.note(
            total.time >= kNoticeable ? Severity::Warning : Severity::Info, "compiled_by_driver", total.count,
            fmt::format("the driver compiled {} modules for {:.1f} s: they hold no machine code for {}; "
                        "use a build that was made for it",
                        total.count, std::chrono::duration<double>(total.time).count(),
                        architectureOf(file, where.first, where.second)));
}

} // namespace tacho
