// SPDX-License-Identifier: Apache-2.0
// GPU activity through CUPTI: the only file that switches CUPTI on and off.
#pragma once

#include "collector/inject/activity_decoder.h"
#include "collector/inject/buffer_pool.h"
#include "collector/inject/cupti_api.h"
#include "collector/inject/spool_file.h"

#include <atomic>
#include <cstdint>

namespace tacho {

/// One per process, at a fixed address: CUPTI's callbacks carry no context pointer.
///
/// attach(), open(), close() and leave() may be called from any thread, one at a time (Session and Capture
/// see to it); drain() and flush() by the writer thread. Never holds a lock while it calls CUPTI.
///
/// Kinds of activity that were on go on costing every launch when they are off again
/// (docs/decisions/0004-leaving.md): so after a window CUPTI leaves the process.
class CuptiSource {
  public:
    enum class Detail : std::uint8_t { Kernels, Calls }; ///< kernels, copies and sets; with the API calls

    /// Registers with CUPTI but records nothing yet. `file` is borrowed. Returns null, or why GPU activity
    /// cannot be recorded: a sentence that lives for ever.
    [[nodiscard]] const char* attach(const CuptiApi& api, SpoolFile& file, Detail detail) noexcept;
    /// The CUPTI that was attached.
    [[nodiscard]] const CuptiApi& api() const noexcept { return m_api; }
    /// CUPTI is in the process now.
    [[nodiscard]] bool isAttached() const noexcept { return state() == State::Attached; }
    /// It is, or it left and open() will fetch it back.
    [[nodiscard]] bool isUsable() const noexcept { return state() != State::Absent; }

    /// In a forked child: CUPTI does not work on in it, and its locks may be held by threads that are gone.
    void forkedOff() noexcept { m_state.store(State::Absent, std::memory_order_release); }

    /// Switches recording on. False: CUPTI had left, and cannot come back as another profiler took its place.
    [[nodiscard]] bool open() noexcept;
    /// Switches it off. Work launched while it was on is delivered by later flushes.
    void close() noexcept { switchWindowKinds(false); }
    /// Makes CUPTI leave the process as the next CUDA call of any thread returns; to be called again while it
    /// has not, as it stays until all that was recorded is delivered and written. REQUIRES that recording is
    /// off.
    void leave() noexcept;
    /// It is new enough to be taken out and fetched back.
    [[nodiscard]] bool canLeave() const noexcept;
    /// When CUPTI left the process; 0: it has not, or is back.
    [[nodiscard]] std::uint64_t leftNs() const noexcept {
        return state() == State::Left ? m_leftNs.load(std::memory_order_relaxed) : 0;
    }

    /// From now on `called` is told of each cudaProfilerStart (true) and cudaProfilerStop, on its thread.
    void watchProfilerApi(void (*called)(bool start)) noexcept;

    /// Asks CUPTI for the buffers that are complete; with `force`, for all of them (at the end of the
    /// process). They are decoded as they come, as they may be more than there are at once. Returns the
    /// bytes of their records.
    std::uint64_t flush(bool force) noexcept;
    /// Decodes all completed buffers into the spool file.
    void drain() noexcept;
    /// Bytes of CUPTI's records decoded so far. For any thread.
    [[nodiscard]] std::uint64_t bytesDecoded() const noexcept {
        return m_bytesDecoded.load(std::memory_order_relaxed);
    }

    /// The first kind or call that CUPTI refused, as CUPTI's own text; null: none.
    [[nodiscard]] const char* refusal() const noexcept { return m_refusal; }
    [[nodiscard]] std::uint64_t droppedByCupti() const noexcept { return m_droppedByCupti; }
    [[nodiscard]] std::uint64_t buffersRefused() const noexcept {
        return m_buffersRefused.load(std::memory_order_relaxed);
    }
    [[nodiscard]] ActivityDecoder& decoder() noexcept { return m_decoder; }

    /// CUPTI's callbacks, public for the tests that stand in for CUPTI. Called on the training's threads.
    static void bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) noexcept;
    static void bufferCompleted(CUcontext context, std::uint32_t streamId, std::uint8_t* buffer,
                                std::size_t size, std::size_t validSize) noexcept;

  private:
    enum class State : std::uint8_t { Absent, Attached, Leaving, Left };
    [[nodiscard]] State state() const noexcept { return m_state.load(std::memory_order_acquire); }

    static void called(void* source, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                       const void* data) noexcept;
    void apiCalled(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call) noexcept;
    [[nodiscard]] const char* describeOther() noexcept;
    void decodeCompleted() noexcept;
    void leaveNow(const CUpti_CallbackData& call) noexcept;
    void stay() noexcept;
    [[nodiscard]] bool comeBack() noexcept;
    void configure() noexcept;
    void watchAlways() noexcept;
    void switchProcessKinds(bool on) noexcept;
    void switchWindowKinds(bool on) noexcept;
    void check(CUptiResult result) noexcept;

    CuptiApi m_api;
    CUpti_SubscriberHandle m_subscriber = nullptr;
    Detail m_detail = Detail::Calls;
    bool m_recordsWholeGraphs = false;
    void (*m_profilerApiCalled)(bool start) = nullptr;
    BufferPool m_pool;
    ActivityDecoder m_decoder;
    std::atomic<State> m_state{State::Absent};
    std::atomic<std::uint64_t> m_leftNs{0};
    std::atomic<bool> m_isOpen{false};
    std::atomic<bool> m_hasGraphs{false}; ///< a CUDA graph was made, or launched, while CUPTI was here
    std::atomic_flag m_isInUse = ATOMIC_FLAG_INIT; ///< the writer calls CUPTI, or CUPTI is being finalised
    std::atomic<std::uint64_t> m_buffersRefused{0};
    std::atomic<std::uint64_t> m_bytesDecoded{0};
    std::uint64_t m_droppedByCupti = 0;
    std::uint64_t m_bytesAtDropCount = 0; ///< bytesDecoded() when CUPTI was asked last what it dropped
    const char* m_refusal = nullptr;
};

/// The process's source.
[[nodiscard]] CuptiSource& cuptiSource() noexcept;

} // namespace tacho
