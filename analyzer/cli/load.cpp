// SPDX-License-Identifier: Apache-2.0
#include "analyzer/cli/load.h"

#include "analyzer/cli/terminal.h"
#include "analyzer/import/open_trace.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <malloc.h>

namespace tacho {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kMoment = std::chrono::milliseconds(500); // a line that flashes up is worse than none

/// A line that says how far the reading is, wiped off when the reading ends, well or not.
class ProgressLine {
  public:
    ProgressLine() = default;
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine() {
        if (m_shownPercent >= 0)
            std::fputs("\r\x1b[K", stderr);
    }

    void show(double fraction) {
        const int percent = static_cast<int>(100 * fraction);
        if (percent == m_shownPercent || Clock::now() - m_start < kMoment)
            return;
        m_shownPercent = percent;
        fmt::print(stderr, "\rtacho: reading, {} %", percent);
    }

  private:
    Clock::time_point m_start = Clock::now();
    int m_shownPercent = -1;
};

// A big trace takes and gives back blocks of a hundred megabytes. Asking the kernel for each anew took two of
// the four seconds of a report on 10^7 events.
void keepFreedMemory() {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TOP_PAD, 64 << 20);
}

} // namespace

Trace loadTrace(const std::vector<std::string>& files) {
    keepFreedMemory();
    if (!isTerminal(Stream::Stderr))
        return openTrace(files);
    ProgressLine line;
    return openTrace(files, [&](double fraction) { line.show(fraction); });
}

} // namespace tacho
