// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/code_loading.h"

#include "analyzer/report/analysis.h"
#include "analyzer/report/json_report.h"
#include "analyzer/report/text_report.h"
#include "tests/unit/trace_builder.h"

#include <gmock/gmock.h>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

CodeLoading only(TraceBuilder& builder) {
    const auto rows = measureCodeLoading(builder.build());
    EXPECT_EQ(rows.size(), 1U);
    return rows.empty() ? CodeLoading{} : rows.front();
}

TEST(CodeLoading, TimeBelongsToTheCompilerThenToModulesThenToFunctions) {
    TraceBuilder builder = trace();
    builder.call(ApiKind::Module, "cuModuleLoadData", 10ms, 50ms)
        .overhead(OverheadKind::DriverCompiler, 20ms, 30ms)
        .jit(JitKind::Compile, 20ms, 30ms) // CUPTI tells it twice
        .overhead(OverheadKind::ModuleLoading, 55ms, 10ms)
        .overhead(OverheadKind::LazyFunctionLoading, 60ms, 15ms)
        .overhead(OverheadKind::BufferFlush, 200ms, 99ms);
    const CodeLoading loading = only(builder);
    EXPECT_EQ(loading.compiling, 30ms);
    EXPECT_EQ(loading.loadingModules, 25ms);
    EXPECT_EQ(loading.loadingFunctions, 10ms);
    EXPECT_EQ(loading.total, 65ms);
    EXPECT_EQ(loading.span.length(), 65ms);
    EXPECT_EQ(loading.compiledUnits, 1);
}

TEST(CodeLoading, ThreadsThatLoadAtOnceCountOnce) {
    TraceBuilder builder = trace();
    builder.jit(JitKind::Compile, 0ms, 10ms).jit(JitKind::Compile, 5ms, 10ms);
    const CodeLoading loading = only(builder);
    EXPECT_EQ(loading.total, 15ms);
    EXPECT_EQ(loading.compiledUnits, 2);
}

TEST(CodeLoading, WhatTheDriverHadInItsCacheIsLoadedNotCompiled) {
    TraceBuilder builder = trace();
    builder.jit(JitKind::CacheLoad, 0ms, 10ms);
    const CodeLoading loading = only(builder);
    EXPECT_EQ(loading.compiledUnits, 0);
    EXPECT_EQ(loading.cachedUnits, 1);
    EXPECT_EQ(loading.loadingModules, 10ms);
}

TEST(CodeLoading, BelongsToItsProcess) {
    TraceBuilder builder = trace();
    builder.process(0, 2).process(1, 2).jit(JitKind::Compile, 0ms, 10ms);
    const auto rows = measureCodeLoading(builder.build());
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].process, ProcessIndex{1});
}

TEST(CodeLoading, IsALineOfTheReportIfItTookHalfASecond) {
    TraceBuilder builder = trace();
    builder.jit(JitKind::Compile, 0s, 1s).kernel("k", 2s, 5s);
    const Trace slow = builder.build();
    EXPECT_THAT(
        textReport(slow, analyse(slow)),
        HasSubstr("start-up  1.00 s to get GPU code: 1.00 s in the driver's compiler (1 module without "
                  "code for\n          sm_90)"));
    EXPECT_THAT(jsonReport(slow, analyse(slow)), HasSubstr("\"compile_ns\": 1000000000"));
    TraceBuilder quick = trace();
    quick.jit(JitKind::Compile, 0s, 100ms).kernel("k", 2s, 5s);
    const Trace fast = quick.build();
    EXPECT_THAT(textReport(fast, analyse(fast)), Not(HasSubstr("start-up")));
}

} // namespace
} // namespace tacho
