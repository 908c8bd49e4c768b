// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/control_file.h"

#include "collector/inject/spool_format.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tacho {

void ControlFile::reset(const char* directory) noexcept {
    m_path[0] = '\0';
    if (directory)
        std::snprintf(m_path, sizeof m_path, "%s/%s", directory, spool::kControlFile);
}

ControlFile::Command ControlFile::read() const noexcept {
    const int fd = m_path[0] ? open(m_path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return Command::None;
    char text[8] = {};
    [[maybe_unused]] const ssize_t bytes = ::read(fd, text, sizeof text - 1); // what failed leaves it empty
    close(fd);
    if (std::strncmp(text, spool::kControlStart, sizeof spool::kControlStart - 1) == 0)
        return Command::Start;
    const bool isStop = std::strncmp(text, spool::kControlStop, sizeof spool::kControlStop - 1) == 0;
    return isStop ? Command::Stop : Command::None;
}

} // namespace tacho
