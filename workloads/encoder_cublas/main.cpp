// SPDX-License-Identifier: Apache-2.0
// A training without a framework: cuBLAS, own kernels, NVTX ranges. The same flags print the same losses.
#include "workloads/encoder_cublas/batches.h"
#include "workloads/encoder_cublas/encoder.h"
#include "workloads/encoder_cublas/gradient_check.h"
#include "workloads/encoder_cublas/options.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <nvtx3/nvToolsExt.h>
#include <string_view>

using namespace tacho::encoder;

namespace {
constexpr int kUsageError = 2;
constexpr int kNoGpu = 3;

constexpr char kUsage[] =
    "usage: encoder_cublas [--batch N] [--steps N] [--precision fp32|tf32] [--input pageable|pinned]\n"
    "                      [--sync-read] [--print-every N] [--seed N]\n"
    "       encoder_cublas --check      compare gradients with finite differences\n";

class Range {
  public:
    explicit Range(const char* name) { nvtxRangePushA(name); }
    ~Range() { nvtxRangePop(); }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;
};

template <typename T>
bool parseNumber(std::string_view text, T& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0;
}

bool parseChoice(std::string_view text, std::string_view no, std::string_view yes, bool& choice) {
    choice = text == yes;
    return choice || text == no;
}

bool parseFlagWithValue(std::string_view flag, std::string_view value, Options& options) {
    if (flag == "--batch")
        return parseNumber(value, options.batch);
    if (flag == "--steps")
        return parseNumber(value, options.steps);
    if (flag == "--print-every")
        return parseNumber(value, options.printEvery);
    if (flag == "--seed")
        return parseNumber(value, options.seed);
    if (flag == "--precision")
        return parseChoice(value, "fp32", "tf32", options.usesTf32);
    if (flag == "--input")
        return parseChoice(value, "pageable", "pinned", options.usesPinnedInput);
    return false;
}

bool parse(int count, char** arguments, Options& options) {
    for (int i = 1; i < count; ++i) {
        const std::string_view flag = arguments[i];
        if (flag == "--sync-read")
            options.readsLossEveryStep = true;
        else if (flag == "--check")
            options.checksGradients = true;
        else if (i + 1 < count && parseFlagWithValue(flag, arguments[i + 1], options))
            ++i;
        else
            return false;
    }
    return true;
}

void trainStep(Encoder& encoder, Batches& batches) {
    {
        const Range range("input");
        encoder.waitForInputCopy();
        batches.next();
        encoder.copyInput(batches.samples(), batches.labels());
    }
    {
        const Range range("forward");
        encoder.forward();
    }
    {
        const Range range("backward");
        encoder.backward();
    }
    const Range range("optimizer");
    encoder.update();
}

void train(const Options& options) {
    const Shape shape;
    Encoder encoder(options, shape);
    Batches batches(options, shape);
    const auto begin = std::chrono::steady_clock::now();
    for (int step = 0; step < options.steps; ++step) {
        const Range range("step");
        trainStep(encoder, batches);
        const bool prints = step % options.printEvery == 0 || step == options.steps - 1;
        if (options.readsLossEveryStep || prints) {
            const float loss = encoder.loss();
            if (prints)
                std::printf("step %d loss %.9g\n", step, loss);
        }
    }
    check(cudaDeviceSynchronize(), "training");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::fprintf(stderr, "%.2f steps/s\n", options.steps / seconds.count());
}
} // namespace

int main(int count, char** arguments) {
    Options options;
    if (!parse(count, arguments, options)) {
        std::fputs(kUsage, stderr);
        return kUsageError;
    }
    int gpus = 0;
    const cudaError_t status = cudaGetDeviceCount(&gpus);
    if (status != cudaSuccess || gpus == 0) {
        std::fprintf(stderr,
                     "encoder_cublas: no GPU to train on (%s); run it on a machine with an NVIDIA GPU.\n",
                     status == cudaSuccess ? "none found" : cudaGetErrorString(status));
        return kNoGpu;
    }
    try {
        if (options.checksGradients)
            return gradientsAgree(options) ? 0 : 1;
        train(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "encoder_cublas: %s\n", error.what());
        return 1;
    }
    return 0;
}
