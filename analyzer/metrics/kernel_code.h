// SPDX-License-Identifier: Apache-2.0
// Whether a kernel runs on tensor cores, told by its machine code.
#pragma once

#include "analyzer/metrics/tensor_grammar.h"
#include "analyzer/model/trace.h"

#include <optional>
#include <unordered_map>

namespace tacho {

/// What the code of all kernels of one name does.
struct CodeUse {
    std::optional<TensorClass> tensorClass; ///< absent: it cannot tell, or kernels of that name differ
    std::uint16_t modes = 0;                ///< of its tensor-core instructions: bit 1 << MathMode

    [[nodiscard]] bool has(MathMode mode) const { return (modes >> static_cast<unsigned>(mode) & 1) != 0; }
};

/// `words`: as KernelCode::tensorTypes, those of several kernels joined by commas. A word that this tacho
/// does not know makes the class unknown.
[[nodiscard]] CodeUse readCodeUse(std::string_view words);

/// By name, of all processes together: in a session of several ranks the same kernel runs in each.
[[nodiscard]] std::unordered_map<StringId, CodeUse> codeUses(const Trace& trace);

/// The class is that of the code where the code can tell. The arithmetic is that of the name where both agree
/// or the code does not say, else that of the code; Mixed if it has several. A kernel that has a tensor-core
/// name and no such instruction does no matrix work.
[[nodiscard]] TensorUse settledBy(const CodeUse& code, TensorUse byName);

} // namespace tacho
