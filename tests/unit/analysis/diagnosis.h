// SPDX-License-Identifier: Apache-2.0
// What tacho says of a trace, in short, for the tests named cases_*: each is the shape of a case that users
// of profilers reported in public, with the diagnosis that turned out right. The number is that of the case,
// the link stands at the test.
#pragma once

#include "analyzer/report/analysis.h"
#include "tests/unit/trace_builder.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace tacho::test {

inline constexpr const char* kTensorGemm = "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN";
inline constexpr const char* kFp32Gemm = "ampere_sgemm_128x64_nn";
inline constexpr const char* kElementwise = "void at::native::vectorized_elementwise_kernel<4, F>(int)";
inline constexpr const char* kAllReduce =
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)";
inline constexpr const char* kLoaderNext = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";

class Diagnosis {
  public:
    explicit Diagnosis(TraceBuilder& builder) : m_trace(builder.build()), m_analysis(analyse(m_trace)) {}

    [[nodiscard]] const Analysis& analysis() const { return m_analysis; }
    [[nodiscard]] Limit limit() const { return m_analysis.verdict.limit; }
    [[nodiscard]] const std::string& text() const { return m_analysis.verdict.text; }
    [[nodiscard]] const DeviceActivity& device() const { return m_analysis.measurements.devices.front(); }

    /// Null: the rule is silent.
    [[nodiscard]] const Finding* finding(std::string_view rule) const {
        for (const Finding& each : m_analysis.findings)
            if (each.rule == rule)
                return &each;
        return nullptr;
    }

    /// In the verdict, a finding's title or its advice.
    [[nodiscard]] bool says(std::string_view words) const {
        return everything().find(words) != std::string::npos;
    }

    [[nodiscard]] std::string everything() const {
        std::string all = std::string(nameOf(limit())) + ": " + text() + "\n";
        for (const Finding& each : m_analysis.findings) {
            all += each.rule + ": " + each.title + "\n";
            for (const std::string& action : each.advice)
                all += "-> " + action + "\n";
        }
        return all;
    }

  private:
    Trace m_trace;
    Analysis m_analysis;
};

/// Kernels of one length, one after the other with the host ahead, so that the GPU is never idle in between.
inline void addLayers(TraceBuilder& builder, const std::string& kernel, DurationNs at, int count,
                      DurationNs each) {
    for (int i = 0; i < count; ++i)
        builder.kernel(kernel, at + i * each, each);
}

} // namespace tacho::test
