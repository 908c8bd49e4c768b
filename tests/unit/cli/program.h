// SPDX-License-Identifier: Apache-2.0
// Runs the built `tacho` as a user does and keeps what it printed.
#pragma once

#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tacho {

struct Outcome {
    int status = -1; ///< 128 + n: killed by signal n
    std::string out, err;
};

using Words = std::vector<std::string>;

/// `environment` is added to the test's own: {"NO_COLOR=1"}.
[[nodiscard]] Outcome runTacho(const Words& arguments, const Words& environment = {});

/// stdin, stdout and stderr are one terminal of that width; all that it shows is in `out`.
[[nodiscard]] Outcome runTachoOnTerminal(int columns, const Words& arguments, const Words& environment = {});

/// An empty folder, current folder of the programs started while it lives, removed afterwards.
class Workplace {
  public:
    Workplace();
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    ~Workplace();

    /// The file's name, as it was given.
    std::string write(const std::string& name, const std::string& text) const;
    [[nodiscard]] std::filesystem::path folder() const { return m_folder.path(); }

  private:
    test::TemporaryFolder m_folder;
    std::filesystem::path m_before;
};

[[nodiscard]] std::vector<std::string> linesOf(const std::string& text);

/// A PyTorch trace: two kernels of one name, a copy, and their launches.
[[nodiscard]] std::string smallKinetoTrace();

} // namespace tacho
