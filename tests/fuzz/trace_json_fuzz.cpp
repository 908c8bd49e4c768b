// SPDX-License-Identifier: Apache-2.0
// Any bytes as a JSON trace: read, or refused with an Error, and nothing else.
#include "analyzer/import/kineto_json.h"
#include "analyzer/model/error.h"
#include "analyzer/model/trace_tables.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    static const std::string kPath =
        (std::filesystem::temp_directory_path() / ("tacho_fuzz_" + std::to_string(getpid()) + ".json"))
            .string();
    std::ofstream(kPath, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        tacho::Trace trace;
        tacho::readKineto(trace, kPath, {});
        tacho::completeTables(trace);
    } catch (const tacho::Error&) { // the answer to what is no trace
    }
    std::filesystem::remove(kPath);
    return 0;
}
