// SPDX-License-Identifier: Apache-2.0
// The same capture as exports of Nsight Systems of 2021 to 2026 lay it out reads the same.
#include "analyzer/import/open_trace.h"
#include "analyzer/sqlite/sqlite.h"
#include "tests/unit/import/temp_files.h"

#include <fmt/format.h>

namespace tacho {
namespace {

/// One generation: what is before, between and after the columns that all have.
struct Generation {
    const char* name;
    const char* metaTable; ///< "" none
    const char* version;
    const char* afterContext;   ///< columns inserted after contextId: positions shift
    const char* afterShortName; ///< of kernels
    const char* kernelEnd;      ///< of kernels
    const char* copyEnd;        ///< of copies
    const char* nvtxTable;
    const char* nvtxEnd;
};
constexpr const char* kOldMeta = "EXPORT_META_DATA";
constexpr const char* kNewMeta = "META_DATA_EXPORT";
constexpr const char* kGreen = ", greenContextId INTEGER";
constexpr const char* kMangled = ", mangledName INTEGER";
constexpr Generation kGenerations[] = {
    {"of2021", "", "", "", "", "", "", "NVTX_EVENTS", ""},
    {"of2022_2_9_1", kOldMeta, "2.9.1", "", kMangled, "", ", virtualAddress INTEGER", "NVTX_EVENTS",
     ", jsonTextId INTEGER, jsonText TEXT"},
    {"of2022_3_0_0", kOldMeta, "3.0.0", "", kMangled, "", ", virtualAddress INTEGER", "NVTX_EVENTS",
     ", jsonTextId INTEGER, jsonText TEXT"},
    {"of2024_3_13_2", kNewMeta, "3.13.2", kGreen, kMangled, "", ", virtualAddress INTEGER", "NVTX_EVENTS",
     ", jsonTextId INTEGER, jsonText TEXT"},
    {"of2026_3_24_14", kNewMeta, "3.24.14", kGreen, kMangled, ", graphId INTEGER, clusterX INTEGER",
     ", virtualAddress INTEGER, copyCount INTEGER", "NVTX_EVENTS", ", jsonTextId INTEGER, jsonText TEXT"},
    {"of2026_3_25_0", kNewMeta, "3.25.0", kGreen, kMangled,
     ", graphId INTEGER, clusterX INTEGER, tensorSizeMinusOneElements TEXT DEFAULT ''",
     ", virtualAddress INTEGER, copyCount INTEGER", "NVTX_EVENTS",
     ", jsonTextId INTEGER, jsonText TEXT, binaryData TEXT"},
    {"withNumberedTables", kNewMeta, "3.28.1", kGreen, kMangled, "", "", "NVTX_EVENTS_V3", ""},
};

std::string capture(const Generation& of) {
    std::string sql;
    if (*of.metaTable)
        sql = fmt::format("CREATE TABLE {0} (name TEXT, value TEXT);"
                          "INSERT INTO {0} VALUES ('EXPORT_SCHEMA_VERSION', '{1}');",
                          of.metaTable, of.version);
    sql += "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
           "INSERT INTO StringIds VALUES (1, 'gemm<float>'), (2, 'gemm'), (3, 'cudaLaunchKernel_v7000'),"
           "(4, 'cudaMemcpyAsync_v3020'), (5, 'step');";
    sql += fmt::format(
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "
        "contextId INTEGER{}, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, "
        "demangledName INTEGER, shortName INTEGER{}, gridX INTEGER, gridY INTEGER, gridZ INTEGER, "
        "blockX INTEGER, blockY INTEGER, blockZ INTEGER{});",
        of.afterContext, of.afterShortName, of.kernelEnd);
    sql +=
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, "
        "globalPid, demangledName, shortName, gridX, gridY, gridZ, blockX, blockY, blockZ) "
        "VALUES (10, 20, 0, 1, 7, 5, 16777216, 1, 2, 4, 1, 1, 32, 1, 1);";
    sql +=
        fmt::format("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, "
                    "contextId INTEGER{}, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes "
                    "INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER{});",
                    of.afterContext, of.copyEnd);
    sql +=
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, correlationId, "
        "globalPid, bytes, copyKind, srcKind, dstKind) VALUES (30, 40, 0, 1, 8, 6, 16777216, 100, 1, 1, 2);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid "
        "INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (5, 8, 0, 16777217, 5, 3, 0), (25, 28, 0, 16777217, "
        "6, "
        "4, 0);";
    sql +=
        fmt::format("CREATE TABLE {0} (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid "
                    "INTEGER, textId INTEGER, domainId INTEGER{1});"
                    "INSERT INTO {0} (start, end, eventType, text, globalTid, textId, domainId) VALUES "
                    "(0, 50, 59, NULL, 16777217, 5, 0), (60, NULL, 34, 'mark', 16777217, NULL, 0);",
                    of.nvtxTable, of.nvtxEnd);
    return sql;
}

class SchemaGeneration : public TempFiles, public testing::WithParamInterface<Generation> {};

TEST_P(SchemaGeneration, ReadsTheSame) {
    Database(path("x.sqlite"), Database::Mode::Create).execute(capture(GetParam()));
    const Trace trace = openTrace({path("x.sqlite")});
    ASSERT_EQ(trace.gpuOps.size(), 2U);
    EXPECT_EQ(trace.gpuOps.interval(0), (Interval{timeFromNs(10), timeFromNs(20)}));
    EXPECT_EQ(trace.text(trace.gpuOps.name[0]), "gemm<float>");
    EXPECT_EQ(trace.gpuOps.stream, (std::vector<std::uint32_t>{7, 8}));
    EXPECT_EQ(trace.gpuOps.launch, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(trace.launchShapes.at(trace.gpuOps.shape[0]).grid, (std::array<std::int32_t, 3>{4, 1, 1}));
    EXPECT_EQ(trace.gpuOps.copyKind[1], CopyKind::HostToDevice);
    EXPECT_EQ(trace.gpuOps.srcKind[1], MemoryKind::Pinned);
    EXPECT_EQ(trace.gpuOps.sizeBytes[1], 100);
    EXPECT_EQ(trace.text(trace.apiCalls.name.at(0)), "cudaLaunchKernel");
    EXPECT_EQ(trace.apiCalls.kind.at(1), ApiKind::Copy);
    ASSERT_EQ(trace.ranges.size(), 2U);
    EXPECT_EQ(trace.text(trace.ranges.name[0]), "step");
    EXPECT_EQ(trace.ranges.kind[1], RangeKind::Mark);
    EXPECT_EQ(trace.processes.size(), 1U);
    EXPECT_EQ(trace.source, Source::Nsys);
    EXPECT_NE(trace.formatVersion.find(GetParam().version), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Nsight, SchemaGeneration, testing::ValuesIn(kGenerations),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace tacho
