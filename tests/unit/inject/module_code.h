// SPDX-License-Identifier: Apache-2.0
// Makes the machine code of a module, for tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <string_view>
#include <vector>

namespace tacho {

/// The smallest code of one function "f". `words`: its instructions, two a piece.
inline std::string moduleCode(std::uint8_t architecture, const std::vector<std::uint64_t>& words) {
    constexpr std::string_view kNames("\0.text.f\0", 9);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_ABIVERSION] = 8;
    header.e_machine = 190;
    header.e_flags = std::uint32_t{architecture} << 8;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 3;
    header.e_shstrndx = 2;
    header.e_shoff = sizeof header;
    Elf64_Shdr sections[3]{};
    const std::size_t instructions = sizeof header + sizeof sections;
    const std::size_t bytes = words.size() * sizeof(std::uint64_t);
    sections[1] = {1, SHT_PROGBITS, 0, 0, instructions, bytes, 0, 0, 0, 0};
    sections[2] = {0, SHT_STRTAB, 0, 0, instructions + bytes, kNames.size(), 0, 0, 0, 0};
    return std::string(reinterpret_cast<const char*>(&header), sizeof header)
        .append(reinterpret_cast<const char*>(sections), sizeof sections)
        .append(reinterpret_cast<const char*>(words.data()), bytes)
        .append(kNames);
}

} // namespace tacho
