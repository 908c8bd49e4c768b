// SPDX-License-Identifier: Apache-2.0
// Domains and registered strings: names that NVTX clients hand out handles for.
#pragma once

#include "collector/inject/spool_format.h"

#include <cstddef>
#include <cstdint>
#include <pthread.h>

namespace tacho {

/// Handles are the ids themselves, so that looking one up costs nothing. Ids are never freed: NVTX clients
/// keep handles as long as they like. Registering takes memory of the C library and a lock; it is not for hot
/// paths.
class NvtxNames {
  public:
    static constexpr std::uint32_t kHookDomain = 1;              ///< "tacho"
    static constexpr std::uint32_t kFirstStringId = 0x8000'0000; ///< ids below are the activity decoder's

    /// A new id for a domain or a registered string; known names keep theirs. Also defines it in the spool.
    [[nodiscard]] std::uint32_t add(spool::RecordType type, const char* text) noexcept;
    /// Writes all definitions again.
    void redefine() noexcept;
    /// In a forked child: another thread of the parent may have been inside add(), which no one will leave.
    /// The list itself is whole at any moment.
    void forkedOff() noexcept;

  private:
    struct Name {
        Name* next;
        spool::RecordType type;
        std::uint32_t id;
        std::size_t bytes;
        char text[1]; ///< in truth as long as `bytes`
    };
    static void define(const Name& name) noexcept;
    [[nodiscard]] const Name* find(spool::RecordType type, const char* text,
                                   std::size_t bytes) const noexcept;

    pthread_mutex_t m_mutex = PTHREAD_MUTEX_INITIALIZER;
    Name* m_first = nullptr;
    std::uint32_t m_lastDomain = kHookDomain;
    std::uint32_t m_lastString = kFirstStringId;
};

/// Wide text as UTF-8, cut at spool::kMaxText. `out` has room for kMaxText + 1 bytes.
void narrow(const wchar_t* text, char* out) noexcept;

} // namespace tacho
