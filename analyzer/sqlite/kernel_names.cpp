// SPDX-License-Identifier: Apache-2.0
#include "analyzer/sqlite/kernel_names.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <optional>

namespace tacho {

namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperator = "operator";

bool isIdentifier(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Walks a demangled name at the outermost level: what is inside brackets of any kind is stepped over whole.
class NameScanner {
  public:
    explicit NameScanner(std::string_view name) : m_name(name) {}

    /// The function's own name; empty: the text is not the form `[type] scope::name<...>(...)`.
    std::string_view functionName() {
        while (m_at < m_name.size() && !m_foundCall)
            step();
        const bool plain = m_foundCall || !m_sawSpace;
        return plain ? m_name.substr(m_start, m_nameEnd.value_or(m_at) - m_start) : std::string_view();
    }

  private:
    void step() {
        const std::string_view rest = m_name.substr(m_at);
        const char c = rest.front();
        if (rest.starts_with(kAnonymous))
            m_at += kAnonymous.size();
        else if (m_at == m_start && isOperator(rest))
            skipOperator();
        else if (rest.starts_with(" <")) // "operator<< <char>": the space keeps them apart
            m_nameEnd = m_at++;
        else if (rest.starts_with("::") || c == ' ')
            startComponent(c == ' ' ? 1 : 2);
        else if (c == '(')
            m_foundCall = true;
        else if (c == '<' || c == '{' || c == '[')
            skipBrackets();
        else
            ++m_at;
    }

    void startComponent(std::size_t separator) {
        m_sawSpace = m_sawSpace || separator == 1;
        m_at += separator;
        m_start = m_at;
        m_nameEnd.reset();
    }

    static bool isOperator(std::string_view rest) {
        return rest.starts_with(kOperator) && rest.size() > kOperator.size() &&
               !isIdentifier(rest[kOperator.size()]) && rest[kOperator.size()] != ' ';
    }

    void skipOperator() {
        m_at += kOperator.size();
        if (m_name.substr(m_at).starts_with("()"))
            m_at += 2;
        else
            m_at = std::min(m_name.find_first_not_of("<>=+-*/%&|^!~[],", m_at), m_name.size());
    }

    void skipBrackets() {
        if (m_name[m_at] == '<' && !m_nameEnd)
            m_nameEnd = m_at;
        std::string open;
        do {
            const char c = m_name[m_at++];
            if (c == '<' || c == '(' || c == '{' || c == '[')
                open += c;
            else if (c == '>' && open.back() == '<') // else: a comparison or an arrow inside parentheses
                open.pop_back();
            else if (c == ')' || c == '}' || c == ']')
                closeTo(open, c == ')' ? '(' : c == '}' ? '{' : '[');
        } while (!open.empty() && m_at < m_name.size());
    }

    // A '<' still open inside the closed pair was a comparison.
    static void closeTo(std::string& open, char bracket) {
        const std::size_t at = open.rfind(bracket);
        if (at != std::string::npos)
            open.resize(at);
    }

    std::string_view m_name;
    std::size_t m_at = 0;
    std::size_t m_start = 0;              ///< of the current component
    std::optional<std::size_t> m_nameEnd; ///< where its template arguments begin
    bool m_foundCall = false;
    bool m_sawSpace = false;
};

} // namespace

std::string demangledName(const std::string& mangled) {
    // Only these are names: __cxa_demangle would also turn a kernel called "f" into the type "float".
    if (!mangled.starts_with("_Z"))
        return mangled;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && name ? std::string(name.get()) : mangled;
}

std::string_view shortName(std::string_view demangled) {
    const std::string_view name = NameScanner(demangled).functionName();
    return name.empty() ? demangled : name;
}

} // namespace tacho
