// SPDX-License-Identifier: Apache-2.0
// The part of SpoolConverter that knows the table NVTX_EVENTS.
#include "collector/recorder/spool_converter.h"

#include <bit>

namespace tacho {

namespace {

// Values of ENUM_NSYS_EVENT_TYPE.
enum class NvtxRowType { Category = 33, Mark = 34, PushPop = 59, StartEnd = 60, Domain = 75 };

// Values of nvtxPayloadType_t.
enum class NvtxPayloadType { Uint64 = 1, Int64 = 2, Double = 3, Uint32 = 4, Int32 = 5, Float = 6 };

NvtxRowType rowType(const spool::NvtxEvent& begin) {
    switch (static_cast<spool::NvtxAction>(begin.action)) {
    case spool::NvtxAction::Start:
        return NvtxRowType::StartEnd;
    case spool::NvtxAction::Mark:
        return NvtxRowType::Mark;
    default:
        return NvtxRowType::PushPop;
    }
}

/// `value` if the payload of `event` has type `type`.
template <class T>
std::optional<T> payload(const spool::NvtxEvent& event, NvtxPayloadType type, T value) {
    return event.payloadType == static_cast<int>(type) ? std::optional<T>(value) : std::nullopt;
}

std::optional<std::string_view> nullIf(bool absent, std::string_view text) {
    return absent ? std::nullopt : std::optional(text);
}

} // namespace

void SpoolConverter::writeNvtx(const NvtxRow& row) {
    const spool::NvtxEvent& event = row.begin;
    const NvtxRowType type = rowType(event);
    const bool isStartEnd = type == NvtxRowType::StartEnd;
    const bool isRegistered = event.registered != 0;
    const auto low = static_cast<std::uint32_t>(event.payload);
    const auto endThread = globalThreadId(m_process.pid, row.endThreadId);
    m_rows->tables.nvtx.row(
        event.timeNs, row.endNs, static_cast<int>(type),
        isStartEnd ? std::optional(event.rangeId) : std::nullopt, nullIfZero(event.category),
        event.hasColor != 0 ? std::optional(event.color) : std::nullopt, nullIf(isRegistered, row.text),
        globalThreadId(m_process.pid, event.threadId),
        isStartEnd && row.endNs ? std::optional(endThread) : std::nullopt,
        isRegistered ? std::optional(m_activity->stringId(event.registered)) : std::nullopt, event.domain,
        payload(event, NvtxPayloadType::Uint64, event.payload),
        payload(event, NvtxPayloadType::Int64, event.payload),
        payload(event, NvtxPayloadType::Double, std::bit_cast<double>(event.payload)),
        payload(event, NvtxPayloadType::Uint32, low),
        payload(event, NvtxPayloadType::Int32, static_cast<std::int32_t>(low)),
        payload(event, NvtxPayloadType::Float, double{std::bit_cast<float>(low)}),
        nullIf(row.payload.empty(), row.payload));
}

bool SpoolConverter::addNvtxName(const SpoolRecord& record) {
    spool::NvtxEvent named{};
    std::optional<std::string_view> text;
    const bool isDomain = record.type() == spool::RecordType::NvtxDomain;
    if (const auto domain = record.as<spool::StringRecord>(); isDomain && domain) {
        named.domain = domain->id;
        text = record.text<spool::StringRecord>(domain->textBytes);
    } else if (const auto category = record.as<spool::NvtxCategory>(); !isDomain && category) {
        named.domain = category->domain;
        named.category = category->category;
        text = record.text<spool::NvtxCategory>(category->textBytes);
    }
    if (!text)
        return false;
    const NvtxRowType type = isDomain ? NvtxRowType::Domain : NvtxRowType::Category;
    m_rows->tables.nvtxName.row(m_process.startNs, static_cast<int>(type), nullIfZero(named.category), *text,
                                globalThreadId(m_process.pid), named.domain);
    return true;
}

} // namespace tacho
