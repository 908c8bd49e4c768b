// SPDX-License-Identifier: Apache-2.0
// Runs a command under the recorder and leaves one trace file: what `tacho COMMAND` does before the report.
#pragma once

#include "collector/inject/spool_format.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tacho {

struct RecordOptions {
    std::vector<std::string> command; ///< the program and its arguments; not empty
    /// Absent: named after the command in the current folder, never an existing file (train.sqlite,
    /// train-2.sqlite ...). Given: must not exist yet.
    std::optional<std::filesystem::path> output;
    std::uint64_t maxBytes = spool::kMostBytes; ///< of the spool of one process, which then stops recording
    std::string window = "default";             ///< value of TACHO_WINDOW: see Window in window.h
    bool onlyKernels = false;                   ///< no API calls: cheaper, but idle time stays unexplained
    bool counters = false;                      ///< sample what the units of the GPUs do
    std::string cudaGraph = "node"; ///< "node": the kernels of graphs; "graph": their launches as one each
    /// CUPTI library, value of TACHO_CUPTI. Absent: it is searched.
    std::optional<std::string> cupti = std::nullopt;
    bool quiet = false; ///< no progress line, no notes on stderr
    /// Folder with lib/libtacho_inject.so and share/tacho/. Absent: the parent of the folder of this program.
    std::optional<std::filesystem::path> installation;
    /// Called once, when all that recorded GPU activity has done so for good while the command still runs,
    /// with a trace of all until then, which is gone when the call returns, and the name that the file will
    /// have. May throw: it is only a preview.
    std::function<void(const std::filesystem::path& trace, const std::filesystem::path& file)> onWindowOver =
        nullptr;
};

struct RecordResult {
    int exitStatus = 0; ///< the command's own; 128+n: killed by signal n; 126, 127: could not be started
    /// The finished trace. Absent: there is none, and `problem` says why and what to do.
    std::optional<std::filesystem::path> file;
    std::string problem;      ///< one or two sentences for the user; empty: all went well
    std::uint64_t events = 0; ///< records written to the file
};

/// Starts the command with the injected library, follows its spool files while it runs, and returns when the
/// command has ended and the file is complete. The command's stdin, stdout and stderr are untouched; signals
/// sent to this process are passed on to it. Once the command runs nothing throws: its exit status always
/// comes back. Throws Error before that: no injected library, output that exists or cannot be made.
/// Call from the main thread of a process that has no other threads.
[[nodiscard]] RecordResult record(const RecordOptions& options);

} // namespace tacho
