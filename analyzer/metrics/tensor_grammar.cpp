// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/tensor_grammar.h"

#include "analyzer/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <utility>

namespace tacho {

namespace embedded {
extern const std::string_view kTensorKernels;
}

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 3> kClasses = {"unknown", "not", "tensor"};
constexpr std::array<std::string_view, 10> kModes = {"-",    "mixed", "fp64", "fp32", "tf32",
                                                     "fp16", "bf16",  "fp8",  "fp4",  "int8"};

template <typename Enum, std::size_t size>
std::optional<Enum> valueNamed(const std::array<std::string_view, size>& names, std::string_view word) {
    const auto found = std::find(names.begin(), names.end(), word);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

std::string_view withoutReturnType(std::string_view name) {
    return name.starts_with("void ") ? name.substr(5) : name;
}

} // namespace

std::string_view nameOf(TensorClass tensorClass) {
    return kClasses[static_cast<std::size_t>(tensorClass)];
}

std::string_view nameOf(MathMode mode) {
    return kModes[static_cast<std::size_t>(mode)];
}

bool TensorUse::couldUseTensorCores() const {
    return tensorClass == TensorClass::NotTensor &&
           (mode == MathMode::Fp32 || mode == MathMode::Fp16 || mode == MathMode::Mixed);
}

const TensorGrammar& TensorGrammar::builtIn() {
    static const TensorGrammar grammar(embedded::kTensorKernels);
    return grammar;
}

TensorGrammar::TensorGrammar(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number)
        if (!line.empty() && line.front() != '#')
            parseLine(line, number);
}

void TensorGrammar::parseLine(std::string_view line, int number) {
    std::istringstream words{std::string(line)};
    std::string first, second;
    words >> first >> second;
    if (first == "version") {
        m_version = std::atoi(second.c_str());
        return;
    }
    const auto tensorClass = valueNamed<TensorClass>(kClasses, first);
    const auto mode = valueNamed<MathMode>(kModes, second);
    Rule rule;
    for (std::string term; words >> term;)
        rule.terms.push_back(parseTerm(term));
    if (!tensorClass || !mode || rule.terms.empty())
        throw Error(
            fmt::format("tensor_kernels.txt, line {}: not a rule of the form CLASS MODE TERM...", number));
    rule.use = {*tensorClass, *mode};
    m_rules.push_back(std::move(rule));
}

TensorGrammar::Term TensorGrammar::parseTerm(std::string_view text) {
    Term term;
    term.negated = text.starts_with('!');
    if (term.negated)
        text.remove_prefix(1);
    while (true) {
        const auto bar = text.find('|');
        term.alternatives.emplace_back(text.substr(0, bar));
        if (bar == std::string_view::npos)
            return term;
        text.remove_prefix(bar + 1);
    }
}

bool TensorGrammar::Term::holds(std::string_view name) const {
    const bool found = std::any_of(alternatives.begin(), alternatives.end(), [&](const std::string& text) {
        return text.front() == '^' ? name.starts_with(std::string_view(text).substr(1))
                                   : name.find(text) != std::string_view::npos;
    });
    return found != negated;
}

TensorUse TensorGrammar::classify(std::string_view kernelName) const {
    const std::string_view name = withoutReturnType(kernelName);
    const auto rule = std::find_if(m_rules.begin(), m_rules.end(), [&](const Rule& candidate) {
        return std::all_of(candidate.terms.begin(), candidate.terms.end(),
                           [&](const Term& term) { return term.holds(name); });
    });
    return rule == m_rules.end() ? TensorUse{} : rule->use;
}

} // namespace tacho
