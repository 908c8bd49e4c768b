// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/trace_cache.h"

#include "analyzer/import/open_trace.h"
#include "analyzer/model/trace_fields.h"
#include "tests/unit/temporary_folder.h"
#include "tests/unit/trace_builder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <tuple>

namespace tacho {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

template <class Value>
bool areEqual(std::vector<Value>& a, std::vector<Value>& b);
bool areEqual(StringTable& a, StringTable& b);

template <class Value>
bool areEqual(Value& a, Value& b) {
    if constexpr (requires { a == b; }) {
        return a == b;
    } else if constexpr (std::is_trivially_copyable_v<Value>) {
        return std::memcmp(&a, &b, sizeof a) == 0; // both came from the same bytes, padding included
    } else {
        bool equal = true;
        forFields(a, [&](auto&... of) {
            const auto left = std::tie(of...);
            forFields(b, [&](auto&... with) {
                const auto right = std::tie(with...);
                equal = [&]<std::size_t... i>(std::index_sequence<i...>) {
                    return (areEqual(std::get<i>(left), std::get<i>(right)) && ...);
                }
                (std::index_sequence_for<decltype(of)...>());
            });
        });
        return equal;
    }
}
template <class Value>
bool areEqual(std::vector<Value>& a, std::vector<Value>& b) {
    bool equal = a.size() == b.size();
    for (std::size_t i = 0; equal && i < a.size(); ++i)
        equal = areEqual(a[i], b[i]);
    return equal;
}
bool areEqual(StringTable& a, StringTable& b) {
    bool equal = a.size() == b.size();
    for (std::size_t i = 0; equal && i < a.size(); ++i)
        equal = a.text(static_cast<StringId>(i)) == b.text(static_cast<StringId>(i));
    return equal;
}

class TraceCacheTest : public testing::Test {
  protected:
    void SetUp() override {
        std::ofstream(m_file) << "as if a trace";
        setenv("XDG_CACHE_HOME", (m_folder.path() / "xdg").c_str(), 1);
    }
    void TearDown() override {
        unsetenv("XDG_CACHE_HOME");
        unsetenv("TACHO_CACHE");
    }
    [[nodiscard]] TraceCache cache() const { return TraceCache({m_file}, 0); }
    [[nodiscard]] std::string cacheFile() const { return m_file + ".tacho-cache"; }
    static Trace someTrace() {
        return test::trace()
            .process(3, 8)
            .fact("torch.version", "2.11")
            .kernel("gemm", 10us, 5us)
            .copy(CopyKind::HostToDevice, MemoryKind::Pageable, 100, 20us, 3us)
            .range(RangeKind::Nvtx, "layer", 0us, 30us)
            .overhead(OverheadKind::BufferFlush, 1us, 1us)
            .jit(JitKind::Compile, 1us, 2us)
            .memoryEvent(100, 3us)
            .memorySample(1, 2, 3, 4us)
            .step(7, 0us, 40us)
            .window(0us, 50us)
            .block(1, 0us, 10us, true)
            .counter("SM Clock [MHz]", 5us, 1500)
            .health(Severity::Warning, "code", "message")
            .build();
    }

    test::TemporaryFolder m_folder;
    std::string m_file = (m_folder.path() / "run.sqlite").string();
};

TEST_F(TraceCacheTest, GivesBackEveryFieldAsItWas) {
    Trace trace = someTrace();
    cache().write(trace);
    std::optional<Trace> again = cache().read();
    ASSERT_TRUE(again);
    EXPECT_TRUE(areEqual(*again, trace));
    again->memoryEvents.at(0).bytes += 1;
    EXPECT_FALSE(areEqual(*again, trace)) << "the comparison sees nothing";
}

TEST_F(TraceCacheTest, GivesBackEverySample) {
    for (const auto& entry : fs::directory_iterator(TACHO_SOURCE_DIR "/share/samples"))
        if (entry.path().extension() == ".sqlite") {
            Trace trace = openTrace({entry.path().string()});
            cache().write(trace);
            std::optional<Trace> again = cache().read();
            ASSERT_TRUE(again);
            EXPECT_TRUE(areEqual(*again, trace)) << entry.path();
        }
}

TEST_F(TraceCacheTest, IsOfNoUseOnceTheFileHasChanged) {
    Trace trace = someTrace();
    cache().write(trace);
    std::ofstream(m_file, std::ios::app) << "more";
    EXPECT_FALSE(cache().read());
}

TEST_F(TraceCacheTest, IsOfNoUseOnceSqliteHasWrittenToTheLogBesideTheFile) {
    Trace trace = someTrace();
    cache().write(trace);
    std::ofstream(m_file + "-wal") << "rows that are not in the file yet";
    EXPECT_FALSE(cache().read());
}

TEST_F(TraceCacheTest, IsOfNoUseCutAnywhere) {
    Trace trace = someTrace();
    cache().write(trace);
    const auto size = fs::file_size(cacheFile());
    for (std::uintmax_t keep = 0; keep < size; keep += 1 + size / 200) {
        cache().write(trace);
        fs::resize_file(cacheFile(), keep);
        EXPECT_FALSE(cache().read()) << keep;
    }
}

TEST_F(TraceCacheTest, WithWrongBytesGivesNothingWrong) {
    Trace trace = someTrace();
    cache().write(trace);
    std::string bytes(fs::file_size(cacheFile()), '\0');
    std::ifstream(cacheFile(), std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    std::mt19937 random(5);
    for (int round = 0; round < 500; ++round) {
        std::string damaged = bytes;
        damaged[random() % damaged.size()] ^= static_cast<char>(1U << random() % 8);
        std::ofstream(cacheFile(), std::ios::binary) << damaged;
        std::optional<Trace> read = cache().read();
        EXPECT_TRUE(!read || areEqual(*read, trace));
    }
}

TEST_F(TraceCacheTest, GoesToTheUsersCacheIfTheFolderCannotBeWritten) {
    fs::create_directory(cacheFile()); // nothing can be renamed to it
    fs::create_directory(cacheFile() + "/x");
    Trace trace = someTrace();
    cache().write(trace);
    EXPECT_TRUE(cache().read());
    EXPECT_FALSE(fs::is_empty(m_folder.path() / "xdg" / "tacho"));
}

TEST_F(TraceCacheTest, LeavesNothingBehindWhereItCannotWrite) {
    fs::create_directory(cacheFile());
    fs::create_directory(cacheFile() + "/x");
    std::ofstream(m_folder.path() / "xdg") << "a file is in the way";
    Trace trace = someTrace();
    cache().write(trace);
    EXPECT_FALSE(cache().read());
    std::size_t entries = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(m_folder.path()))
        ++entries;
    EXPECT_EQ(entries, 3U) << "the trace, and what is in the way";
}

TEST_F(TraceCacheTest, CanBeSwitchedOffAndLeavesSmallFilesAlone) {
    Trace trace = someTrace();
    TraceCache({m_file}).write(trace);
    setenv("TACHO_CACHE", "off", 1);
    cache().write(trace);
    EXPECT_FALSE(fs::exists(cacheFile()));
}

} // namespace
} // namespace tacho
