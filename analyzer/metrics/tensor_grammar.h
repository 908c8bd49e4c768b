// SPDX-License-Identifier: Apache-2.0
// Whether a kernel runs on tensor cores, told by its name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tacho {

enum class TensorClass : std::uint8_t { Unknown, NotTensor, Tensor };

/// Arithmetic of a matrix kernel. None: the kernel does no matrix work. Mixed: it does, its name does not say
/// which.
enum class MathMode : std::uint8_t { None, Mixed, Fp64, Fp32, Tf32, Fp16, Bf16, Fp8, Fp4, Int8 };

[[nodiscard]] std::string_view
nameOf(TensorClass tensorClass);                      ///< "tensor", "not", "unknown", as in the rules
[[nodiscard]] std::string_view nameOf(MathMode mode); ///< "tf32", "-" for none, as in the rules

struct TensorUse {
    TensorClass tensorClass = TensorClass::Unknown;
    MathMode mode = MathMode::None;
    auto operator<=>(const TensorUse&) const = default;

    /// Matrix work on the ordinary cores in a type that TF32 or AMP would move to the tensor cores.
    [[nodiscard]] bool couldUseTensorCores() const;
};

/// Ordered rules; share/tensor_kernels.txt says their syntax and how they were found. Immutable: any number
/// of threads may classify. About 1 us per name: ask once per distinct name, not per kernel.
class TensorGrammar {
  public:
    /// The rules that tacho ships.
    static const TensorGrammar& builtIn();
    /// Throws Error naming the line that is not a rule.
    explicit TensorGrammar(std::string_view text);

    [[nodiscard]] TensorUse classify(std::string_view kernelName) const;
    [[nodiscard]] int version() const { return m_version; }

  private:
    struct Term {
        std::vector<std::string> alternatives; ///< "^" kept at the front of one that must begin the name
        bool negated = false;
        [[nodiscard]] bool holds(std::string_view name) const;
    };
    struct Rule {
        TensorUse use;
        std::vector<Term> terms;
    };
    [[nodiscard]] static Term parseTerm(std::string_view text);
    void parseLine(std::string_view line, int number);

    std::vector<Rule> m_rules;
    int m_version = 0;
};

} // namespace tacho
