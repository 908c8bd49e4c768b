// SPDX-License-Identifier: Apache-2.0
// Kernels that only bring tensors from one memory layout into the other: NCHW and NHWC.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/quantity_text.h"
#include "analyzer/rules/training_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tacho {
namespace {

/// cuDNN's and TensorFlow's names of such kernels.
bool isLayoutConversion(std::string_view name) {
    constexpr std::array<std::string_view, 5> kMarks = {"nchwToNhwc", "nhwcToNchw", "nchw2nhwc", "nhwc2nchw",
                                                        "SwapDimension1And2InTensor3"};
    return std::any_of(kMarks.begin(), kMarks.end(),
                       [&](std::string_view mark) { return name.find(mark) != std::string_view::npos; });
}

/// In the windows; by the index of Measurements::devices.
struct Conversions {
    std::vector<IntervalSet> times;
    std::int64_t count = 0;
};

Conversions findConversions(const Trace& trace, const Measurements& measurements) {
    std::vector<bool> isConversion(trace.strings.size());
    for (std::size_t id = 0; id < isConversion.size(); ++id)
        isConversion[id] = isLayoutConversion(trace.strings.text(static_cast<StringId>(id)));
    Conversions found{std::vector<IntervalSet>(measurements.devices.size())};
    std::vector<std::size_t> indexOf(trace.devices.size());
    for (std::size_t i = 0; i < measurements.devices.size(); ++i)
        indexOf[static_cast<std::size_t>(measurements.devices[i].whole.device)] = i;
    const GpuOps& ops = trace.gpuOps;
    for (std::size_t row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] != GpuOpKind::Kernel || !isConversion[static_cast<std::size_t>(ops.name[row])])
            continue;
        const std::size_t device = indexOf[static_cast<std::size_t>(ops.device[row])];
        const Interval inside = clip(ops.interval(row), measurements.devices[device].window);
        if (inside.length().count() == 0)
            continue;
        found.times[device].append(inside);
        ++found.count;
    }
    return found;
}

} // namespace

std::optional<Finding> checkLayoutConversions(const Trace& trace, const Measurements& measurements) {
    const Conversions found = findConversions(trace, measurements);
    const auto timeOf = [&](const DeviceActivity& activity) {
        return found.times[static_cast<std::size_t>(&activity - measurements.devices.data())].totalLength();
    };
    auto finding = makeFinding("layout_conversions", shareOfWindows(measurements, timeOf));
    if (!finding)
        return std::nullopt;
    finding->title =
        fmt::format("{} between NCHW and NHWC take {} of the time",
                    countText(found.count, "layout conversion"), percentText(finding->atMost.share));
    finding->evidence.emplace_back("conversions", found.count);
    finding->where = found.times.front().longest();
    if (factsOf(trace, measurements.devices.front()).isOn("model.channels_last"))
        finding->advice = {
            "channels_last is on, and yet tensors are converted: look for operations without a "
            "kernel for it, and for .contiguous() or view() that bring the other layout back."};
    else
        finding->advice = {
            "Keep one layout: model.to(memory_format=torch.channels_last), and the same for its input (TF, "
            "JAX: NHWC). Compare: where operations without a kernel for it lie between, it can lose."};
    return finding;
}

} // namespace tacho
