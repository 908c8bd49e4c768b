// SPDX-License-Identifier: Apache-2.0
// Prints what the scan of machine code finds: for each function of the files named "FILE HASH USES", numbers
// as in the spool. On stderr how many bytes were read, and how fast.
#include "collector/inject/machine_code.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main(int count, char** arguments) {
    std::size_t bytes = 0;
    std::chrono::duration<double> time{0};
    for (int i = 1; i < count; ++i) {
        std::ifstream file(arguments[i], std::ios::binary);
        const std::string code(std::istreambuf_iterator<char>(file), {});
        const auto start = std::chrono::steady_clock::now();
        std::uint64_t functions = 0;
        tacho::MachineCode timed(code.data(), code.size());
        for (tacho::spool::FunctionCode function; timed.next(function);)
            functions += function.uses != 0 ? 1 : 0;
        time += std::chrono::steady_clock::now() - start;
        bytes += functions > 0 ? code.size() : 0;
        tacho::MachineCode machineCode(code.data(), code.size());
        for (tacho::spool::FunctionCode function; machineCode.next(function);)
            std::printf("%s %016llx %u\n", arguments[i], static_cast<unsigned long long>(function.nameHash),
                        function.uses);
    }
    std::fprintf(stderr, "read %.1f MB in %.1f ms: %.1f GB/s\n", static_cast<double>(bytes) / 1e6,
                 time.count() * 1e3, static_cast<double>(bytes) / 1e9 / time.count());
    return 0;
}
