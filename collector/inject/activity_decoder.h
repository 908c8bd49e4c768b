// SPDX-License-Identifier: Apache-2.0
// CUPTI's activity records, turned into spool records.
#pragma once

#include "collector/inject/cupti_api.h"
#include "collector/inject/intern_table.h"
#include "collector/inject/spool_file.h"

#include <atomic>
#include <cstdint>

namespace tacho {

/// Pure translation: no CUPTI call but the look-up of API names. Writer thread only.
class ActivityDecoder {
  public:
    /// Records that could not be used, by reason; each non-zero one becomes a health note.
    struct Losses {
        std::uint64_t withoutTimes = 0; ///< GPU work whose end CUPTI had not seen when it was told to flush
        std::uint64_t unknownKind = 0;
    };

    /// Starts a new spool file: forgets what was defined in the last one. `file` and `api` are borrowed.
    void reset(SpoolFile& file, const CuptiApi& api) noexcept;
    void decode(const CUpti_Activity& record) noexcept;
    /// Defines `text` in the spool if it is new there, and returns its id.
    [[nodiscard]] std::uint32_t stringId(const char* text) noexcept;
    [[nodiscard]] const Losses& losses() const noexcept { return m_losses; }
    /// The process has made a CUDA context, without which nothing runs on a GPU.
    /// Any thread.
    [[nodiscard]] bool hasContext() const noexcept { return m_hasContext.load(std::memory_order_relaxed); }

  private:
    void kernel(const CUpti_ActivityKernel10& record) noexcept;
    void memcpy(const CUpti_ActivityMemcpy6& record) noexcept;
    void peerMemcpy(const CUpti_ActivityMemcpyPtoP4& record) noexcept;
    template <typename Record>
    void copy(const Record& record, std::uint32_t srcDeviceId, std::uint32_t dstDeviceId) noexcept;
    void memset(const CUpti_ActivityMemset4& record) noexcept;
    void synchronization(const CUpti_ActivitySynchronization2& record) noexcept;
    void overhead(const CUpti_ActivityOverhead3& record) noexcept;
    void graphTrace(const CUpti_ActivityGraphTrace2& record) noexcept;
    void jit(const CUpti_ActivityJit2& record) noexcept;
    void memoryOperation(const CUpti_ActivityMemory4& record) noexcept;
    void context(const CUpti_ActivityContext3& record) noexcept;
    void stream(const CUpti_ActivityStream& record) noexcept;
    [[nodiscard]] std::uint32_t shapeId(const CUpti_ActivityKernel10& record) noexcept;
    [[nodiscard]] bool hasTimes(std::uint64_t start, std::uint64_t end) noexcept;
    template <typename Record>
    void write(Record& record, spool::RecordType type) noexcept;

    SpoolFile* m_file = nullptr;
    const CuptiApi* m_api = nullptr;
    InternTable m_strings;
    InternTable m_shapes;
    Losses m_losses;
    std::atomic<bool> m_hasContext{false};
};

} // namespace tacho
