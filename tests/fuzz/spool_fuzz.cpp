// SPDX-License-Identifier: Apache-2.0
// Any bytes as the spool file of a process. The first byte chooses: the file as it is, or records of any type
// and content in a file that is well-formed: a type, a length and the bytes that follow.
#include "analyzer/sqlite/schema.h"
#include "collector/recorder/spool_converter.h"
#include "tests/fuzz/read_trace.h"
#include "tests/unit/recorder/spool_builder.h"

#include <algorithm>
#include <fstream>

namespace tacho::fuzz {
namespace {

namespace fs = std::filesystem;

void appendRecords(std::string& file, std::string_view input) {
    while (input.size() >= 2) {
        const auto type = static_cast<std::uint8_t>(input[0]);
        const std::string_view content = input.substr(2, static_cast<std::uint8_t>(input[1]));
        input.remove_prefix(2 + content.size());
        // Long enough for the fixed part of most types, so that what decides is the content.
        const std::size_t bytes =
            spool::paddedBytes(sizeof(spool::RecordHeader), std::max<std::size_t>(content.size(), 120));
        const spool::RecordHeader header{type, static_cast<std::uint16_t>(bytes)};
        const std::size_t end = file.size() + bytes;
        file.append(reinterpret_cast<const char*>(&header), sizeof header).append(content);
        file.resize(end);
    }
}

Database emptyTrace() {
    Database db(":memory:", Database::Mode::Create);
    db.execute(std::string(embedded::schemaSql));
    return db;
}

} // namespace
} // namespace tacho::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    using namespace tacho;
    static const std::filesystem::path kSpool = fuzz::workFolder() / "5000000-0.spool";
    static Database db = fuzz::emptyTrace();
    std::string_view input(reinterpret_cast<const char*>(data), size);
    const bool isRaw = !input.empty() && input[0] % 2 != 0;
    input.remove_prefix(std::min<std::size_t>(input.size(), 1));
    std::string file(input);
    if (!isRaw) {
        file = test::SpoolBuilder().bytes();
        fuzz::appendRecords(file, input);
    }
    std::ofstream(kSpool, std::ios::binary) << file;
    const Transaction rolledBack(db);
    TraceRows rows(db);
    SpoolConverter converter(kSpool, rows);
    converter.convert();
    converter.finish();
    rows.processes.write(db);
    rows.health.write(db);
    return 0;
}
