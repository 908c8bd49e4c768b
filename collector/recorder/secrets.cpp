// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace tacho {

namespace {

constexpr std::string_view kHidden = "***";

bool namesSecret(std::string_view option) {
    std::string lower(option);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    constexpr std::array<std::string_view, 3> kWords = {"token", "key", "password"};
    return std::ranges::any_of(kWords, [&](auto word) { return lower.find(word) != std::string::npos; });
}

std::string quoted(const std::string& argument) {
    const bool plain = !argument.empty() && std::ranges::all_of(argument, [](unsigned char c) {
        return std::isalnum(c) != 0 || std::string_view("-_=+./:,@%*").find(c) != std::string_view::npos;
    });
    if (plain)
        return argument;
    std::string text = "'";
    for (const char c : argument)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

} // namespace

std::string storableCommandLine(const std::vector<std::string>& arguments) {
    std::string line;
    bool hideNext = false;
    for (std::string argument : arguments) {
        const bool isOption = argument.starts_with('-');
        const std::size_t equals = argument.find('=');
        const bool secret = namesSecret(std::string_view(argument).substr(0, equals));
        if (hideNext && !argument.starts_with("--"))
            argument = kHidden;
        else if (secret && equals != std::string::npos)
            argument = argument.substr(0, equals + 1).append(kHidden);
        hideNext = isOption && secret && equals == std::string::npos;
        line += (line.empty() ? "" : " ") + quoted(argument);
    }
    return line;
}

} // namespace tacho
