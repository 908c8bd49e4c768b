// SPDX-License-Identifier: Apache-2.0
// Where the training's own threads leave their records (CUDA calls, NVTX, steps, facts) for the writer
// thread.
#pragma once

#include "collector/inject/spool_file.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <pthread.h>

namespace tacho {

/// Records from many threads, each thread filling chunks of its own: no lock, no allocation, and no system
/// call on the way (but once per thread and once per full chunk). Drained by the writer thread.
class EventLog {
  public:
    /// Makes (or, in a forked child, makes anew) the chunks. False: no memory.
    [[nodiscard]] bool reserve() noexcept;
    /// Gives the memory back. REQUIRES that nothing was appended.
    void release() noexcept;

    /// Appends a record of the calling thread. Its `bytes` field is set here. Without a free chunk, or when
    /// called from a signal handler that interrupted append(), the record is dropped and counted: false.
    /// Nothing is appended, nor counted, once close() was called: false.
    bool append(void* record, std::size_t size, const void* tail = nullptr,
                std::size_t tailSize = 0) noexcept;
    /// Appends a record that must not be lost, or that later records of other threads may refer to. Takes a
    /// lock and may wait for the writer: not for hot paths.
    void define(void* record, std::size_t size, const void* tail, std::size_t tailSize) noexcept;

    /// No more records from append(); definitions are still taken.
    void close() noexcept { m_closed.store(true, std::memory_order_relaxed); }

    /// Writes all that was appended before the call to `file`, definitions first, and the records of each
    /// thread in the order it made them. Writer thread only.
    void drain(SpoolFile& file) noexcept;
    [[nodiscard]] std::uint64_t dropped() const noexcept { return m_dropped.load(std::memory_order_relaxed); }

    /// The calling thread ends, or runs in a forked child: it has no chunk any more.
    void forgetThread() noexcept;
    /// The calling thread's id as the kernel knows it; cached.
    [[nodiscard]] static std::uint32_t threadId() noexcept;

  private:
    static constexpr std::uint32_t kChunks = 512;
    static constexpr std::size_t kChunkBytes = std::size_t{64} * 1024;
    enum class State : std::uint32_t { Free, Filling, Full };

    struct Chunk {
        std::atomic<State> state{State::Free};
        std::atomic<std::uint32_t> written{0};
        std::atomic<std::uint32_t> sequence{0}; ///< order in which chunks were taken; 0: not yet, or free
        std::uint32_t drained = 0;              ///< writer's
        std::uint32_t snapshot = 0;             ///< writer's: how far this drain() goes
        bool wasFull = false;                   ///< writer's
        alignas(8) std::uint8_t data[kChunkBytes - 24] = {};
    };
    static_assert(sizeof(Chunk) == kChunkBytes);

    [[nodiscard]] Chunk* chunkFor(std::size_t size) noexcept;
    [[nodiscard]] bool tryDefine(const void* record, std::size_t size, const void* tail,
                                 std::size_t tailSize) noexcept;
    static void put(Chunk& chunk, const void* record, std::size_t size, const void* tail,
                    std::size_t tailSize) noexcept;
    [[nodiscard]] std::size_t snapshot() noexcept;
    void writeDefinitions(SpoolFile& file) noexcept;
    static void writeOut(Chunk& chunk, SpoolFile& file) noexcept;

    Chunk* m_chunks = nullptr;
    std::atomic<bool> m_closed{false};
    std::atomic<std::uint64_t> m_dropped{0};
    std::atomic<std::uint32_t> m_lastSequence{0};
    // How many chunks are free, or more while they change hands. A full log is told from it at once: looking
    // at all chunks took 80 times as long as appending a record, in a training that has too many as it is.
    std::atomic<std::uint32_t> m_free{0};
    std::atomic<std::uint32_t> m_highest{0}; ///< chunks ever used: the writer looks no further
    Chunk* m_inUse[kChunks] = {}; ///< writer's: chunks of this drain(), in the order they were taken
    std::atomic_flag m_defining = ATOMIC_FLAG_INIT;
    Chunk* m_definitions = nullptr; ///< chunk 0
    pthread_key_t m_threadEnd = 0;  ///< its destructor gives the chunk of an ending thread back
    bool m_hasThreadEnd = false;
};

} // namespace tacho
