// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/spool_reader.h"

#include "analyzer/model/error.h"
#include "tests/unit/recorder/spool_builder.h"

#include <gtest/gtest.h>
#include <random>

namespace tacho {
namespace {

using spool::RecordType;
using test::SpoolBuilder;

class SpoolReaderTest : public testing::Test {
  protected:
    void append(std::string_view bytes) { std::ofstream(path, std::ios::binary | std::ios::app) << bytes; }
    /// Types of the records there are now.
    static std::vector<int> readAll(SpoolReader& reader) {
        std::vector<int> types;
        while (const auto record = reader.next())
            types.push_back(static_cast<int>(record->type()));
        return types;
    }

    test::TemporaryFolder folder;
    std::filesystem::path path = folder / "1-0.spool";
};

TEST_F(SpoolReaderTest, AFileCutAnywhereGivesItsCompleteRecordsAndTheRestOnceItIsThere) {
    SpoolBuilder builder;
    const std::size_t headerEnd = builder.bytes().size();
    builder.string(1, "k");
    const std::size_t firstEnd = builder.bytes().size();
    builder.kernel(1, 10, 20);
    const std::size_t secondEnd = builder.bytes().size();
    const std::string all = builder.end(30).bytes();
    for (std::size_t cut = 0; cut <= all.size(); ++cut) {
        std::filesystem::remove(path);
        append(all.substr(0, cut));
        SpoolReader reader(path);
        const std::size_t complete = readAll(reader).size();
        EXPECT_EQ(complete, (cut >= firstEnd) + (cut >= secondEnd) + (cut >= all.size())) << cut;
        EXPECT_EQ(reader.state(),
                  cut < headerEnd ? SpoolReader::State::Starting : SpoolReader::State::Reading);
        append(all.substr(cut));
        EXPECT_EQ(complete + readAll(reader).size(), 3U) << cut;
        EXPECT_EQ(reader.bytesLeft(), 0U);
    }
}

TEST_F(SpoolReaderTest, FilesLargerThanTheBufferAreReadWhole) {
    SpoolBuilder builder;
    const std::string text(spool::kMaxText, 'x');
    constexpr std::uint32_t kRecords = 1000; // 4 MB
    for (std::uint32_t id = 1; id <= kRecords; ++id)
        builder.string(id, text);
    append(builder.bytes());
    SpoolReader reader(path);
    std::uint32_t count = 0;
    while (const auto record = reader.next()) {
        EXPECT_EQ(record->as<spool::StringRecord>()->id, ++count);
        EXPECT_EQ(record->text<spool::StringRecord>(spool::kMaxText), text);
    }
    EXPECT_EQ(count, kRecords);
}

TEST_F(SpoolReaderTest, AFileOfAnotherKindIsRefused) {
    append(std::string(100, 'x'));
    SpoolReader reader(path);
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(reader.state(), SpoolReader::State::Foreign);
}

TEST_F(SpoolReaderTest, AFileOfANewerVersionIsRefused) {
    append(SpoolBuilder(1, 1, spool::kVersion + 1).end(1).bytes());
    SpoolReader reader(path);
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(reader.state(), SpoolReader::State::Newer);
}

TEST_F(SpoolReaderTest, ReadingStopsAtARecordThatCannotBeOne) {
    for (const std::uint16_t bytes : {0, 4, 12}) {
        std::filesystem::remove(path);
        const spool::RecordHeader bad{2, bytes};
        append(SpoolBuilder()
                   .string(1, "k")
                   .raw({reinterpret_cast<const char*>(&bad), sizeof bad})
                   .end(1)
                   .bytes());
        SpoolReader reader(path);
        EXPECT_EQ(readAll(reader).size(), 1U);
        EXPECT_EQ(reader.state(), SpoolReader::State::Damaged);
        EXPECT_GT(reader.bytesLeft(), 0U);
    }
}

TEST_F(SpoolReaderTest, NoiseNeverEndsBadly) {
    std::mt19937 random(1);
    for (int file = 0; file < 200; ++file) {
        std::filesystem::remove(path);
        std::string noise(2000, '\0');
        for (char& byte : noise)
            byte = static_cast<char>(random() % 32 == 0 ? random() : 8 * (random() % 3));
        append(SpoolBuilder().raw(noise).bytes());
        SpoolReader reader(path);
        EXPECT_LE(readAll(reader).size(), noise.size() / spool::kAlignment);
    }
}

TEST_F(SpoolReaderTest, AMissingFileIsAnError) {
    EXPECT_THROW(SpoolReader(folder / "none"), Error);
}

} // namespace
} // namespace tacho
