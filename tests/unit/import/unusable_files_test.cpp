// SPDX-License-Identifier: Apache-2.0
// Files that cannot be used give one sentence that names the file and says what to do.
#include "analyzer/import/open_trace.h"
#include "analyzer/import/save_trace.h"
#include "analyzer/model/trace_tables.h"
#include "analyzer/sqlite/sqlite.h"
#include "tests/unit/import/temp_files.h"

#include <fmt/format.h>
#include <random>

namespace tacho {
namespace {

class UnusableFiles : public TempFiles {
  protected:
    /// Expects an Error about `file` that has `words` in it.
    static void expectRefused(const std::string& file, const std::string& words) {
        try {
            (void)openTrace({file});
            ADD_FAILURE() << file << " was opened";
        } catch (const Error& error) {
            const std::string message = error.what();
            EXPECT_EQ(message.find(file), 0U) << message;
            EXPECT_NE(message.find(words), std::string::npos) << message;
            EXPECT_EQ(message.find('\n'), std::string::npos) << message;
            EXPECT_EQ(error.status(), ExitStatus::InputUnusable);
        }
    }

    static std::string kineto(int events) {
        std::string json = R"({"schemaVersion": 1, "traceEvents": [)";
        for (int i = 0; i < events; ++i)
            json +=
                fmt::format(R"({}{{"ph":"X","cat":"kernel","name":"gemm_{}","pid":0,"tid":7,"ts":{},"dur":1,)"
                            R"("args":{{"device":0,"stream":7}}}})",
                            i ? "," : "", i, i);
        return json + "]}";
    }

    std::string tachoFile(const std::string& name) const {
        Trace trace;
        trace.processes.emplace_back();
        trace.devices.emplace_back();
        for (int i = 0; i < 2000; ++i) {
            GpuOpRow row;
            row.interval = {timeFromNs(i), timeFromNs(i + 1)};
            append(trace.gpuOps, row);
        }
        saveTrace(trace, path(name));
        return path(name);
    }

