// SPDX-License-Identifier: Apache-2.0
// How fast the records of a training get into the spool, and from there into SQLite. Needs no GPU.
//
//     recorder_throughput [LAUNCHES]
//
// Fabricated CUPTI records go through the injected library's decoder into a spool file, and that through the
// recorder into a trace file, both in a temporary folder that is removed. Speeds are per second of processor
// time, so that other work on the machine does not count.
#include "collector/inject/activity_decoder.h"
#include "collector/recorder/spool_follower.h"
#include "collector/recorder/trace_writer.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

double processorSeconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string name = fs::temp_directory_path() / "tacho_bench_XXXXXX";
        if (!mkdtemp(name.data())) {
            std::perror(name.c_str());
            std::exit(EXIT_FAILURE);
        }
        m_path = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { fs::remove_all(m_path); }
    [[nodiscard]] const fs::path& path() const { return m_path; }

  private:
    fs::path m_path;
};

/// A launch-bound training as CUPTI tells of it: 400 kernels with some hundred names, launched again and
/// again, each with its API call; every 64th launch is a copy.
class Training {
  public:
    explicit Training(tacho::ActivityDecoder& decoder) : m_decoder(&decoder) {
        for (int i = 0; i < kNames; ++i)
            m_names.push_back("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_add" +
                              std::to_string(i) + "IfEESt5arrayIPcLm3EEEEviT0_T1_");
    }

    /// Returns the number of records.
    std::uint64_t launch(std::uint32_t number) {
        m_now += 9'000;
        const bool isCopy = number % 64 == 0;
        call(number, isCopy);
        isCopy ? copy(number) : kernel(number);
        return 2;
    }

  private:
    template <typename Record>
    void deliver(const Record& record) {
        const void* const bytes = &record;
        m_decoder->decode(*static_cast<const CUpti_Activity*>(bytes));
    }

    void call(std::uint32_t number, bool isCopy) {
        CUpti_ActivityAPI call{};
        call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
        call.cbid = isCopy ? CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020
                           : CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
        call.start = m_now;
        call.end = m_now + 4'000;
        call.threadId = 4711;
        call.correlationId = number;
        deliver(call);
    }

    void kernel(std::uint32_t number) {
        const auto shape = static_cast<std::int32_t>(number % kShapes);
        CUpti_ActivityKernel10 kernel{};
        kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        kernel.name = m_names[static_cast<std::size_t>(shape % kNames)].c_str();
        kernel.start = m_now + 6'000;
        kernel.end = m_now + 8'500;
        kernel.gridX = 1 + shape;
        kernel.gridY = kernel.gridZ = kernel.blockY = kernel.blockZ = 1;
        kernel.blockX = 128;
        kernel.registersPerThread = 32;
        kernel.streamId = 7;
        kernel.contextId = 1;
        kernel.correlationId = number;
        kernel.gridId = number;
        deliver(kernel);
    }

    void copy(std::uint32_t number) {
        CUpti_ActivityMemcpy6 copy{};
        copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
        copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
        copy.bytes = 4096;
        copy.start = m_now + 6'000;
        copy.end = m_now + 8'500;
        copy.streamId = 7;
        copy.contextId = 1;
        copy.correlationId = number;
        deliver(copy);
    }

    static constexpr int kNames = 150;
    static constexpr std::uint32_t kShapes = 400;
    tacho::ActivityDecoder* m_decoder;
    std::vector<std::string> m_names;
    std::uint64_t m_now = 1'000'000'000;
};

tacho::CuptiApi cuptiWithNames() {
    tacho::CuptiApi api;
    api.version = CUPTI_API_VERSION;
    api.getCallbackName = [](CUpti_CallbackDomain, std::uint32_t id, const char** name) {
        *name = id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000 ? "cudaLaunchKernel_v7000"
                                                                      : "cudaMemcpyAsync_v3020";
        return CUPTI_SUCCESS;
    };
    return api;
}

void printSpeed(const char* what, std::uint64_t records, double seconds, std::uintmax_t bytes) {
    const auto count = static_cast<double>(records);
    std::printf("%-18s %6.3f M records/s (%4.0f ns each), %.1f bytes per record\n", what,
                count / seconds / 1e6, seconds / count * 1e9, static_cast<double>(bytes) / count);
}

std::uint64_t writeSpool(const fs::path& folder, std::uint32_t launches) {
    const tacho::CuptiApi api = cuptiWithNames();
    // Both are as big as what they stand for in the library: not for the stack.
    static tacho::SpoolFile file;
    static tacho::ActivityDecoder decoder;
    if (!file.create(folder.c_str())) {
        std::perror(folder.c_str());
        std::exit(EXIT_FAILURE);
    }
    decoder.reset(file, api);
    Training training(decoder);
    const double begin = processorSeconds();
    std::uint64_t records = 0;
    for (std::uint32_t number = 1; number <= launches; ++number)
        records += training.launch(number);
    file.flush();
    printSpeed("CUPTI to spool:", records, processorSeconds() - begin, file.bytesWritten());
    return records;
}

void convert(const fs::path& spool, const fs::path& trace, std::uint64_t records) {
    const auto session = tacho::CaptureSession::startingNow();
    const double begin = processorSeconds();
    tacho::TraceWriter writer(trace, session);
    {
        tacho::SpoolFollower follower(spool, writer);
        follower.poll();
        follower.finish();
    }
    writer.finish(session);
    printSpeed("spool to SQLite:", records, processorSeconds() - begin, fs::file_size(trace));
}

} // namespace

int main(int argc, char** argv) {
    const unsigned long launches = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'000;
    const TemporaryFolder folder;
    const fs::path spool = folder.path() / "spool";
    fs::create_directory(spool);
    const std::uint64_t records = writeSpool(spool, static_cast<std::uint32_t>(launches));
    convert(spool, folder.path() / "trace.sqlite", records);
}
