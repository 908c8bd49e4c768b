// SPDX-License-Identifier: Apache-2.0
// Other profilers, told by the names of the libraries that they put into a process. A list, no code: the
// recorder and `tacho doctor` read it too.
#pragma once

namespace tacho {

struct KnownProfiler {
    const char* library; ///< part of the file's name
    const char* name;
};

inline constexpr KnownProfiler kKnownProfilers[] = {
    {"libToolsInjection", "Nsight Systems"},
    {"libsanitizer-collection", "Compute Sanitizer"}, // before the next two: it loads the last one, too
    {"libcuda-injection", "Nsight Compute"},
    {"TreeLauncherTargetInjection", "Nsight Compute"},
    {"libcuinj64", "nvprof"},
    {"libaccinj64", "nvprof"},
    {"libhpcrun", "HPCToolkit"},
    {"libscorep", "Score-P"},
    {"libTAU", "TAU"},
    {"libkineto", "torch.profiler"},
};

/// Frameworks that bring a profiler with them: it may be the one that is active.
inline constexpr KnownProfiler kProfilersOfFrameworks[] = {
    {"libtorch_cpu", "torch.profiler"},
    {"xla_cuda_plugin", "jax.profiler"},
    {"libtensorflow", "TensorFlow's profiler"},
};

} // namespace tacho
