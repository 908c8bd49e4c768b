// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/recover.h"

#include "analyzer/model/error.h"
#include "collector/recorder/output_place.h"
#include "collector/recorder/spool_follower.h"
#include "collector/recorder/spool_lock.h"
#include "collector/recorder/trace_writer.h"

#include <fmt/format.h>

namespace tacho {

namespace {

namespace fs = std::filesystem;

void refuseIfGrowing(const SpoolFollower& follower, const fs::path& directory) {
    const std::vector<std::int32_t> pids = follower.growingProcesses();
    if (!pids.empty())
        throw Error(fmt::format("{}: process {} still writes to it; recover it when the process has ended",
                                directory.string(), fmt::join(pids, ", ")));
}

} // namespace

fs::path recover(const fs::path& spoolDirectory) {
    fs::path directory = fs::absolute(spoolDirectory).lexically_normal();
    if (!directory.has_filename())
        directory = directory.parent_path(); // "x.spool/"
    const CaptureSession session = CaptureSession::load(directory);
    const SpoolLock lock(directory);
    const fs::path file = freeFile(directory.parent_path() / directory.stem());
    TraceWriter writer(file, session);
    SpoolFollower follower(directory, writer);
    follower.poll();
    refuseIfGrowing(follower, directory);
    follower.finish();
    if (!session.exitStatus)
        writer.rows().health.add({spool::Severity::Info, "recovered",
                                  "the recorder did not end in order; this file was made from what it left"});
    writer.finish(session);
    fs::remove_all(directory);
    return file;
}

void convertSpool(const fs::path& spoolDirectory, const CaptureSession& session, const fs::path& file) {
    TraceWriter writer(file, session);
    SpoolFollower(spoolDirectory, writer).finish();
    writer.finish(session);
}

} // namespace tacho
