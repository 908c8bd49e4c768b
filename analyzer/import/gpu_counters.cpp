// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/gpu_counters.h"

#include "analyzer/sqlite/insert.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace tacho {

namespace {

/// The device of the first process that uses the GPU, by TARGET_INFO_GPU.id.
std::map<std::int64_t, DeviceIndex> devicesOfGpus(SqliteFile& file) {
    TraceEntities& entities = file.entities();
    std::map<std::pair<std::int64_t, std::int64_t>, DeviceIndex> byOrdinal; // pid, CUDA ordinal
    for (const auto& [key, device] : entities.devices())
        byOrdinal.try_emplace({entities.info(key.first).pid, key.second}, device);
    std::map<std::int64_t, DeviceIndex> devices;
    SqliteRows rows(file.db(), "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"});
    while (rows.next())
        if (const auto known = byOrdinal.find({rows.integer(2), rows.integer(1)});
            known != byOrdinal.end() && !rows.isNull(0))
            devices.try_emplace(rows.integer(0), known->second);
    return devices;
}

/// By type and metric id.
std::map<std::pair<std::int64_t, std::int64_t>, std::string> readNames(const Database& db) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> names;
    SqliteRows rows(db, "TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"});
    while (rows.next())
        names.try_emplace({rows.integer(0), rows.integer(1)}, rows.text(2));
    return names;
}

void sortByTime(CounterSeries& series) {
    if (std::is_sorted(series.time.begin(), series.time.end()))
        return;
    std::vector<std::size_t> order(series.time.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return series.time[a] < series.time[b]; });
    CounterSeries sorted{series.device, series.name, {}, {}};
    for (const std::size_t row : order) {
        sorted.time.push_back(series.time[row]);
        sorted.value.push_back(series.value[row]);
    }
    series = std::move(sorted);
}

} // namespace

void readCounters(SqliteFile& file) {
    constexpr std::int64_t kGpuMask = 0xff; // of a typeId; above are the ids of machine and metric set
    const auto devices = devicesOfGpus(file);
    const auto names = readNames(file.db());
    std::map<std::pair<DeviceIndex, std::string>, CounterSeries> all;
    SqliteRows rows(file.db(), "GPU_METRICS", {"timestamp", "typeId", "metricId", "value"});
    while (rows.next()) {
        const auto device = devices.find(rows.integer(1) & kGpuMask);
        const auto name = names.find({rows.integer(1), rows.integer(2)});
        const auto time = file.time(rows.integer(0));
        if (!time || device == devices.end() || name == names.end())
            continue;
        CounterSeries& series = all[{device->second, name->second}];
        series.time.push_back(*time);
        series.value.push_back(rows.real(3));
    }
    for (auto& [key, series] : all) {
        std::tie(series.device, series.name) = key;
        sortByTime(series);
        file.trace().counters.push_back(std::move(series));
    }
}

void writeCounters(const Trace& trace, const Database& db) {
    Insert names(db, "TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"});
    Insert values(db, "GPU_METRICS", {"timestamp", "typeId", "metricId", "value"});
    for (std::size_t id = 0; id < trace.counters.size(); ++id) {
        const CounterSeries& series = trace.counters[id];
        const auto gpu = static_cast<std::int64_t>(series.device);
        names.row(gpu, id, std::string_view(series.name));
        for (std::size_t row = 0; row < series.time.size(); ++row)
            values.row(toNs(series.time[row]), gpu, id, series.value[row]);
    }
}

} // namespace tacho
