// SPDX-License-Identifier: Apache-2.0
// Any bytes as a JSON trace.
#include "tests/fuzz/read_trace.h"

#include <fstream>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    static const std::string kPath = (tacho::fuzz::workFolder() / "trace.json").string();
    std::ofstream(kPath, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    tacho::fuzz::readTrace(kPath);
    return 0;
}
