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
    const ssize_t bytes = ::read(fd, text, sizeof text - 1);
    close(fd);
    if (bytes >= 5 && std::strncmp(text, spool::kControlStart, 5) == 0)
        return Command::Start;
    return bytes >= 4 && std::strncmp(text, spool::kControlStop, 4) == 0 ? Command::Stop : Command::None;
}

} // namespace tacho