    std::string sqlite(const std::string& name, const std::string& sql) const {
        Database(path(name), Database::Mode::Create).execute(sql);
        return path(name);
    }
};

TEST_F(UnusableFiles, Missing) {
    expectRefused(path("missing.sqlite"), "no such file");
}

TEST_F(UnusableFiles, Empty) {
    for (const char* name : {"x.sqlite", "x.json", "x.json.gz"})
        expectRefused(write(name, ""), "is empty");
}

TEST_F(UnusableFiles, AFolderWithoutTraces) {
    expectRefused(folder(), "no .sqlite");
}

TEST_F(UnusableFiles, AFolderOfNothingButForeignFilesGivesTheReasonOfOne) {
    const std::string file = write("config.json", R"({"batch": 32})");
    EXPECT_THROW((void)openTrace({folder()}), Error);
    expectRefused(file, "not a trace of the PyTorch profiler");
}

TEST_F(UnusableFiles, JsonCutShortBeforeItsFirstEvent) {
    const std::string whole = kineto(200);
    for (std::size_t size = 1; size < whole.find('}'); size += 7)
        expectRefused(write("x.json", whole.substr(0, size)), "cut short");
}

TEST_F(UnusableFiles, JsonCutShortGivesTheEventsBeforeTheCut) {
    const std::string whole = kineto(200);
    const std::size_t eventEnd = whole.find("}}") + 2;
    for (std::size_t size = eventEnd; size < whole.size(); size += 97) {
        const std::string text = whole.substr(0, size);
        std::size_t complete = 0;
        for (std::size_t at = text.find("}}"); at != std::string::npos; at = text.find("}}", at + 1))
            ++complete;
        const Trace trace = openTrace({write("x.json", text)});
        EXPECT_EQ(trace.gpuOps.size(), complete) << size;
        EXPECT_EQ(healthCount(trace, "cut_short"), 1) << size;
    }
}

TEST_F(UnusableFiles, GzipCutShortGivesTheEventsBeforeTheCut) {
    const std::string whole = contentOf(writeGzipped("whole.json.gz", kineto(2000)));
    std::size_t before = 0;
    for (std::size_t size = whole.size() / 4; size < whole.size() - 8; size += whole.size() / 20) {
        const Trace trace = openTrace({write("x.json.gz", whole.substr(0, size))});
        EXPECT_GT(trace.gpuOps.size(), before);
        EXPECT_EQ(healthCount(trace, "cut_short"), 1) << size << " of " << whole.size();
        before = trace.gpuOps.size();
    }
    expectRefused(write("x.json.gz", whole.substr(0, 30)), "cut short");
}

TEST_F(UnusableFiles, GzipThatIsDamaged) {
    std::string bytes = contentOf(writeGzipped("whole.json.gz", kineto(20'000)));
    for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 64; ++i)
        bytes[i] = static_cast<char>(~bytes[i]);
    EXPECT_THROW((void)openTrace({write("x.json.gz", bytes)}), Error);
}

TEST_F(UnusableFiles, SqliteCutShortAnywhere) {
    const std::string whole = contentOf(tachoFile("whole.sqlite"));
    for (const std::size_t size :
         {std::size_t{40}, std::size_t{100}, std::size_t{600}, whole.size() / 2, whole.size() - 1})
        expectRefused(write("x.sqlite", whole.substr(0, size)), "cut short");
}

TEST_F(UnusableFiles, SqliteOfOtherPrograms) {
    expectRefused(sqlite("x.sqlite", "CREATE TABLE people (id INTEGER, name TEXT)"),
                  "neither tacho's nor an export");
}

TEST_F(UnusableFiles, NewerFormats) {
    const std::string own = tachoFile("own.sqlite");
    Database(own, Database::Mode::Create)
        .execute("UPDATE TACHO_META SET value = '2' WHERE name = 'format_version'");
    expectRefused(own, "use a newer tacho");
    for (const char* table : {"META_DATA_EXPORT", "EXPORT_META_DATA"})
        expectRefused(sqlite(std::string(table) + ".sqlite",
                             fmt::format("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
                                         "CREATE TABLE TARGET_INFO_GPU (id INTEGER);"
                                         "CREATE TABLE {0} (name TEXT, value TEXT);"
                                         "INSERT INTO {0} VALUES ('EXPORT_SCHEMA_VERSION', '4.0.1')",
                                         table)),
                      "use a newer tacho");
    expectRefused(write("x.json", R"({"traceEvents": [], "schemaVersion": 2})"), "use a newer tacho");
}

TEST_F(UnusableFiles, NotATraceAtAll) {
    expectRefused(write("a.sqlite", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"),
                  "Git LFS pointer");
    expectRefused(write("b.json", "<!DOCTYPE html><html></html>"), "HTML");
    expectRefused(write("c.json", "hello"), "not a trace");
    expectRefused(write("h.json", R"([[1623143089861302, 0, [17, 4096]]])"), "memory timeline");
    expectRefused(write("d.nsys-rep", "anything"), "nsys export");
    expectRefused(write("e.json.zst", "\x28\xb5\x2f\xfd and more"), "zstd -d");
    expectRefused(writeGzipped("f.sqlite.gz", contentOf(tachoFile("own.sqlite"))), "gunzip");
    std::mt19937 engine(3);
    std::string noise(5000, '\0');
    for (char& c : noise)
        c = static_cast<char>(engine());
    noise[0] = '\x01';
    expectRefused(write("g.sqlite", noise), "not a trace");
}

TEST_F(UnusableFiles, JsonOfOtherPrograms) {
    expectRefused(write("a.json", R"({"rocprofiler-sdk-tool": [{"metadata": {}}]})"), "rocprofiler");
    expectRefused(write("b.json", R"({"schema": "1.1.1-chakra.0.0.4", "nodes": [{"id": 1}]})"), "Chakra");
    expectRefused(write("c.json", "[1, 2, 3]"), "not a trace of the PyTorch profiler");
    expectRefused(write("d.json", "[]"), "not a trace of the PyTorch profiler");
    expectRefused(
        write("e.json", R"({"traceEvents": [{"ph":"X","cat":"gfx","name":"draw","ts":1,"dur":2}]})"),
        "not a trace of the PyTorch profiler");
    expectRefused(write("f.json", R"({"a": 1 "b": 2})"), "not valid JSON");
}

TEST_F(UnusableFiles, FilesOfTwoKindsAreNotOneSession) {
    const std::string own = tachoFile("own.sqlite");
    EXPECT_THROW((void)openTrace({own, write("x.json", kineto(3))}), Error);
}

} // namespace
} // namespace tacho
