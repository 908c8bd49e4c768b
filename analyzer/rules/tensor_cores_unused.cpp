// SPDX-License-Identifier: Apache-2.0
// Matrix work on ordinary cores of a GPU that has tensor cores.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/quantity_text.h"
#include "analyzer/rules/training_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacho {
namespace {

/// Where tensor cores do most of the matrix work already, the rest is what cannot be moved.
constexpr double kLeastMovableShare = 0.2;
constexpr double kHostIsTheLimit = 0.3;

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Files without device properties: kernels compiled for Ampere or later run on nothing older.
bool runsKernelsOfAmpere(const Trace& trace, const DeviceActivity& activity) {
    return std::any_of(activity.kernels.begin(), activity.kernels.end(), [&](const KernelTotal& kernel) {
        const std::string_view name = trace.text(kernel.name);
        return name.starts_with("sm80_") || name.starts_with("sm90_") || name.starts_with("ampere_") ||
               name.starts_with("nvjet_");
    });
}

/// Compute capability of the device as major * 10 + minor; 0: it has no tensor cores, or nothing is known.
/// TU116 and TU117 (GTX 16xx) are 7.5 but have none.
int tensorCapability(const Trace& trace, const DeviceActivity& activity) {
    const Device& device = trace.devices[static_cast<std::size_t>(activity.whole.device)];
    if (contains(device.name, "AMD") || contains(device.name, "Radeon") || contains(device.name, "Instinct"))
        return 0;
    if (device.computeMajor == 0)
        return runsKernelsOfAmpere(trace, activity) ? 80 : 0;
    if (contains(device.chip, "TU116") || contains(device.chip, "TU117") || contains(device.name, "GTX 16"))
        return 0;
    return device.computeMajor >= 7 ? device.computeMajor * 10 + device.computeMinor : 0;
}

struct Situation {
    int capability = 0; ///< see tensorCapability()
    double hostIdleShare = 0;
    Framework framework = Framework::Unknown;
    TrainingFacts facts;
};

/// "" if TF32 is on already.
std::string tf32Advice(const Situation& situation) {
    if (situation.framework == Framework::Other)
        return "TF32 (same launches): cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH); it rounds "
               "inputs to "
               "10 bits of mantissa.";
    std::string lines;
    if (!situation.facts.isOn("matmul.allow_tf32"))
        lines = "torch.set_float32_matmul_precision(\"high\")";
    if (!situation.facts.isOn("cudnn.allow_tf32"))
        lines += std::string(lines.empty() ? "" : " and ") + "torch.backends.cudnn.allow_tf32 = True";
    return lines.empty()
               ? ""
               : fmt::format("TF32 (no new launches): {}; it rounds inputs to 10 bits of mantissa.", lines);
}

std::string ampAdvice(const Situation& situation) {
    if (situation.facts.isOn("autocast.seen"))
        return "Autocast is on, and these kernels ran in float32 outside of it: widen its region to them.";
    if (situation.framework == Framework::Other)
        return "16-bit inputs with float32 sums: cublasGemmEx with CUDA_R_16F, from Ampere on CUDA_R_16BF.";
    if (situation.capability < 80)
        return "AMP: torch.autocast(\"cuda\", torch.float16) with GradScaler; this GPU has no TF32.";
    return "AMP with bfloat16 is faster still per kernel and halves memory traffic, but adds cast kernels.";
}

std::vector<std::string> adviceFor(const Situation& situation) {
    std::vector<std::string> advice;
    const std::string tf32 = situation.capability >= 80 ? tf32Advice(situation) : "";
    if (situation.hostIdleShare > kHostIsTheLimit)
        advice.push_back("Feed the GPU first: it waits for the host, and faster kernels would wait longer." +
                         std::string(tf32.empty() ? "" : " Then TF32, which adds no launches as AMP does."));
    if (!tf32.empty())
        advice.push_back(tf32);
    else if (situation.capability >= 80)
        advice.push_back(
            "TF32 is on, and these kernels do not use it: look for sizes that are no multiple of 4, "
            "and for kernels that are not of cuBLAS or cuDNN.");
    advice.push_back(ampAdvice(situation));
    if (situation.capability < 80)
        advice.push_back("Sizes that are multiples of 8 fill the tensor cores best.");
    return advice;
}

void listKernels(const Trace& trace, const DeviceActivity& activity, Finding& finding) {
    for (const KernelTotal& kernel : activity.kernels) {
        if (!TensorGrammar::builtIn().classify(trace.text(kernel.name)).couldUseTensorCores())
            continue;
        finding.evidence.emplace_back("top_kernel", std::string(trace.text(kernel.name)));
        for (std::size_t row = 0; row < trace.gpuOps.size() && finding.rows.size() < kMostRows; ++row)
            if (trace.gpuOps.name[row] == kernel.name && trace.gpuOps.device[row] == activity.whole.device)
                finding.rows.push_back(static_cast<std::uint32_t>(row));
        if (!finding.rows.empty())
            finding.where = trace.gpuOps.interval(finding.rows.front());
        return;
    }
}

} // namespace

std::optional<Finding> checkTensorCoresUnused(const Trace& trace, const Measurements& measurements) {
    const auto movable = [&](const DeviceActivity& activity) {
        return tensorCapability(trace, activity) > 0 ? activity.tensor.movable : DurationNs{0};
    };
    auto finding = makeFinding("tensor_cores_unused", shareOfWindows(measurements, movable));
    if (!finding)
        return std::nullopt;
    const double tensor =
        shareOfWindows(measurements, [](const DeviceActivity& a) { return a.tensor.tensor; }).share;
    if (finding->atMost.share < kLeastMovableShare * (finding->atMost.share + tensor))
        return std::nullopt;
    const double hostIdle = shareOfWindows(measurements, [](const DeviceActivity& a) {
                                return a.idle.length(IdleCause::HostLaunch);
                            }).share;
    const auto device =
        std::max_element(measurements.devices.begin(), measurements.devices.end(),
                         [&](const auto& a, const auto& b) { return movable(a) < movable(b); });
    const int capability = tensorCapability(trace, *device);
    finding->title =
        fmt::format("Matrix work fills {} of the time without tensor cores (tensor-core kernels: {})",
                    percentText(finding->atMost.share), percentText(tensor));
    finding->evidence.insert(
        finding->evidence.end(),
        {{"tensor_ns", std::int64_t{device->tensor.tensor.count()}},
         {"unknown_ns", std::int64_t{device->tensor.unknown.count()}},
         {"compute_capability", fmt::format("{}.{}", capability / 10, capability % 10)}});
    finding->advice = adviceFor({capability, hostIdle, frameworkOf(trace, *device), factsOf(trace, *device)});
    listKernels(trace, *device, *finding);
    return finding;
}

} // namespace tacho
