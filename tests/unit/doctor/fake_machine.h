// SPDX-License-Identifier: Apache-2.0
// A machine that a test makes up: files below a folder of its own, and an environment.
#pragma once

#include "collector/doctor/machine.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>

namespace tacho {

class FakeMachine {
  public:
    FakeMachine() { m_machine.root = m_folder.path(); }

    FakeMachine& with(const std::string& file, const std::string& text) {
        const std::filesystem::path path = m_folder / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return *this;
    }
    FakeMachine& set(const std::string& variable, const std::string& value) {
        m_machine.environment[variable] = value;
        return *this;
    }
    operator const Machine&() const { return m_machine; } // NOLINT(google-explicit-constructor): reads better

  private:
    test::TemporaryFolder m_folder;
    Machine m_machine;
};

} // namespace tacho
