// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/floor/floor_options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tacho {

namespace {

[[noreturn]] void refuse(const char* name, const char* value) noexcept {
    std::fprintf(stderr, "tacho_floor: %s=%s means nothing\n", name, value);
    std::_Exit(EXIT_FAILURE);
}

template <typename Number>
std::optional<Number> number(const char* name) noexcept {
    const char* const text = std::getenv(name);
    if (!text)
        return std::nullopt;
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text, &end, 10);
    if (end == text || *end != '\0')
        refuse(name, text);
    return static_cast<Number>(value);
}

FloorOptions::Api apiFromEnvironment() noexcept {
    using Api = FloorOptions::Api;
    const char* const text = std::getenv("FLOOR_API");
    if (!text || std::strcmp(text, "all_but_unlisted") == 0)
        return Api::AllButUnlisted;
    if (std::strcmp(text, "only_listed") == 0)
        return Api::OnlyListed;
    if (std::strcmp(text, "whole") == 0)
        return Api::Whole;
    refuse("FLOOR_API", text);
}

} // namespace

FloorOptions FloorOptions::fromEnvironment() noexcept {
    FloorOptions options;
    if (const char* const kinds = std::getenv("FLOOR_KINDS"))
        options.kinds = kinds;
    options.api = apiFromEnvironment();
    options.subscribes = number<bool>("FLOOR_SUBSCRIBE").value_or(false);
    options.ownClock = number<bool>("FLOOR_OWN_CLOCK").value_or(false);
    options.systemThreadIds = number<bool>("FLOOR_SYSTEM_THREAD_IDS").value_or(false);
    options.zeroedBuffers = number<bool>("FLOOR_ZEROED");
    options.perThreadBuffers = number<bool>("FLOOR_PER_THREAD");
    options.pinnedDeviceBuffers = number<bool>("FLOOR_PINNED");
    options.allSyncRecords = number<bool>("FLOOR_ALL_SYNC");
    options.deviceBufferBytes = number<std::size_t>("FLOOR_DEVICE_BUFFER_BYTES");
    options.deviceBuffers = number<std::size_t>("FLOOR_DEVICE_BUFFERS");
    options.flushPeriodMs = number<std::uint32_t>("FLOOR_FLUSH_MS");
    return options;
}

bool FloorOptions::hasKind(const char* kind) const noexcept {
    const std::size_t size = std::strlen(kind);
    for (const char* at = kinds; (at = std::strstr(at, kind)) != nullptr; at += size)
        if ((at == kinds || at[-1] == ',') && (at[size] == ',' || at[size] == '\0'))
            return true;
    return false;
}

} // namespace tacho
