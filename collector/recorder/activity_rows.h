// SPDX-License-Identifier: Apache-2.0
// GPU work and host calls of one process: spool records to table rows.
#pragma once

#include "collector/inject/spool_format.h"
#include "collector/recorder/kernel_code_log.h"
#include "collector/recorder/trace_writer.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tacho {

/// Borrows the TraceRows. A record that refers to a text or launch shape that never came is kept, under the
/// name "(unknown)", and counted.
class ActivityRows {
  public:
    ActivityRows(TraceRows& rows, std::int32_t pid);

    void addString(std::uint32_t id, std::string_view text);
    void add(const spool::LaunchShape& shape);
    void add(const spool::Kernel& kernel);
    void add(const spool::Memcpy& copy);
    void add(const spool::Memset& set);
    void add(const spool::ApiCall& call);
    void add(const spool::Synchronization& synchronization);
    void add(const spool::CudaEvent& event);
    void add(const spool::Overhead& overhead);
    void add(const spool::GraphTrace& graph);
    void add(const spool::MemoryOperation& operation);
    void add(const spool::Jit& jit);
    void add(const spool::Module& module);
    void add(const spool::FrameworkMemory& memory);
    void add(const spool::Device& device);
    void add(const spool::Context& context);
    void add(const spool::Stream& stream);
    void addFunctions(std::uint32_t moduleId, std::span<const spool::FunctionCode> functions);
    /// Writes what can only be known at the end.
    void finish();

    /// StringIds.id of a text of this process.
    [[nodiscard]] std::int64_t stringId(std::uint32_t id);
    /// Records of work whose times CUPTI could not tell; they are not stored.
    [[nodiscard]] std::uint64_t untimed() const { return m_untimed; }
    [[nodiscard]] std::uint64_t unresolved() const { return m_unresolved; }
    /// Records of work on a GPU that were stored.
    [[nodiscard]] std::uint64_t gpuRecords() const { return m_gpuRecords; }

  private:
    struct Text {
        std::string text;
        std::int64_t id;
    };
    struct Shape {
        spool::LaunchShape launch;
        std::int64_t demangledName, shortName, mangledName;
    };
    [[nodiscard]] bool hasTimes(std::uint64_t startNs, std::uint64_t endNs);
    [[nodiscard]] const Text& text(std::uint32_t id);
    [[nodiscard]] const Shape& shape(std::uint32_t id);
    [[nodiscard]] Shape named(const spool::LaunchShape& launch, const std::string& mangled);

    TraceRows* m_rows;
    std::int32_t m_pid;
    std::int64_t m_globalPid;
    Text m_unknownText;
    Shape m_unknownShape;
    std::unordered_map<std::uint32_t, Text> m_texts;
    std::unordered_map<std::uint32_t, Shape> m_shapes;
    KernelCodeLog m_kernelCode;
    std::uint64_t m_untimed = 0, m_unresolved = 0, m_gpuRecords = 0;
};

} // namespace tacho
