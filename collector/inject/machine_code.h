// SPDX-License-Identifier: Apache-2.0
// What the functions of a module's machine code do, read from their instructions.
#pragma once

#include "collector/inject/spool_format.h"

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <string_view>

namespace tacho {

/// The GPU generation that a module's machine code is for: 90 for sm_90; 0: it does not say.
[[nodiscard]] std::uint32_t architectureOf(const char* code, std::size_t bytes) noexcept;

/// Walks the functions of a module. The code is borrowed, may be damaged, and is read once: 7 to 10 GB/s.
/// Has no functions where the code is not one of the GPU generations whose instructions are known (from Volta
/// to Blackwell).
class MachineCode {
  public:
    MachineCode(const char* code, std::size_t bytes) noexcept;

    /// The next function; false: there is none.
    [[nodiscard]] bool next(spool::FunctionCode& function) noexcept;

  private:
    [[nodiscard]] bool sectionAt(std::uint64_t index, Elf64_Shdr& section) const noexcept;
    /// Empty: the section does not lie in the code.
    [[nodiscard]] std::string_view contentOf(const Elf64_Shdr& section) const noexcept;
    /// Empty: it has none.
    [[nodiscard]] std::string_view nameOf(const Elf64_Shdr& section) const noexcept;

    std::string_view m_code;
    std::string_view m_names; ///< of the sections
    std::uint32_t m_architecture = 0;
    std::uint64_t m_sectionTable = 0; ///< its offset
    std::uint64_t m_sections = 0, m_next = 0;
    std::size_t m_unread = 0; ///< functions do not overlap: together they are no larger than the code
};

} // namespace tacho
