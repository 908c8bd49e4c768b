// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/other_profiler.h"

#include "collector/inject/known_profilers.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tacho {

namespace {

/// Which of two lists' libraries a process has loaded; a bit each.
struct Loaded {
    std::uint32_t profilers = 0;
    std::uint32_t frameworks = 0;
};

template <std::size_t N>
void search(const char* text, const KnownProfiler (&list)[N], std::uint32_t& found) noexcept {
    static_assert(N <= 32);
    for (std::size_t i = 0; i < N; ++i)
        if (std::strstr(text, list[i].library))
            found |= 1U << i;
}

/// Reads in pieces, as it must not allocate; a piece begins with the end of the one before, which may have
/// cut a name.
Loaded loadedIn(const char* maps) noexcept {
    constexpr std::size_t kOverlap = 64; // longer than any name of the lists
    char text[8192] = "";
    Loaded loaded;
    const int fd = open(maps, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return loaded;
    std::size_t kept = 0;
    for (ssize_t bytes = 0; (bytes = read(fd, text + kept, sizeof text - 1 - kept)) > 0;) {
        const std::size_t size = kept + static_cast<std::size_t>(bytes);
        text[size] = '\0';
        search(text, kKnownProfilers, loaded.profilers);
        search(text, kProfilersOfFrameworks, loaded.frameworks);
        kept = size < kOverlap ? size : kOverlap;
        std::memmove(text, text + size - kept, kept);
    }
    close(fd);
    return loaded;
}

template <std::size_t N>
const char* firstOf(const KnownProfiler (&list)[N], std::uint32_t found) noexcept {
    for (std::size_t i = 0; i < N; ++i)
        if ((found >> i & 1U) != 0)
            return list[i].name;
    return nullptr;
}

/// CUPTI tells the name only to one whom it refuses, and only through this call.
bool askCupti(const CuptiApi& api, char (&name)[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN]) noexcept {
    name[0] = '\0';
    if (!api.subscribeV2 || !api.unsubscribe)
        return false;
    CUpti_SubscriberParams params{};
    params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    params.subscriberName = "tacho";
    params.oldSubscriberName = name;
    params.oldSubscriberSize = sizeof name;
    CUpti_SubscriberHandle handle = nullptr;
    if (api.subscribeV2(&handle, nullptr, nullptr, &params) == CUPTI_SUCCESS)
        (void)api.unsubscribe(handle); // the other one has just gone; we were refused all the same
    name[sizeof name - 1] = '\0';
    return name[0] != '\0';
}

} // namespace

void describeOtherProfiler(const CuptiApi& api, const char* maps, char* text, std::size_t size) noexcept {
    constexpr char kLost[] =
        "already uses CUPTI in this process: GPU activity is not recorded, steps and NVTX "
        "ranges are. Record without that profiler";
    char told[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN];
    const Loaded loaded = loadedIn(maps);
    const char* const profiler = firstOf(kKnownProfilers, loaded.profilers);
    const char* const framework = firstOf(kProfilersOfFrameworks, loaded.frameworks);
    if (askCupti(api, told))
        std::snprintf(text, size, "another profiler (%s) %s", told, kLost);
    else if (profiler)
        std::snprintf(text, size, "another profiler (%s) %s", profiler, kLost);
    else if (framework)
        std::snprintf(text, size, "another profiler (probably %s) %s", framework, kLost);
    else
        std::snprintf(text, size, "another profiler %s", kLost);
}

} // namespace tacho
