// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/spool_follower.h"

#include "analyzer/model/error.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

namespace tacho {

namespace {

/// Process id and number of "<pid>-<n>.spool"; absent: another file.
std::optional<std::pair<std::int64_t, std::int64_t>> imageKey(const std::filesystem::path& file) {
    if (file.extension() != ".spool")
        return std::nullopt;
    const std::string name = file.stem().string();
    const char* const end = name.data() + name.size();
    std::int64_t pid = 0, number = 0;
    const auto [dash, pidError] = std::from_chars(name.data(), end, pid);
    if (pidError != std::errc() || dash == end || *dash != '-')
        return std::nullopt;
    const auto [rest, numberError] = std::from_chars(dash + 1, end, number);
    if (numberError != std::errc() || rest != end)
        return std::nullopt;
    return std::pair{pid, number};
}

void include(FollowedSteps& sum, const StepLog& log) {
    sum.steps = std::max(sum.steps, log.steps());
    sum.isRecording = sum.isRecording || log.isRecording();
    sum.hasRecorded = sum.hasRecorded || log.hasRecorded();
    sum.isOver = sum.isOver || log.isOver();
    sum.mayRecordMore = sum.mayRecordMore || (log.hasRecorded() && !log.isOver());
}

} // namespace

SpoolFollower::SpoolFollower(std::filesystem::path spoolDirectory, TraceWriter& writer)
    : m_directory(std::move(spoolDirectory)), m_writer(&writer) {}

void SpoolFollower::findFiles() {
    std::error_code error;
    const std::filesystem::directory_iterator entries(m_directory, error);
    if (error == std::errc::no_such_file_or_directory)
        return noteRemovedFolder();
    if (error)
        throw Error(fmt::format("{}: cannot read this folder: {}", m_directory.string(), error.message()));
    for (const auto& entry : entries) {
        const auto key = imageKey(entry.path());
        if (key && !m_files.contains(*key))
            m_files.emplace(*key, std::make_unique<SpoolConverter>(entry.path(), m_writer->rows()));
        else if (isCounterFile(entry.path()))
            m_counters.try_emplace(entry.path(), entry.path(), m_writer->rows());
    }
}

// Files that were open can still be read, and written by their processes.
void SpoolFollower::noteRemovedFolder() {
    if (std::exchange(m_isFolderRemoved, true))
        return;
    m_writer->rows().health.add(
        {spool::Severity::DataLoss, "spool_folder_removed",
         m_directory.string() +
             " was removed during the recording: processes that started later are not in the file"});
}

void SpoolFollower::convert() {
    findFiles();
    for (auto& [key, file] : m_files) {
        if (!file)
            continue;
        m_events += file->convert();
        if (!file->hasEnded())
            continue;
        // Closed early, as a training may start thousands of short-lived processes.
        file->finish();
        include(m_finishedSteps, file->steps());
        m_finishedSteps.isRecording = m_finishedSteps.isOver = m_finishedSteps.mayRecordMore = false;
        file.reset();
    }
    for (auto& [path, counters] : m_counters) // after the processes, which name the GPUs
        counters.convert();
}

void SpoolFollower::poll() {
    Transaction batch = m_writer->beginBatch();
    convert();
    batch.commit();
}

void SpoolFollower::finish() {
    Transaction batch = m_writer->beginBatch();
    convert();
    for (auto& [key, file] : m_files)
        if (file)
            file->finish();
    if (m_files.empty())
        m_writer->rows().health.add(
            {spool::Severity::Warning, "nothing_recorded",
             "no process of the command used CUDA, NVTX, or Python with torch: there was nothing to record"});
    batch.commit();
}

FollowedSteps SpoolFollower::steps() const {
    FollowedSteps sum = m_finishedSteps;
    for (const auto& [key, file] : m_files)
        if (file)
            include(sum, file->steps());
    return sum;
}

std::vector<std::int32_t> SpoolFollower::growingProcesses() const {
    std::vector<std::int32_t> pids;
    for (const auto& [key, file] : m_files)
        if (file && file->isGrowing())
            pids.push_back(file->pid());
    return pids;
}

} // namespace tacho
