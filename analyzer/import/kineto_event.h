// SPDX-License-Identifier: Apache-2.0
// One event of a PyTorch profiler trace, taken out of its JSON text.
#pragma once

#include "analyzer/model/trace.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tacho {

/// What an event is, from its `cat`: nothing else tells GPU work apart (operators and synchronisation carry a
/// stream too).
enum class KinetoCategory : std::uint8_t {
    Other,
    Kernel,
    Memcpy,
    Memset,
    Runtime,
    Operator,
    Annotation,
    Sync,
    Overhead
};

/// Of today's and of 2020's capitalised names.
[[nodiscard]] KinetoCategory categoryOf(std::string_view cat);

/// What the arguments of a kernel, a call or a range tell of a collective.
struct KinetoCollective {
    std::string_view name, elementType, group, groupDescription; ///< "" where they do not say
    std::optional<std::int64_t> inElements, outElements, ranks;
    /// Of the input tensors of a range, as far as their types are known.
    std::int64_t inputBytes = 0;
    std::array<std::int64_t, 4> inputElements{}; ///< of its first tensors; 0: none
};

/// Views are valid until the next parse().
struct KinetoEvent {
    std::string_view phase; ///< "X" a span, "M" metadata, others are not used
    std::string_view category, name;
    std::string_view metadataName; ///< args.name of metadata
    std::string_view syncKind;
    std::string_view pid, tid; ///< as spelt: a number, or a text in quotes
    std::optional<std::int64_t> startNs, durationNs;
    std::optional<std::int64_t> device, stream, correlation, bytes, graphNode;
    LaunchShape shape;
    KinetoCollective collective;
    /// A call of a module of the model. Other Python functions are not used: there are thousands a step.
    [[nodiscard]] bool isModule() const {
        return category == "python_function" && name.starts_with("nn.Module: ");
    }
    /// Whether its arguments are those of a collective. Needs category and name, which come first.
    [[nodiscard]] bool tellsOfCollective() const;
};

/// Of a tensor's type as PyTorch writes it in any of its ways: "Float", "c10::Half", "long int". 0: not
/// known.
[[nodiscard]] std::int64_t elementBytes(std::string_view type);

/// Copy direction and memory kinds that a copy's name tells: "Memcpy HtoD (Pageable -> Device)".
struct CopyNature {
    CopyKind kind = CopyKind::Unknown;
    MemoryKind src = MemoryKind::Unknown, dst = MemoryKind::Unknown;
};
[[nodiscard]] CopyNature copyNatureOf(std::string_view name);

/// Of a set's name: "Memset (Device)".
[[nodiscard]] MemoryKind memsetKindOf(std::string_view name);

/// The names that copyNatureOf() and memsetKindOf() understand. A copy of managed memory gets the name of a
/// plain one: PyTorch has none for it.
[[nodiscard]] std::string copyName(const CopyNature& nature);
[[nodiscard]] std::string memsetName(MemoryKind kind);

class KinetoEventParser {
  public:
    KinetoEventParser();
    ~KinetoEventParser();

    /// `text` is one JSON object, followed by JsonStream::kPadding readable bytes. Nothing if it is broken.
    [[nodiscard]] std::optional<KinetoEvent> parse(std::string_view text);

  private:
    struct Simdjson; ///< keeps simdjson.h out of other files: it costs seconds to compile
    std::unique_ptr<Simdjson> m_simdjson;
};

} // namespace tacho
