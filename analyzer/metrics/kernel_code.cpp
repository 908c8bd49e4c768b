// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/kernel_code.h"

#include <bit>
#include <string>

namespace tacho {
namespace {

constexpr std::uint16_t bitOf(MathMode mode) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(mode));
}

/// Mixed stands for "other" too: an instruction that does not tell the type.
std::optional<MathMode> modeNamed(std::string_view word) {
    for (const MathMode mode : {MathMode::Fp64, MathMode::Tf32, MathMode::Fp16, MathMode::Bf16, MathMode::Fp8,
                                MathMode::Fp4, MathMode::Int8})
        if (word == nameOf(mode))
            return mode;
    return word == "other" ? std::optional(MathMode::Mixed) : std::nullopt;
}

MathMode modeOfTensor(const CodeUse& code, MathMode byName) {
    const bool isTold = byName != MathMode::None && byName != MathMode::Mixed;
    if (isTold && (code.has(byName) || code.has(MathMode::Mixed)))
        return byName;
    if (std::popcount(code.modes) != 1)
        return MathMode::Mixed;
    return static_cast<MathMode>(std::countr_zero(code.modes));
}

} // namespace

CodeUse readCodeUse(std::string_view words) {
    CodeUse use;
    bool lacksTensor = false, isUnknown = false;
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(','));
        words.remove_prefix(std::min(word.size() + 1, words.size()));
        if (word == "none")
            lacksTensor = true;
        else if (const auto mode = modeNamed(word))
            use.modes |= bitOf(*mode);
        else
            isUnknown = true;
    }
    if (!isUnknown && lacksTensor != (use.modes != 0))
        use.tensorClass = lacksTensor ? TensorClass::NotTensor : TensorClass::Tensor;
    return use;
}

std::unordered_map<StringId, CodeUse> codeUses(const Trace& trace) {
    std::unordered_map<StringId, std::string> words;
    for (const KernelCode& code : trace.kernelCode) {
        std::string& ofName = words[code.name];
        ofName.append(ofName.empty() ? "" : ",").append(trace.text(code.tensorTypes));
    }
    std::unordered_map<StringId, CodeUse> uses;
    for (const auto& [name, ofName] : words)
        uses.emplace(name, readCodeUse(ofName));
    return uses;
}

TensorUse settledBy(const CodeUse& code, TensorUse byName) {
    if (!code.tensorClass)
        return byName;
    if (*code.tensorClass == TensorClass::Tensor)
        return {TensorClass::Tensor, modeOfTensor(code, byName.mode)};
    // cuBLAS names kernels by the product that they help: sm80_xmma_gemm_..._tensor16x8x16_execute_split_k.
    const bool isHelper = byName.tensorClass == TensorClass::Tensor;
    return {TensorClass::NotTensor, isHelper ? MathMode::None : byName.mode};
}

} // namespace tacho
