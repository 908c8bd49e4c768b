// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/machine.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace tacho {

Machine Machine::thisOne() {
    Machine machine;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos)
            machine.environment[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return machine;
}

std::string Machine::variable(const std::string& name) const {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

std::string Machine::text(const std::filesystem::path& file) const {
    std::ifstream in(root / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool Machine::has(const std::filesystem::path& file) const {
    std::error_code ignored;
    return std::filesystem::exists(root / file, ignored);
}

std::string fieldOf(const std::string& text, const std::string& label) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(label + ":"))
            continue;
        const std::size_t first = line.find_first_not_of(" \t", label.size() + 1);
        const std::size_t last = line.find_last_not_of(" \t\r");
        return first == std::string::npos ? std::string() : line.substr(first, last - first + 1);
    }
    return {};
}

} // namespace tacho
