// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/kernel_code_log.h"

#include <map>
#include <string>
#include <unordered_set>

namespace tacho {
namespace {

constexpr std::uint32_t kNoTensorItself = spool::NoTensor | spool::CallsOut;

// By bit of CodeUse; share/schema.sql says what they mean.
constexpr std::string_view kNames[] = {"none", "unknown", "other", "fp64", "tf32",
                                       "fp16", "bf16",    "fp8",   "fp4",  "int8"};

std::string namesOf(std::uint32_t uses) {
    std::string names;
    for (std::size_t bit = 0; bit < std::size(kNames); ++bit)
        if ((uses >> bit & 1) != 0)
            names.append(names.empty() ? "" : ",").append(kNames[bit]);
    return names;
}

} // namespace

void KernelCodeLog::addFunctions(std::uint32_t moduleId, std::span<const spool::FunctionCode> functions) {
    for (const spool::FunctionCode& function : functions)
        m_functions.push_back({function.nameHash, moduleId, function.uses});
}

void KernelCodeLog::addKernel(std::string_view mangled, std::int64_t nameId) {
    m_kernels.try_emplace(spool::functionNameHash(mangled.data(), mangled.size()), nameId);
}

// Code that a kernel calls lies in the same module: if nothing there uses tensor cores, neither does what it
// calls. (The driver's own functions, as those for a failed assertion, have no matrix work.)
void KernelCodeLog::write(TraceTables& tables, std::int64_t globalPid) const {
    std::unordered_set<std::uint32_t> tensorModules;
    for (const Function& function : m_functions)
        if ((function.uses & ~kNoTensorItself) != 0)
            tensorModules.insert(function.moduleId);
    std::map<std::int64_t, std::uint32_t> usesOfNames; // kernels may share a name: variants, other GPUs' code
    for (const Function& function : m_functions) {
        const auto kernel = m_kernels.find(function.nameHash);
        if (kernel == m_kernels.end())
            continue;
        const bool callsTensor =
            (function.uses & spool::CallsOut) != 0 && tensorModules.contains(function.moduleId);
        usesOfNames[kernel->second] |=
            callsTensor ? spool::CallsOut : function.uses & ~std::uint32_t{spool::CallsOut};
    }
    for (const auto& [nameId, uses] : usesOfNames)
        tables.kernelCode.row(globalPid, nameId, std::string_view(namesOf(uses)));
}

} // namespace tacho
