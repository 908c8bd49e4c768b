// SPDX-License-Identifier: Apache-2.0
// What the kernels of a device cost, by tensor-core class and by name.
#pragma once

#include "analyzer/metrics/intervals.h"
#include "analyzer/metrics/tensor_grammar.h"
#include "analyzer/model/trace.h"

#include <span>
#include <vector>

namespace tacho {

/// Facts about each distinct kernel name of a trace, so that names are judged once.
struct KernelKind {
    TensorUse use;
    bool isCommunication = false;
    bool isFromCode = false; ///< the class was told by the machine code, not by the name
};

/// By names, and by the machine code where it was read: see settledBy(). Indexed by StringId.
[[nodiscard]] std::vector<KernelKind> judgeKernelNames(const Trace& trace);

/// When a device ran kernels. `rows`: its work, see DeviceRows.
[[nodiscard]] IntervalSet kernelTime(const GpuOps& ops, std::span<const std::uint32_t> rows);

/// Lengths of unions over the compute kernels of one device, whose rows are given (see DeviceRows). The three
/// classes may overlap in time.
struct TensorTime {
    DurationNs tensor{0}, notTensor{0}, unknown{0};
    DurationNs movable{0}; ///< part of notTensor that TensorUse::couldUseTensorCores()
};
[[nodiscard]] TensorTime measureTensorTime(const Trace& trace, const std::vector<KernelKind>& kinds,
                                           std::span<const std::uint32_t> rows, Interval window);

/// One line of a list of top kernels: all launches of a name on one device that start in the window.
struct KernelTotal {
    StringId name{};
    std::int64_t count = 0;
    DurationNs total{0}, median{0};
};
/// Sorted by total, largest first.
[[nodiscard]] std::vector<KernelTotal> totalByKernel(const Trace& trace, std::span<const std::uint32_t> rows,
                                                     Interval window);

} // namespace tacho
