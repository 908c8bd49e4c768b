// SPDX-License-Identifier: Apache-2.0
#include "analyzer/cli/terminal.h"

#include "analyzer/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

namespace tacho {
namespace {

constexpr std::size_t kLeastWidth = 40;

} // namespace

bool isTerminal(Stream stream) {
    return isatty(static_cast<int>(stream)) == 1;
}

std::optional<std::size_t> terminalWidth(Stream stream) {
    winsize size{};
    if (!isTerminal(stream))
        return std::nullopt;
    if (ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return std::max<std::size_t>(size.ws_col, kLeastWidth);
}

bool wantsColor(Stream stream) {
    const char* refused = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool isDumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
    return isTerminal(stream) && (refused == nullptr || *refused == '\0') && !isDumb;
}

void writeToStdout(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void writeToStderr(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void say(std::string_view sentence) {
    writeToStderr(fmt::format("tacho: {}\n", sentence));
}

std::string shellWord(const std::string& word) {
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) != 0 || std::strchr("_-./+:=@%,", c) != nullptr || c >= 0x80;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain))
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace tacho
