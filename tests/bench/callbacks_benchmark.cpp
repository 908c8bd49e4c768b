// SPDX-License-Identifier: Apache-2.0
// What the training's own threads pay for each call that ends in the injected library. Needs no GPU.
#include "collector/inject/api_calls.h"
#include "collector/inject/buffer_pool.h"
#include "collector/inject/event_log.h"
#include "collector/inject/host_clock.h"
#include "collector/inject/session.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <nvtx3/nvToolsExt.h>
#include <thread>

namespace {

using tacho::BufferPool;
using tacho::EventLog;

// So many events that they fit in the log without the writer's help: what a drop costs is another question.
constexpr int kEventsThatFit = 100'000;

/// The library itself, recording into a folder that goes with the program.
class Library {
  public:
    Library() {
        std::string folder = std::filesystem::temp_directory_path() / "tacho_bench_XXXXXX";
        if (!mkdtemp(folder.data()))
            std::abort();
        m_folder = folder;
        setenv("TACHO_SPOOL_DIR", m_folder.c_str(), 1);
        setenv("NVTX_INJECTION64_PATH", TACHO_INJECT_LIBRARY, 1);
        void* const library = dlopen(TACHO_INJECT_LIBRARY, RTLD_NOW);
        if (!library)
            std::abort();
        phaseBegin = reinterpret_cast<void (*)(const char*)>(dlsym(library, "tacho_phase_begin"));
        phaseEnd = reinterpret_cast<void (*)()>(dlsym(library, "tacho_phase_end"));
        reinterpret_cast<int (*)()>(dlsym(library, "tacho_attach"))();
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() { std::filesystem::remove_all(m_folder); }

    void (*phaseBegin)(const char*) = nullptr;
    void (*phaseEnd)() = nullptr;

  private:
    std::filesystem::path m_folder;
};

const Library& library() {
    static const Library library;
    return library;
}

void waitForWriter(const benchmark::State&) {
    library();
    std::this_thread::sleep_for(std::chrono::milliseconds(200)); // several of its periods
}

void hostClock(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(tacho::hostNowNs());
}
BENCHMARK(hostClock);

/// Once per some thousand records.
void bufferRequestedAndCompleted(benchmark::State& state) {
    BufferPool pool;
    if (!pool.reserve())
        return state.SkipWithError("no memory");
    for ([[maybe_unused]] auto _ : state) {
        std::uint8_t* const buffer = pool.take();
        pool.complete(buffer, 0);
        pool.giveBack(pool.takeCompleted()); // the writer's part, nothing to be zeroed
    }
}
BENCHMARK(bufferRequestedAndCompleted);

void appendToEventLog(benchmark::State& state) {
    static EventLog log; // as in the library, not on the stack
    if (!log.reserve())
        return state.SkipWithError("no memory");
    tacho::spool::NvtxEvent event{};
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(log.append(&event, sizeof event, "forward", 7));
    if (log.dropped() > 0)
        state.SkipWithError("events were dropped");
    log.forgetThread();
    log.release();
}
BENCHMARK(appendToEventLog)->Iterations(kEventsThatFit);

void nvtxPushAndPop(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        nvtxRangePushA("forward");
        nvtxRangePop();
    }
}
BENCHMARK(nvtxPushAndPop)->Iterations(kEventsThatFit / 2)->Setup(waitForWriter);

/// Both callbacks of one CUDA call, without what CUPTI itself takes to make them.
void cudaCallNoted(benchmark::State& state) {
    if (!tacho::session().start()) // of this program, beside that of the library
        std::abort();
    std::uint64_t betweenEnterAndExit = 0;
    int result = 0;
    CUpti_CallbackData call{};
    call.correlationData = &betweenEnterAndExit;
    call.functionReturnValue = &result;
    for (auto _ : state) {
        call.callbackSite = CUPTI_API_ENTER;
        tacho::apiCalled(CUPTI_CB_DOMAIN_RUNTIME_API, 211, call);
        call.callbackSite = CUPTI_API_EXIT;
        tacho::apiCalled(CUPTI_CB_DOMAIN_RUNTIME_API, 211, call);
    }
}
BENCHMARK(cudaCallNoted)->Iterations(kEventsThatFit)->Setup(waitForWriter);

void phaseBeginAndEnd(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        library().phaseBegin("forward");
        library().phaseEnd();
    }
}
BENCHMARK(phaseBeginAndEnd)->Iterations(kEventsThatFit / 2)->Setup(waitForWriter);

/// A loop of ranges gone wild, faster than the writer: the events are counted only.
void appendToFullEventLog(benchmark::State& state) {
    static EventLog log;
    if (!log.reserve())
        return state.SkipWithError("no memory");
    tacho::spool::NvtxEvent event{};
    while (log.append(&event, sizeof event, "forward", 7)) {
    }
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(log.append(&event, sizeof event, "forward", 7));
    log.forgetThread();
    log.release();
}
BENCHMARK(appendToFullEventLog);

} // namespace

BENCHMARK_MAIN();
