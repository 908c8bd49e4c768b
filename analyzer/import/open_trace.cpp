// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/open_trace.h"

#include "analyzer/import/file_kind.h"
#include "analyzer/import/file_rows.h"
#include "analyzer/import/impossible_durations.h"
#include "analyzer/import/kineto_json.h"
#include "analyzer/import/sqlite_trace.h"
#include "analyzer/import/trace_cache.h"
#include "analyzer/model/error.h"
#include "analyzer/model/trace_tables.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace tacho {

namespace {

struct InputFile {
    std::string path;
    bool isFromFolder = false; ///< nobody named it: it may turn out not to be a trace
};

bool looksLikeTrace(const std::filesystem::path& path) {
    static constexpr std::array<std::string_view, 5> kEndings = {".sqlite", ".sqlite.partial", ".db", ".json",
                                                                 ".json.gz"};
    const std::string name = path.filename().string();
    return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
        return name.size() > ending.size() &&
               name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
    });
}

std::vector<InputFile> filesOf(const std::vector<std::string>& paths) {
    std::vector<InputFile> files;
    for (const std::string& path : paths) {
        if (!std::filesystem::is_directory(path)) {
            files.push_back({path});
            continue;
        }
        std::vector<InputFile> inFolder;
        for (const auto& entry : std::filesystem::directory_iterator(path))
            if (entry.is_regular_file() && looksLikeTrace(entry.path()))
                inFolder.push_back({entry.path().string(), true});
        if (inFolder.empty())
            throw Error(fmt::format("{}: the folder has no .sqlite, .json or .json.gz file in it", path));
        std::sort(inFolder.begin(), inFolder.end(),
                  [](const InputFile& a, const InputFile& b) { return a.path < b.path; });
        files.insert(files.end(), inFolder.begin(), inFolder.end());
    }
    return files;
}

/// Reads the files of one session, one after the other, into one trace.
class SessionReader {
  public:
    explicit SessionReader(const Progress& progress) : m_progress(progress) {}

    Trace read(const std::vector<InputFile>& files) {
        std::optional<Error> lastFailure;
        for (std::size_t i = 0; i < files.size(); ++i) {
            const FileRows rows(m_trace);
            const Progress part = [&, this](double fraction) {
                if (m_progress)
                    m_progress((static_cast<double>(i) + fraction) / static_cast<double>(files.size()));
            };
            try {
                readFile(files[i].path, rows, part);
            } catch (const Error& error) {
                if (!files[i].isFromFolder)
                    throw;
                rows.discard(m_trace);
                m_trace.health.push_back(
                    {Severity::Warning, "file_left_out", 1, fmt::format("left out: {}", error.what())});
                lastFailure = error;
            }
        }
        if (m_trace.files.empty() && lastFailure)
            throw Error(*lastFailure);
        noteSharedRanks();
        if (m_trace.steps.empty())
            m_trace.stepSource = StepSource::None;
        completeTables(m_trace);
        setAsideImpossibleDurations(m_trace);
        if (m_progress)
            m_progress(1);
        return std::move(m_trace);
    }

  private:
    void readFile(const std::string& path, const FileRows& rows, const Progress& progress) {
        const FileKind kind = detectKind(path);
        const FileSummary file = kind == FileKind::Json ? readKineto(m_trace, path, progress)
                                                        : readSqlite(m_trace, path, progress);
        if (m_trace.files.empty()) {
            m_trace.source = file.source;
            m_trace.formatVersion = file.formatVersion;
            m_utcOfZeroNs = file.utcOfZeroNs;
        } else if (m_trace.source != file.source) {
            throw Error(
                fmt::format("{}: is of another kind than {}; the files of one session have the same kind",
                            path, m_trace.files.front()));
        } else if (m_utcOfZeroNs && file.utcOfZeroNs) {
            rows.shift(m_trace, DurationNs{*file.utcOfZeroNs - *m_utcOfZeroNs});
        }
        m_trace.files.push_back(path);
    }

    void noteSharedRanks() {
        std::map<int, std::string> fileOfRank;
        for (const Process& process : m_trace.processes) {
            if (!process.rank)
                continue;
            const std::string& first = fileOfRank.try_emplace(*process.rank, process.file).first->second;
            if (first != process.file)
                m_trace.health.push_back({Severity::Warning, "rank_twice", 1,
                                          fmt::format("{} and {} both have rank {}: are they of one run?",
                                                      first, process.file, *process.rank)});
        }
    }

    const Progress& m_progress;
    Trace m_trace;
    std::optional<std::int64_t> m_utcOfZeroNs; ///< of the first file
};

} // namespace

Trace openTrace(const std::vector<std::string>& paths, const Progress& progress) {
    const std::vector<InputFile> files = filesOf(paths);
    if (files.empty())
        throw Error("no file was given to open", ExitStatus::Usage);
    std::vector<std::string> names;
    for (const InputFile& file : files)
        names.push_back(file.path);
    const TraceCache cache(names);
    if (std::optional<Trace> trace = cache.read())
        return std::move(*trace);
    Trace trace = SessionReader(progress).read(files);
    cache.write(trace);
    return trace;
}

} // namespace tacho
