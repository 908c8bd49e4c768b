// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/probes.h"

#include "collector/inject/cupti_names.h"
#include "collector/inject/spool_format.h"
#include "collector/inject/symbol.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <iterator>

namespace tacho {

namespace {

// Of cuda.h and cupti.h, which are not there where tacho is built without CUDA. Handles and results are ints.
constexpr int kSuccess = 0;

std::string loaderProblem() {
    const char* const text = dlerror();
    return text ? text : "unknown error of the loader";
}

void* openCupti(const Machine& machine, std::string& problem) {
    const std::string chosen = machine.variable(spool::kCuptiVariable);
    if (!chosen.empty()) {
        void* const library = dlopen(chosen.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (!library)
            problem = "TACHO_CUPTI names no usable library: " + loaderProblem();
        return library;
    }
    std::vector<std::string> files(std::begin(kCuptiNames), std::end(kCuptiNames));
    const std::string home = machine.variable("CUDA_HOME");
    for (const char* name : kCuptiNames) {
        for (const char* folder : kCuptiFolders)
            files.push_back(fmt::format("{}/{}", folder, name));
        if (!home.empty())
            files.push_back(fmt::format("{}/{}/{}", home, kCuptiOfCudaHome, name));
    }
    for (const std::string& file : files)
        if (void* library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL))
            return library;
    problem = "no CUPTI library is installed";
    return nullptr;
}

} // namespace

DriverProbe probeDriver() {
    DriverProbe probe;
    unsetenv("CUDA_INJECTION64_PATH"); // the driver would load that tool into this process
    void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    int (*getVersion)(int*) = nullptr;
    int (*init)(unsigned) = nullptr;
    int (*getCount)(int*) = nullptr;
    int (*getDevice)(int*, int) = nullptr;
    int (*getName)(char*, int, int) = nullptr;
    if (!library) {
        probe.problem = loaderProblem();
        return probe;
    }
    if (!look(library, "cuDriverGetVersion", getVersion) || !look(library, "cuInit", init) ||
        !look(library, "cuDeviceGetCount", getCount) || !look(library, "cuDeviceGet", getDevice) ||
        !look(library, "cuDeviceGetName", getName)) {
        probe.problem = "libcuda.so.1 lacks functions of the CUDA driver";
        return probe;
    }
    getVersion(&probe.cudaVersion);
    int count = 0;
    if (const int error = init(0); error != kSuccess)
        probe.problem = fmt::format("the CUDA driver does not start (cuInit returns error {})", error);
    else if (getCount(&count) != kSuccess)
        count = 0;
    for (int i = 0, device = 0; i < count; ++i) {
        char name[256] = "unknown GPU";
        if (getDevice(&device, i) == kSuccess)
            getName(name, sizeof name, device);
        probe.gpus.emplace_back(name);
    }
    return probe;
}

CuptiProbe probeCupti(const Machine& machine) {
    CuptiProbe probe;
    void* const library = openCupti(machine, probe.problem);
    int (*getVersion)(std::uint32_t*) = nullptr;
    if (!library)
        return probe;
    if (!look(library, "cuptiGetVersion", getVersion) || getVersion(&probe.version) != kSuccess)
        probe.problem = "the library does not tell a version: it is not CUPTI";
    Dl_info info{};
    if (getVersion && dladdr(reinterpret_cast<const void*>(getVersion), &info) != 0)
        probe.file = info.dli_fname;
    return probe;
}

std::string probeLibrary(const std::filesystem::path& library) {
    // It does nothing in a process that is not told to record.
    void* const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!handle)
        return loaderProblem();
    for (const char* name : {"InitializeInjection", "InitializeInjectionNvtx2"})
        if (!dlsym(handle, name))
            return fmt::format("{} has no {}", library.string(), name);
    return {};
}

} // namespace tacho
