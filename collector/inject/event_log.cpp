// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/event_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tacho {

namespace {

struct ThreadState {
    void* chunk;
    std::uint32_t id;
    bool appending;
};

// A few bytes, in the block that the loader reserves per thread (initial-exec: no allocation at first use, no
// destructor: nothing to run when the thread ends).
thread_local ThreadState t_thread __attribute__((tls_model("initial-exec"))) = {};

/// Marks the calling thread as inside the log, for signal handlers that come here meanwhile.
class Appending {
  public:
    Appending() noexcept : m_interrupted(t_thread.appending) {
        t_thread.appending = true;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    Appending(const Appending&) = delete;
    Appending& operator=(const Appending&) = delete;
    ~Appending() {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        t_thread.appending = m_interrupted;
    }
    [[nodiscard]] bool hasInterrupted() const noexcept { return m_interrupted; }

  private:
    bool m_interrupted;
};

} // namespace

bool EventLog::reserve() noexcept {
    void* memory = mmap(nullptr, kChunks * kChunkBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    m_chunks = static_cast<Chunk*>(memory); // all zero is an array of free, empty chunks
    m_definitions = m_chunks;
    m_definitions->state = State::Filling;
    m_highest = 1;
    m_free = kChunks - 1;
    m_lastSequence = 0;
    m_dropped = 0;
    m_closed = false;
    m_defining.clear();
    if (!m_hasThreadEnd) {
        const auto end = [](void* log) { static_cast<EventLog*>(log)->forgetThread(); };
        m_hasThreadEnd = pthread_key_create(&m_threadEnd, end) == 0;
    }
    return true;
}

void EventLog::release() noexcept {
    if (m_chunks)
        munmap(m_chunks, kChunks * kChunkBytes);
    m_chunks = nullptr;
}

std::uint32_t EventLog::threadId() noexcept {
    if (t_thread.id == 0)
        t_thread.id = static_cast<std::uint32_t>(syscall(SYS_gettid));
    return t_thread.id;
}

void EventLog::forgetThread() noexcept {
    if (auto* chunk = static_cast<Chunk*>(t_thread.chunk))
        chunk->state.store(State::Full, std::memory_order_release);
    t_thread = {};
}

EventLog::Chunk* EventLog::chunkFor(std::size_t size) noexcept {
    auto* chunk = static_cast<Chunk*>(t_thread.chunk);
    if (chunk && chunk->written.load(std::memory_order_relaxed) + size <= sizeof chunk->data)
        return chunk;
    if (chunk)
        chunk->state.store(State::Full, std::memory_order_release);
    t_thread.chunk = nullptr;
    if (m_free.load(std::memory_order_relaxed) == 0)
        return nullptr;
    for (std::uint32_t i = 1; i < kChunks; ++i) {
        State expected = State::Free;
        if (!m_chunks[i].state.compare_exchange_strong(expected, State::Filling, std::memory_order_acquire))
            continue;
        m_free.fetch_sub(1, std::memory_order_relaxed);
        std::uint32_t highest = m_highest.load(std::memory_order_relaxed);
        while (highest < i + 1 &&
               !m_highest.compare_exchange_weak(highest, i + 1, std::memory_order_release)) {
        }
        m_chunks[i].sequence.store(m_lastSequence.fetch_add(1, std::memory_order_acq_rel) + 1,
                                   std::memory_order_release);
        t_thread.chunk = &m_chunks[i];
        if (m_hasThreadEnd)
            pthread_setspecific(m_threadEnd, this);
        return &m_chunks[i];
    }
    return nullptr;
}

void EventLog::put(Chunk& chunk, const void* record, std::size_t size, const void* tail,
                   std::size_t tailSize) noexcept {
    const std::uint32_t at = chunk.written.load(std::memory_order_relaxed);
    const std::size_t padded = spool::paddedBytes(size, tailSize);
    std::memcpy(chunk.data + at, record, size);
    if (tailSize > 0)
        std::memcpy(chunk.data + at + size, tail, tailSize);
    std::memset(chunk.data + at + size + tailSize, 0, padded - size - tailSize);
    chunk.written.store(at + static_cast<std::uint32_t>(padded), std::memory_order_release);
}

bool EventLog::append(void* record, std::size_t size, const void* tail, std::size_t tailSize) noexcept {
    if (m_closed.load(std::memory_order_relaxed))
        return false;
    const std::size_t padded = spool::paddedBytes(size, tailSize);
    static_cast<spool::RecordHeader*>(record)->bytes = static_cast<std::uint16_t>(padded);
    const Appending guard;
    Chunk* chunk = guard.hasInterrupted() ? nullptr : chunkFor(padded);
    if (chunk)
        put(*chunk, record, size, tail, tailSize);
    else
        m_dropped.fetch_add(1, std::memory_order_relaxed);
    return chunk != nullptr;
}

bool EventLog::tryDefine(const void* record, std::size_t size, const void* tail,
                         std::size_t tailSize) noexcept {
    while (m_defining.test_and_set(std::memory_order_acquire))
        sched_yield();
    const bool fits =
        m_definitions->written.load(std::memory_order_relaxed) + spool::paddedBytes(size, tailSize) <=
        sizeof m_definitions->data;
    if (fits)
        put(*m_definitions, record, size, tail, tailSize);
    m_defining.clear(std::memory_order_release);
    return fits;
}

void EventLog::define(void* record, std::size_t size, const void* tail, std::size_t tailSize) noexcept {
    static_cast<spool::RecordHeader*>(record)->bytes =
        static_cast<std::uint16_t>(spool::paddedBytes(size, tailSize));
    const int savedErrno = errno; // usleep may change it under the host's eyes
    const Appending guard;
    constexpr int kTries = 200; // x 1 ms: several periods of the writer, which empties the chunk
    for (int i = 0; i < kTries && !guard.hasInterrupted(); ++i) {
        if (tryDefine(record, size, tail, tailSize))
            return;
        usleep(1000);
        errno = savedErrno;
    }
    m_dropped.fetch_add(1, std::memory_order_relaxed);
}

void EventLog::writeOut(Chunk& chunk, SpoolFile& file) noexcept {
    while (chunk.drained < chunk.snapshot) {
        spool::RecordHeader header;
        std::memcpy(&header, chunk.data + chunk.drained, sizeof header);
        file.append(chunk.data + chunk.drained, header.bytes);
        chunk.drained += header.bytes;
    }
}

// Decides how far this drain goes in each chunk. A thread leaves a chunk only when it is full, so what its
// newer chunk holds tells that the older one is complete: looking at the newest first never takes a record
// without those that the same thread made before.
std::size_t EventLog::snapshot() noexcept {
    std::size_t count = 0;
    // A chunk taken while we look is for the next time: an older one of its thread may be among those passed
    // already.
    const std::uint32_t last = m_lastSequence.load(std::memory_order_acquire);
    const std::uint32_t highest = m_highest.load(std::memory_order_acquire);
    for (std::uint32_t i = 1; i < highest; ++i) {
        const std::uint32_t sequence = m_chunks[i].sequence.load(std::memory_order_acquire);
        if (sequence != 0 && sequence <= last)
            m_inUse[count++] = &m_chunks[i];
    }
    std::sort(m_inUse, m_inUse + count, [](const Chunk* a, const Chunk* b) {
        return a->sequence.load(std::memory_order_relaxed) < b->sequence.load(std::memory_order_relaxed);
    });
    for (std::size_t i = count; i-- > 0;) {
        m_inUse[i]->wasFull = m_inUse[i]->state.load(std::memory_order_acquire) == State::Full;
        m_inUse[i]->snapshot = m_inUse[i]->written.load(std::memory_order_acquire);
    }
    return count;
}

void EventLog::writeDefinitions(SpoolFile& file) noexcept {
    while (m_defining.test_and_set(std::memory_order_acquire))
        sched_yield();
    m_definitions->snapshot = m_definitions->written.load(std::memory_order_relaxed);
    writeOut(*m_definitions, file);
    m_definitions->drained = 0;
    m_definitions->written.store(0, std::memory_order_relaxed);
    m_defining.clear(std::memory_order_release);
}

void EventLog::drain(SpoolFile& file) noexcept {
    // A record refers only to definitions made before it was appended: so look at the records first, and
    // write the definitions first.
    const std::size_t count = snapshot();
    writeDefinitions(file);
    for (std::size_t i = 0; i < count; ++i) {
        Chunk& chunk = *m_inUse[i];
        writeOut(chunk, file);
        if (!chunk.wasFull)
            continue;
        chunk.drained = 0;
        chunk.written.store(0, std::memory_order_relaxed);
        chunk.sequence.store(0, std::memory_order_relaxed);
        m_free.fetch_add(1, std::memory_order_relaxed);
        chunk.state.store(State::Free, std::memory_order_release);
    }
}

} // namespace tacho
