// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/html_text.h"

#include <cstdint>

namespace tacho {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// Length of the UTF-8 character that `text` begins with; 0: it does not begin with one.
std::size_t characterLength(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || text.size() < length)
        return 0;
    std::uint32_t code = length == 1 ? first : first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte(i) & 0x3fU);
    }
    constexpr std::uint32_t kLeastOfLength[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = code >= 0xd800 && code < 0xe000;
    return code < kLeastOfLength[length] || code > 0x10ffff || isSurrogate ? 0 : length;
}

/// Control characters, C1 (0xc2 0x80 to 0x9f) among them, and the two non-characters that XML forbids.
bool isForbidden(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1)
        return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
    return (first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0) ||
           character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf";
}

std::string_view replacementFor(std::string_view character) {
    switch (character[0]) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return isForbidden(character) ? kReplacement : character;
    }
}

} // namespace

std::string htmlEscaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        out += length == 0 ? kReplacement : replacementFor(text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

} // namespace tacho
