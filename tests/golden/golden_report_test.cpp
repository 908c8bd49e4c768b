// SPDX-License-Identifier: Apache-2.0
// Reports on the captures in share/samples and tests/golden, compared with the reports stored in
// tests/golden. TACHO_UPDATE_GOLDEN=1 writes them anew: read the difference before it is committed.
#include "analyzer/import/open_trace.h"
#include "analyzer/report/json_report.h"
#include "analyzer/report/text_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tacho {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = TACHO_SOURCE_DIR;
const fs::path kStored = kSource / "tests/golden";

bool isCapture(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.ends_with(".sqlite") || name.ends_with(".json.gz");
}

std::vector<fs::path> captures() {
    std::vector<fs::path> found;
    for (const fs::path& folder : {kSource / "share/samples", kStored})
        if (fs::exists(folder))
            for (const auto& entry : fs::directory_iterator(folder))
                if (isCapture(entry.path()))
                    found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

/// Reports name files; where the source lies must not matter.
std::string withoutFolder(std::string text) {
    const std::string folder = kSource.string() + "/";
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
        text.erase(at, folder.size());
    return text;
}

void compare(const fs::path& stored, const std::string& report) {
    if (const char* update = std::getenv("TACHO_UPDATE_GOLDEN"); update && std::string_view(update) == "1") {
        std::ofstream(stored) << report;
        return;
    }
    std::ifstream file(stored);
    ASSERT_TRUE(file) << stored << " is missing; TACHO_UPDATE_GOLDEN=1 writes it";
    std::ostringstream expected;
    expected << file.rdbuf();
    EXPECT_EQ(report, expected.str()) << stored;
}

TEST(GoldenReport, EqualsTheStoredOneForEverySample) {
    const auto files = captures();
    if (files.empty())
        GTEST_SKIP() << "no captures in share/samples or tests/golden";
    for (const fs::path& file : files) {
        SCOPED_TRACE(file);
        const Trace trace = openTrace({file.string()});
        const Analysis analysis = analyse(trace);
        const std::string name = file.filename().string();
        compare(kStored / (name + ".report.txt"), withoutFolder(textReport(trace, analysis)));
        compare(kStored / (name + ".report.json"), withoutFolder(jsonReport(trace, analysis)));
    }
}

} // namespace
} // namespace tacho
