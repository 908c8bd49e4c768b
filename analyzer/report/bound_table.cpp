// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/bound_table.h"

#include "analyzer/metrics/kernel_bounds.h"

namespace tacho {

Table boundTable(const Trace& trace) {
    Table table{
        "bounds",
        "Kernels and what limits them, by GPU counters sampled while they ran alone",
        {{"Device"}, {"Samples"}, {"DRAM", Unit::Percent}, {"Tensor", Unit::Percent}, {"Bound"}, {"Name"}},
        {}};
    for (const SampledKernel& kernel : sampledKernels(trace))
        table.rows.push_back({std::int64_t{trace.devices[static_cast<std::size_t>(kernel.device)].id},
                              kernel.samples, kernel.dram, kernel.tensor, std::string(nameOf(kernel.bound())),
                              std::string(trace.text(kernel.name))});
    return table;
}

} // namespace tacho
