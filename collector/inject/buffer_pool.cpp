// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/buffer_pool.h"

#include <cstring>
#include <sys/mman.h>

namespace tacho {

bool BufferPool::reserve() noexcept {
    void* memory = mmap(nullptr, kBuffers * kBufferBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    m_memory = static_cast<std::uint8_t*>(memory);
    m_free = kNone;
    m_completed = kNone;
    m_oldest = kNone;
    m_inUse = 0;
    for (std::uint32_t slot = kBuffers; slot-- > 0;)
        pushFree(slot);
    return true;
}

void BufferPool::pushFree(std::uint32_t slot) noexcept {
    std::uint64_t head = m_free.load(std::memory_order_relaxed);
    std::uint64_t newHead = 0;
    do {
        __atomic_store_n(&m_next[slot], static_cast<std::uint32_t>(head), __ATOMIC_RELAXED);
        newHead = ((head >> 32) + 1) << 32 | slot;
    } while (
        !m_free.compare_exchange_weak(head, newHead, std::memory_order_release, std::memory_order_relaxed));
}

std::uint8_t* BufferPool::take() noexcept {
    std::uint64_t head = m_free.load(std::memory_order_acquire);
    for (;;) {
        const auto slot = static_cast<std::uint32_t>(head);
        if (slot == kNone)
            return nullptr;
        // Another thread may take this slot and change m_next[slot] meanwhile; then the count differs and we
        // retry.
        const std::uint32_t next = __atomic_load_n(&m_next[slot], __ATOMIC_RELAXED);
        const std::uint64_t newHead = ((head >> 32) + 1) << 32 | next;
        if (m_free.compare_exchange_weak(head, newHead, std::memory_order_acquire)) {
            m_inUse.fetch_add(1, std::memory_order_relaxed);
            return address(slot);
        }
    }
}

void BufferPool::complete(std::uint8_t* buffer, std::size_t validBytes) noexcept {
    const auto slot = static_cast<std::uint32_t>(static_cast<std::size_t>(buffer - m_memory) / kBufferBytes);
    m_validBytes[slot] = validBytes;
    std::uint32_t newest = m_completed.load(std::memory_order_relaxed);
    do {
        __atomic_store_n(&m_next[slot], newest, __ATOMIC_RELAXED);
    } while (!m_completed.compare_exchange_weak(newest, slot, std::memory_order_release,
                                                std::memory_order_relaxed));
}

BufferPool::Completed BufferPool::takeCompleted() noexcept {
    if (m_oldest == kNone) { // take all that came since, and turn newest-first into oldest-first
        std::uint32_t slot = m_completed.exchange(kNone, std::memory_order_acquire);
        while (slot != kNone) {
            const std::uint32_t older = m_next[slot];
            // Atomic, as a take() that is about to fail may still be reading it.
            __atomic_store_n(&m_next[slot], m_oldest, __ATOMIC_RELAXED);
            m_oldest = slot;
            slot = older;
        }
    }
    if (m_oldest == kNone)
        return {nullptr, 0};
    const std::uint32_t slot = m_oldest;
    m_oldest = m_next[slot];
    return {address(slot), m_validBytes[slot]};
}

void BufferPool::giveBack(const Completed& buffer) noexcept {
    std::memset(buffer.data, 0, buffer.validBytes);
    m_inUse.fetch_sub(1, std::memory_order_relaxed);
    pushFree(static_cast<std::uint32_t>(static_cast<std::size_t>(buffer.data - m_memory) / kBufferBytes));
}

} // namespace tacho
