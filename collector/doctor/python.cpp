// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/checks.h"

#include <fmt/format.h>

namespace tacho {

namespace {

constexpr char kLostWithoutHook[] = "training steps and facts of PyTorch; GPU activity is recorded";

} // namespace

Diagnoses checkPython(const std::string& python, const PythonProbe& probe) {
    if (!probe.problem.empty())
        return {{"python", Condition::Limited, probe.problem, kLostWithoutHook,
                 "name the Python of the training: --python PROGRAM"}};
    const std::string found = fmt::format("{} is Python {}", python, probe.version);
    if (!probe.loadsHook)
        return {{"python", Condition::Limited, found + ", and does not load the hook", kLostWithoutHook,
                 "use Python 3.6 or newer, without the options -I, -E and -S; see that share/tacho/python is "
                 "installed"}};
    if (probe.torch.empty())
        return {{"python", Condition::Ok, found + " without PyTorch", "", ""}};
    if (probe.torchCuda.empty())
        return {{"python", Condition::Limited,
                 fmt::format("{} with PyTorch {}, built without CUDA", found, probe.torch),
                 "GPU activity: this PyTorch uses no GPU", "install a PyTorch that is built for CUDA"}};
    const std::string own = probe.cupti.empty() ? "" : ", which brings " + probe.cupti;
    return {{"python", Condition::Ok,
             fmt::format("{} with PyTorch {} (CUDA {}){}", found, probe.torch, probe.torchCuda, own), "",
             ""}};
}

} // namespace tacho
