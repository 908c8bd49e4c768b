// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/storm/storm_options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

[[noreturn]] void refuse(const char* argument) {
    std::fprintf(stderr, "storm: %s: not understood or without a number\n", argument);
    std::exit(EXIT_FAILURE);
}

} // namespace

StormOptions StormOptions::parse(int argc, char** argv) {
    StormOptions options;
    for (int i = 1; i < argc; ++i) {
        const char* const name = argv[i];
        if (std::strcmp(name, "--graph") == 0) {
            options.useGraph = true;
            continue;
        }
        const unsigned long long value = i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0;
        if (value == 0)
            refuse(name);
        if (std::strcmp(name, "--launches") == 0)
            options.launches = value;
        else if (std::strcmp(name, "--threads") == 0)
            options.threads = static_cast<std::uint32_t>(value);
        else if (std::strcmp(name, "--copy-every") == 0)
            options.copyEvery = static_cast<std::uint32_t>(value);
        else if (std::strcmp(name, "--nvtx-every") == 0)
            options.nvtxEvery = static_cast<std::uint32_t>(value);
        else
            refuse(name);
    }
    return options;
}
