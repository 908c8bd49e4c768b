// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/thread_names.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace tacho {

void ThreadNames::look(std::int32_t pid) {
    const auto now = std::chrono::steady_clock::now();
    if (now < m_nextLook)
        return;
    m_nextLook = now + kPeriod;
    std::error_code
        gone; // the process, or the thread, may end while we look: then there is no name to be had
    for (std::filesystem::directory_iterator task(fmt::format("/proc/{}/task", pid), gone), end;
         !gone && task != end; task.increment(gone)) {
        const std::string id = task->path().filename().string();
        std::uint32_t threadId = 0;
        std::from_chars(id.data(), id.data() + id.size(), threadId);
        std::string name;
        if (threadId != 0 && std::getline(std::ifstream(task->path() / "comm"), name) && !name.empty())
            m_bySystem[threadId] = name;
    }
}

std::map<std::uint32_t, std::string> ThreadNames::all() const {
    std::map<std::uint32_t, std::string> names = m_byNvtx;
    names.insert(m_bySystem.begin(), m_bySystem.end()); // which leaves those of NVTX as they are
    return names;
}

} // namespace tacho
