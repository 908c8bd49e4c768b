// SPDX-License-Identifier: Apache-2.0
// The numbers of each device of real traces, against arithmetic written independently of this program.
#include "analyzer/import/open_trace.h"
#include "analyzer/import/save_trace.h"
#include "analyzer/metrics/device_breakdown.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tacho {
namespace {

using Json = nlohmann::json;

const std::filesystem::path kData = TACHO_SOURCE_DIR "/../shared/data";

Json toJson(const Trace& trace, const DeviceBreakdown& row) {
    return {{"device", trace.devices[static_cast<std::size_t>(row.device)].id},
            {"events", row.events},
            {"span_ns", row.span.count()},
            {"busy_ns", row.busy.count()},
            {"idle_ns", row.idle.count()},
            {"compute_ns", row.compute.count()},
            {"communication_ns", row.communication.count()},
            {"communication_exposed_ns", row.communicationExposed.count()},
            {"memory_ns", row.memory.count()},
            {"h2d_ns", row.h2d.count()},
            {"d2h_ns", row.d2h.count()},
            {"h2d_bytes", row.h2dBytes},
            {"d2h_bytes", row.d2hBytes},
            {"pageable_copies", row.pageableCopies}};
}

/// Times within 0.1 % or 2 us, whichever is larger; counts and bytes exactly.
bool agrees(const std::string& key, double actual, double expected) {
    const bool isTime = key.size() > 3 && key.compare(key.size() - 3, 3, "_ns") == 0;
    return std::abs(actual - expected) <= (isTime ? std::max(2000.0, 0.001 * std::abs(expected)) : 0.0);
}

TEST(PublicTraces, DeviceNumbersEqualThoseOfIndependentArithmetic) {
    std::ifstream file(kData / "expected/devices.json");
    if (!file)
        GTEST_SKIP() << kData << " is not here";
    const Json expected = Json::parse(file);
    EXPECT_FALSE(expected.empty());
    for (const auto& [name, expectedRows] : expected.items()) {
        SCOPED_TRACE(name);
        const Trace trace = openTrace({(kData / name).string()});
        const auto rows = breakDownDevices(trace);
        EXPECT_EQ(rows.size(), expectedRows.size());
        for (std::size_t i = 0; i < std::min(rows.size(), expectedRows.size()); ++i) {
            const Json actual = toJson(trace, rows[i]);
            for (const auto& [key, value] : expectedRows[i].items())
                EXPECT_TRUE(actual.contains(key) && agrees(key, actual[key], value))
                    << key << ": " << actual[key] << " instead of " << value;
        }
    }
}

TEST(PublicTraces, KeepTheirDeviceNumbersWhenSavedAndLoaded) {
    std::ifstream file(kData / "expected/devices.json");
    if (!file)
        GTEST_SKIP() << kData << " is not here";
    const Json expected = Json::parse(file);
    const test::TemporaryFolder folder;
    const std::filesystem::path saved = folder / "saved.sqlite";
    for (const auto& [name, rows] : expected.items()) {
        SCOPED_TRACE(name);
        const Trace trace = openTrace({(kData / name).string()});
        saveTrace(trace, saved.string());
        const Trace loaded = openTrace({saved.string()});
        const auto original = breakDownDevices(trace);
        const auto again = breakDownDevices(loaded);
        ASSERT_EQ(again.size(), original.size());
        for (std::size_t i = 0; i < again.size(); ++i)
            EXPECT_EQ(toJson(loaded, again[i]), toJson(trace, original[i]));
    }
}

} // namespace
} // namespace tacho
