// SPDX-License-Identifier: Apache-2.0
// Activity buffers, made once, so that CUPTI's callbacks never allocate.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tacho {

/// A fixed number of equal, zero-filled buffers and the queue of those that CUPTI has filled.
///
/// take() and complete() run in the training's threads: lock-free, no allocation, no system call.
/// takeCompleted() and giveBack() belong to the writer thread. Memory is reserved at once but used only as
/// far as it is touched.
class BufferPool {
  public:
    // CUPTI keeps one per launching thread: hence many small ones. With those of EventLog at most 64 MB.
    static constexpr std::uint32_t kBuffers = 320;
    static constexpr std::size_t kBufferBytes = std::size_t{96} * 1024;

    struct Completed {
        std::uint8_t* data;
        std::size_t validBytes;
    };

    /// Makes (or, in a forked child, makes anew) the buffers. False: no memory.
    [[nodiscard]] bool reserve() noexcept;
    /// An empty buffer of kBufferBytes, or null if all are in use.
    [[nodiscard]] std::uint8_t* take() noexcept;
    /// Hands a buffer from take() to the writer.
    void complete(std::uint8_t* buffer, std::size_t validBytes) noexcept;
    /// Buffers that take() gave and giveBack() has not got back.
    [[nodiscard]] std::uint32_t inUse() const noexcept { return m_inUse.load(std::memory_order_relaxed); }
    /// The oldest completed buffer; `data` is null if there is none.
    [[nodiscard]] Completed takeCompleted() noexcept;
    /// Zeroes the buffer and makes it available again.
    void giveBack(const Completed& buffer) noexcept;

  private:
    [[nodiscard]] std::uint8_t* address(std::uint32_t slot) const noexcept {
        return m_memory + slot * kBufferBytes;
    }
    void pushFree(std::uint32_t slot) noexcept;

    static constexpr std::uint32_t kNone = 0xffffffff;
    std::uint8_t* m_memory = nullptr;
    // Stack of free slots: slot in the low half, a count in the high half against the ABA problem.
    std::atomic<std::uint64_t> m_free{kNone};
    std::atomic<std::uint32_t> m_completed{kNone}; // newest first
    std::atomic<std::uint32_t> m_inUse{0};
    std::uint32_t m_oldest = kNone; // writer's own list, oldest first
    std::uint32_t m_next[kBuffers] = {};
    std::size_t m_validBytes[kBuffers] = {};
};

} // namespace tacho
