// SPDX-License-Identifier: Apache-2.0
// What the machine code of one process's kernels does.
#pragma once

#include "collector/inject/spool_format.h"
#include "collector/recorder/trace_tables.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tacho {

/// Keeps all functions of all modules (16 bytes each: a process can load 10^5) until it is known which ran.
class KernelCodeLog {
  public:
    void addFunctions(std::uint32_t moduleId, std::span<const spool::FunctionCode> functions);
    /// A kernel that ran. `nameId`: StringIds.id of its demangled name.
    void addKernel(std::string_view mangled, std::int64_t nameId);
    /// A row for each kernel that ran and whose code was read.
    void write(TraceTables& tables, std::int64_t globalPid) const;

  private:
    struct Function {
        std::uint64_t nameHash;
        std::uint32_t moduleId;
        std::uint32_t uses;
    };
    std::vector<Function> m_functions;
    std::unordered_map<std::uint64_t, std::int64_t> m_kernels; ///< hash of the mangled name to nameId
};

} // namespace tacho
