// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/occupancy_table.h"

#include "analyzer/metrics/occupancy.h"
#include "analyzer/report/summary_columns.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tacho {
namespace {

struct Launches {
    std::int64_t count = 0;
    DurationNs total{0};
};

std::vector<Cell> occupancyCells(const LaunchShape& shape, const Device& device) {
    const auto occupancy = theoreticalOccupancy(shape, device);
    if (!occupancy)
        return {std::string(), std::string(), std::string(), std::string()};
    return {100 * occupancy->share, occupancy->blocksPerSm, std::string(nameOf(occupancy->limit)),
            occupancy->waves};
}

} // namespace

Table occupancyTable(const Trace& trace) {
    const GpuOps& ops = trace.gpuOps;
    std::map<std::tuple<DeviceIndex, StringId, std::uint32_t>, Launches> launches;
    DurationNs whole{0};
    for (std::size_t row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] != GpuOpKind::Kernel)
            continue;
        Launches& own = launches[{ops.device[row], ops.name[row], ops.shape[row]}];
        ++own.count;
        own.total += ops.interval(row).length();
        whole += ops.interval(row).length();
    }
    Table table{"occupancy",
                "Kernels by launch, and how much of a multiprocessor they can fill",
                {{"Time", Unit::Percent},
                 {"Total Time", Unit::Nanoseconds},
                 {"Instances"},
                 {"Blocks", Unit::None, true},
                 {"Threads", Unit::None, true},
                 {"Registers", Unit::None, true},
                 {"Shared Memory (B)", Unit::None, true},
                 {"Occupancy", Unit::Percent},
                 {"Blocks/SM", Unit::None, true},
                 {"Limit"},
                 {"Waves"},
                 {"Name"}},
                {}};
    for (const auto& [key, own] : launches) {
        const auto& [device, name, shapeRow] = key;
        const LaunchShape shape = shapeRow == kNoRow ? LaunchShape() : trace.launchShapes[shapeRow];
        const auto product = [](const std::array<std::int32_t, 3>& sizes) {
            return sizes[0] < 0 ? Cell{std::string()} : Cell{std::int64_t{sizes[0]} * sizes[1] * sizes[2]};
        };
        const auto known = [](std::int64_t number) {
            return number < 0 ? Cell{std::string()} : Cell{number};
        };
        const std::int64_t shared =
            std::int64_t{shape.staticSharedMemoryBytes} + shape.dynamicSharedMemoryBytes;
        std::vector<Cell> cells = {percentOf(own.total, whole),
                                   std::int64_t{own.total.count()},
                                   own.count,
                                   product(shape.grid),
                                   product(shape.block),
                                   known(shape.registersPerThread),
                                   known(shape.staticSharedMemoryBytes < 0 ? -1 : shared)};
        for (Cell& cell : occupancyCells(shape, trace.devices[static_cast<std::size_t>(device)]))
            cells.push_back(std::move(cell));
        cells.emplace_back(std::string(trace.text(name)));
        table.rows.push_back(std::move(cells));
    }
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
        return std::get<std::int64_t>(a[1]) > std::get<std::int64_t>(b[1]);
    });
    return table;
}

} // namespace tacho
