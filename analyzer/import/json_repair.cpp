// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/json_repair.h"

#include <cstddef>

namespace tacho {
namespace {

constexpr char kInstead = '?';

unsigned byteAt(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// Length of the UTF-8 character there, 0 if it is none (RFC 3629: no surrogates, none beyond U+10FFFF, each
/// in its shortest form).
std::size_t utf8Length(std::string_view text, std::size_t at) {
    const unsigned first = byteAt(text, at);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byteAt(text, at + i) & 0xc0U) != 0x80)
            return 0;
    const unsigned second = byteAt(text, at + 1);
    const bool isWrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                         (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return isWrong ? 0 : length;
}

bool isHex(unsigned c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Length of the escape that begins with the backslash there, 0 if it is none.
std::size_t escapeLength(std::string_view text, std::size_t at) {
    const auto next = static_cast<char>(byteAt(text, at + 1));
    if (next == 'u') {
        for (std::size_t i = 2; i < 6; ++i)
            if (!isHex(byteAt(text, at + i)))
                return 0;
        return 6;
    }
    return next != 0 && std::string_view("\"\\/bfnrt").find(next) != std::string_view::npos ? 2 : 0;
}

} // namespace

std::string repairedJson(std::string_view object) {
    std::string repaired(object);
    bool isInString = false;
    for (std::size_t at = 0; at < object.size();) {
        const unsigned byte = byteAt(object, at);
        std::size_t length = utf8Length(object, at);
        if (byte == '"')
            isInString = !isInString;
        if (isInString && byte == '\\')
            length = escapeLength(object, at);
        if (length == 0 || (isInString && byte < 0x20)) {
            repaired[at] = kInstead;
            length = 1;
        }
        at += length;
    }
    return repaired;
}

} // namespace tacho
