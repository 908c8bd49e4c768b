// SPDX-License-Identifier: Apache-2.0
// What the program knows about where its output goes, and the output itself.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tacho {

enum class Stream : int { Stdout = 1, Stderr = 2 };

[[nodiscard]] bool isTerminal(Stream stream);

/// Columns of the terminal, at least 40; absent: not a terminal.
[[nodiscard]] std::optional<std::size_t> terminalWidth(Stream stream);

/// A terminal that shows colours, of a user who has not set NO_COLOR (https://no-color.org).
[[nodiscard]] bool wantsColor(Stream stream);

/// Throws Error where the text does not arrive, on a full disk for example.
void writeToStdout(std::string_view text);

/// Never throws: what nobody can read is no reason to end.
void writeToStderr(std::string_view text);

/// "tacho: SENTENCE" on stderr, as writeToStderr().
void say(std::string_view sentence);

/// The word as a shell reads it: quoted where it must be.
[[nodiscard]] std::string shellWord(const std::string& word);

} // namespace tacho
