// SPDX-License-Identifier: Apache-2.0
// Notices when the NVTX range that the capture waits for begins and ends.
#pragma once

#include <cstdint>
#include <nvtx3/nvToolsExt.h>

namespace tacho {

/// Called at every range while a capture waits for one (Capture::rangeName), from any thread. `registered` is
/// the id of that name as a registered string.
class RangeTrigger {
  public:
    /// `name`: what to wait for; null: nothing. Borrowed for ever.
    void reset(const char* name, std::uint32_t registered) noexcept;
    [[nodiscard]] bool isWaiting() const noexcept { return m_name != nullptr; }

    void pushed(std::uint32_t domain, const char* text) noexcept { pushed(domain, isWanted(text)); }
    void pushed(std::uint32_t domain, const nvtxEventAttributes_t* range) noexcept {
        pushed(domain, isWanted(range));
    }
    void popped(std::uint32_t domain) noexcept;
    template <typename Text>
    void started(std::uint64_t id, Text text) noexcept {
        if (isWanted(text))
            started(id);
    }
    void ended(std::uint64_t id) noexcept;

  private:
    [[nodiscard]] bool isWanted(const char* text) const noexcept;
    [[nodiscard]] bool isWanted(const nvtxEventAttributes_t* range) const noexcept;
    static void pushed(std::uint32_t domain, bool isWanted) noexcept;
    static void started(std::uint64_t id) noexcept;

    const char* m_name = nullptr;
    std::uint32_t m_registered = 0;
};

} // namespace tacho
