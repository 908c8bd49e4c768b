// SPDX-License-Identifier: Apache-2.0
// What a kernel launch costs its thread while bare CUPTI records, has recorded, and has left the process.
//
//   launch_cost [ROUNDS]      a table, in ns per launch, of medians over the rounds (3)
//
// As in PyTorch, ten calls of cudaGetDevice come with each launch. Each line is measured in processes of its
// own, as what was once on is not free when it is off: that is what the last columns show.
#include "collector/inject/host_clock.h"
#include "tests/bench/floor/listed_calls.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cupti.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kLaunches = 500, kBatches = 24, kOtherCalls = 10, kColumns = 4;
constexpr std::size_t kBufferBytes = std::size_t{1} << 19;

enum class Calls { None, ByActivity, ByCallback };
struct Recording {
    const char* name;
    bool kernels;
    Calls calls;
    bool synchronisation;
};
constexpr Recording kRecordings[] = {
    {"nothing", false, Calls::None, false},
    {"kernels", true, Calls::None, false},
    {"kernels, calls by callbacks", true, Calls::ByCallback, false},
    {"kernels, calls by activity records", true, Calls::ByActivity, false},
    {"kernels, calls by callbacks, synchronisation", true, Calls::ByCallback, true},
};

CUpti_SubscriberHandle g_subscriber;
bool g_isLeaving = false;
std::uint64_t g_noted[1 << 12] = {}; // where callbacks leave their times
unsigned g_next = 0;

void check(CUptiResult result, const char* what) {
    if (result == CUPTI_SUCCESS)
        return;
    std::fprintf(stderr, "launch_cost: %s: CUPTI error %d\n", what, static_cast<int>(result));
    std::_Exit(EXIT_FAILURE);
}

void onCall(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void* data) {
    const auto& call = *static_cast<const CUpti_CallbackData*>(data);
    if (!g_isLeaving) {
        g_noted[g_next++ % (sizeof g_noted / sizeof *g_noted)] = tacho::hostNowNs();
    } else if (call.callbackSite == CUPTI_API_EXIT) {
        g_isLeaving = false;
        check(cuptiFinalize(), "finalising");
    }
}

void bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
    *buffer = static_cast<std::uint8_t*>(std::calloc(1, kBufferBytes));
    *size = kBufferBytes;
    *maxRecords = 0;
}

void bufferCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t) {
    std::free(buffer);
}

void switchCalls(Calls calls, bool on) {
    if (calls == Calls::ByCallback)
        tacho::forEachApiCall(
            [on](CUpti_CallbackDomain domain, CUpti_CallbackId id, const char*, bool isListed) {
                if (isListed)
                    check(cuptiEnableCallback(on ? 1 : 0, g_subscriber, domain, id), "callback");
            });
    if (calls != Calls::ByActivity)
        return;
    for (const auto kind : {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER})
        check(on ? cuptiActivityEnable(kind) : cuptiActivityDisable(kind), "API kind");
    if (on)
        tacho::forEachApiCall(
            [](CUpti_CallbackDomain domain, CUpti_CallbackId id, const char*, bool isListed) {
                const auto leaveOut = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? cuptiActivityEnableRuntimeApi
                                                                            : cuptiActivityEnableDriverApi;
                if (!isListed)
                    check(leaveOut(id, 0), "unlisted call");
            });
}

void switchRecording(const Recording& recording, bool on) {
    const auto change = on ? cuptiActivityEnable : cuptiActivityDisable;
    if (recording.kernels)
        for (const auto kind :
             {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET})
            check(change(kind), "kind");
    if (recording.synchronisation)
        check(change(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION), "synchronisation");
    switchCalls(recording.calls, on);
}

__global__ void emptyKernel() {}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

double nsPerLaunch() {
    std::vector<double> batches;
    for (int batch = 0; batch < kBatches; ++batch) {
        const std::uint64_t begin = tacho::hostNowNs();
        for (int i = 0; i < kLaunches; ++i) {
            int device = 0;
            for (int call = 0; call < kOtherCalls; ++call)
                cudaGetDevice(&device);
            emptyKernel<<<1, 32>>>();
        }
        batches.push_back(static_cast<double>(tacho::hostNowNs() - begin) / kLaunches);
        if (cudaDeviceSynchronize() != cudaSuccess)
            std::_Exit(EXIT_FAILURE);
        check(cuptiActivityFlushAll(0), "flush");
    }
    return median(batches);
}

/// In a child: the columns.
void measure(const Recording& recording, double (&ns)[kColumns]) {
    check(cuptiSubscribe(&g_subscriber, onCall, nullptr), "subscription");
    check(cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted), "buffers");
    cudaFree(nullptr);
    nsPerLaunch(); // warm
    ns[0] = nsPerLaunch();
    switchRecording(recording, true);
    ns[1] = nsPerLaunch();
    switchRecording(recording, false);
    ns[2] = nsPerLaunch();
    g_isLeaving = true;
    check(cuptiEnableDomain(1, g_subscriber, CUPTI_CB_DOMAIN_RUNTIME_API), "all callbacks");
    emptyKernel<<<1, 1>>>();
    cudaDeviceSynchronize();
    ns[3] = nsPerLaunch();
}

bool measureInChild(const Recording& recording, double (&ns)[kColumns]) {
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        measure(recording, ns);
        _exit(write(ends[1], ns, sizeof ns) == sizeof ns ? 0 : 1);
    }
    close(ends[1]);
    const bool isRead = child > 0 && read(ends[0], ns, sizeof ns) == sizeof ns;
    close(ends[0]);
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && isRead;
}

} // namespace

int main(int count, char** arguments) {
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 3;
    constexpr std::size_t kLines = std::size(kRecordings);
    std::vector<double> found[kLines][kColumns];
    for (int round = 0; round < rounds; ++round)
        for (std::size_t line = 0; line < kLines; ++line) {
            double ns[kColumns] = {};
            if (!measureInChild(kRecordings[line], ns)) {
                std::fprintf(stderr, "launch_cost: cannot measure \"%s\"; is there a GPU?\n",
                             kRecordings[line].name);
                return EXIT_FAILURE;
            }
            for (int column = 0; column < kColumns; ++column)
                found[line][column].push_back(ns[column]);
        }
    std::printf("%-46s %10s %10s %10s %10s\n", "ns per launch", "subscribed", "recording", "off again",
                "finalised");
    for (std::size_t line = 0; line < kLines && rounds > 0; ++line) {
        std::printf("%-46s", kRecordings[line].name);
        for (const auto& values : found[line])
            std::printf(" %10.0f", median(values));
        std::printf("\n");
    }
    return EXIT_SUCCESS;
}
