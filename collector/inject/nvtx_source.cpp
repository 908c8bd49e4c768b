// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/nvtx_source.h"

#include "collector/inject/host_clock.h"
#include "collector/inject/nvtx_names.h"
#include "collector/inject/range_balance.h"
#include "collector/inject/range_trigger.h"
#include "collector/inject/session.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <nvtx3/nvToolsExtPayload.h>

namespace tacho {

namespace {

constinit NvtxNames g_names;
constinit std::atomic<std::uint64_t> g_lastRangeId{0};
constinit RangeTrigger g_trigger;
thread_local RangeBalance t_balance __attribute__((tls_model("initial-exec"))) = {};

constexpr std::size_t kMaxPayload = 1024;

std::uint32_t idOf(nvtxDomainHandle_t domain) noexcept {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(domain));
}

spool::NvtxEvent newEvent(spool::NvtxAction action, std::uint32_t domain,
                          std::uint64_t timeNs = hostNowNs()) noexcept {
    spool::NvtxEvent event{};
    event.header.type = static_cast<std::uint16_t>(spool::RecordType::NvtxEvent);
    event.action = static_cast<std::uint16_t>(action);
    event.threadId = EventLog::threadId();
    event.domain = domain;
    event.timeNs = timeNs;
    return event;
}

/// False: the record was dropped.
bool append(spool::NvtxEvent& event, const char* text = nullptr) noexcept {
    const std::size_t bytes = text ? strnlen(text, spool::kMaxText) : 0;
    event.textBytes = static_cast<std::uint16_t>(bytes);
    return session().log().append(&event, sizeof event, text, bytes);
}

void appendPayload(const nvtxEventAttributes_t& attributes, const spool::NvtxEvent& event) noexcept {
    const auto* payload = static_cast<const nvtxPayloadData_t*>(
        attributes.payload.ullValue ? reinterpret_cast<void*>(attributes.payload.ullValue) : nullptr);
    for (std::int32_t i = 0; payload && i < attributes.reserved0; ++i) {
        if (!payload[i].payload || payload[i].size > kMaxPayload) // SIZE_MAX: a length only the schema knows
            continue;
        spool::NvtxPayload record{};
        record.header.type = static_cast<std::uint16_t>(spool::RecordType::NvtxPayload);
        record.threadId = event.threadId;
        record.schemaId = payload[i].schemaId;
        record.payloadBytes = static_cast<std::uint32_t>(payload[i].size);
        record.domain = event.domain;
        session().log().append(&record, sizeof record, payload[i].payload, payload[i].size);
    }
}

bool append(spool::NvtxEvent& event, const nvtxEventAttributes_t* attributes) noexcept {
    if (!attributes ||
        attributes->size < offsetof(nvtxEventAttributes_t, message) + sizeof attributes->message)
        return append(event);
    char wide[spool::kMaxText + 1];
    const char* text = nullptr;
    if (attributes->messageType == NVTX_MESSAGE_TYPE_ASCII) {
        text = attributes->message.ascii;
    } else if (attributes->messageType == NVTX_MESSAGE_TYPE_UNICODE) {
        narrow(attributes->message.unicode, wide);
        text = wide;
    } else if (attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED) {
        event.registered =
            static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(attributes->message.registered));
    }
    event.category = attributes->category;
    event.hasColor = attributes->colorType == NVTX_COLOR_ARGB ? 1 : 0;
    event.color = event.hasColor ? attributes->color : 0;
    const bool isBytes = attributes->payloadType == NVTX_PAYLOAD_TYPE_EXT;
    if (!isBytes && attributes->payloadType != NVTX_PAYLOAD_UNKNOWN) {
        event.payloadType = static_cast<std::uint16_t>(attributes->payloadType);
        event.payload = attributes->payload.ullValue;
    }
    const bool recorded = append(event, text);
    if (isBytes && recorded)
        appendPayload(*attributes, event);
    return recorded;
}

// What NVTX calls. The shape of the names is NVTX's own: A and W are byte and wide texts, Ex takes
// attributes.

template <typename Text>
void mark(std::uint32_t domain, Text text) noexcept {
    if (!session().isRecording())
        return;
    spool::NvtxEvent event = newEvent(spool::NvtxAction::Mark, domain);
    append(event, text);
}
void onMarkEx(const nvtxEventAttributes_t* attributes) {
    mark(0, attributes);
}
void onDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
    mark(idOf(domain), attributes);
}
void onMarkA(const char* text) {
    mark(0, text);
}
void onMarkW(const wchar_t* text) {
    char utf8[spool::kMaxText + 1];
    narrow(text, utf8);
    onMarkA(utf8);
}

template <typename Text>
nvtxRangeId_t startRange(std::uint32_t domain, Text text) noexcept {
    spool::NvtxEvent event = newEvent(spool::NvtxAction::Start, domain);
    event.rangeId = g_lastRangeId.fetch_add(1, std::memory_order_relaxed) + 1;
    if (session().isRecording()) {
        if (g_trigger.isWaiting())
            g_trigger.started(event.rangeId, text);
        append(event, text);
    }
    return event.rangeId;
}
nvtxRangeId_t onRangeStartEx(const nvtxEventAttributes_t* attributes) {
    return startRange(0, attributes);
}
nvtxRangeId_t onRangeStartA(const char* text) {
    return startRange(0, text);
}
nvtxRangeId_t onRangeStartW(const wchar_t* text) {
    char utf8[spool::kMaxText + 1];
    narrow(text, utf8);
    return startRange(0, static_cast<const char*>(utf8));
}
nvtxRangeId_t onDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
    return startRange(idOf(domain), attributes);
}
void onDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id) {
    spool::NvtxEvent event = newEvent(spool::NvtxAction::End, idOf(domain));
    event.rangeId = id;
    if (!session().isRecording())
        return;
    append(event);
    if (g_trigger.isWaiting())
        g_trigger.ended(id);
}
void onRangeEnd(nvtxRangeId_t id) {
    onDomainRangeEnd(nullptr, id);
}

bool appendPop(std::uint32_t domain, std::uint64_t timeNs) noexcept {
    spool::NvtxEvent event = newEvent(spool::NvtxAction::Pop, domain, timeNs);
    return append(event);
}

template <typename Text>
int pushRange(std::uint32_t domain, Text text) noexcept {
    if (session().isRecording()) {
        if (g_trigger.isWaiting())
            g_trigger.pushed(domain, text);
        spool::NvtxEvent event = newEvent(spool::NvtxAction::Push, domain);
        t_balance.push(
            domain, [&] { return append(event, text); },
            [domain](std::uint64_t timeNs) { return appendPop(domain, timeNs); });
    }
    return NVTX_NO_PUSH_POP_TRACKING; // the depth is the recorder's business
}
int onRangePushEx(const nvtxEventAttributes_t* attributes) {
    return pushRange(0, attributes);
}
int onRangePushA(const char* text) {
    return pushRange(0, text);
}
int onRangePushW(const wchar_t* text) {
    char utf8[spool::kMaxText + 1];
    narrow(text, utf8);
    return pushRange(0, static_cast<const char*>(utf8));
}
int onDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
    return pushRange(idOf(domain), attributes);
}
int onDomainRangePop(nvtxDomainHandle_t domain) {
    if (!session().isRecording())
        return NVTX_NO_PUSH_POP_TRACKING;
    t_balance.pop(idOf(domain), hostNowNs(),
                  [domain](std::uint64_t timeNs) { return appendPop(idOf(domain), timeNs); });
    if (g_trigger.isWaiting())
        g_trigger.popped(idOf(domain));
    return NVTX_NO_PUSH_POP_TRACKING;
}
int onRangePop() {
    return onDomainRangePop(nullptr);
}

void onDomainNameCategoryA(nvtxDomainHandle_t domain, std::uint32_t category, const char* text) {
    spool::NvtxCategory record{};
    record.header.type = static_cast<std::uint16_t>(spool::RecordType::NvtxCategory);
    record.domain = idOf(domain);
    record.category = category;
    record.textBytes = static_cast<std::uint32_t>(text ? strnlen(text, spool::kMaxText) : 0);
    if (session().isRecording())
        session().log().append(&record, sizeof record, text, record.textBytes);
}
void onDomainNameCategoryW(nvtxDomainHandle_t domain, std::uint32_t category, const wchar_t* text) {
    char utf8[spool::kMaxText + 1];
    narrow(text, utf8);
    onDomainNameCategoryA(domain, category, utf8);
}
void onNameCategoryA(std::uint32_t category, const char* text) {
    onDomainNameCategoryA(nullptr, category, text);
}
void onNameCategoryW(std::uint32_t category, const wchar_t* text) {
    onDomainNameCategoryW(nullptr, category, text);
}

void onNameOsThreadA(std::uint32_t threadId, const char* text) {
    spool::StringRecord record{};
    record.header.type = static_cast<std::uint16_t>(spool::RecordType::ThreadName);
    record.id = threadId;
    record.textBytes = static_cast<std::uint32_t>(text ? strnlen(text, spool::kMaxText) : 0);
    if (session().isRecording())
        session().log().append(&record, sizeof record, text, record.textBytes);
}
void onNameOsThreadW(std::uint32_t threadId, const wchar_t* text) {
    char utf8[spool::kMaxText + 1];
    narrow(text, utf8);
    onNameOsThreadA(threadId, utf8);
}

template <typename Handle>
Handle handleOf(std::uint32_t id) noexcept {
    return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(id));
}
nvtxDomainHandle_t onDomainCreateA(const char* name) {
    return handleOf<nvtxDomainHandle_t>(g_names.add(spool::RecordType::NvtxDomain, name));
}
nvtxDomainHandle_t onDomainCreateW(const wchar_t* name) {
    char utf8[spool::kMaxText + 1];
    narrow(name, utf8);
    return onDomainCreateA(utf8);
}
void onDomainDestroy(nvtxDomainHandle_t) {}
nvtxStringHandle_t onDomainRegisterStringA(nvtxDomainHandle_t, const char* text) {
    return handleOf<nvtxStringHandle_t>(g_names.add(spool::RecordType::String, text));
}
nvtxStringHandle_t onDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t* text) {
    char utf8[spool::kMaxText + 1];
    narrow(text, utf8);
    return onDomainRegisterStringA(domain, utf8);
}

/// The slots of one module's table that we fill.
class Table {
  public:
    Table(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module) noexcept {
        if (!callbacks.GetModuleFunctionTable(module, &m_table, &m_size))
            m_size = 0;
    }
    template <typename Function>
    void set(unsigned slot, Function* function) noexcept {
        if (slot < m_size && m_table[slot])
            *m_table[slot] = reinterpret_cast<NvtxFunctionPointer>(function);
    }

  private:
    NvtxFunctionTable m_table = nullptr;
    unsigned m_size = 0;
};

void installCore(const NvtxExportTableCallbacks& callbacks) noexcept {
    Table core(callbacks, NVTX_CB_MODULE_CORE);
    core.set(NVTX_CBID_CORE_MarkEx, onMarkEx);
    core.set(NVTX_CBID_CORE_MarkA, onMarkA);
    core.set(NVTX_CBID_CORE_MarkW, onMarkW);
    core.set(NVTX_CBID_CORE_RangeStartEx, onRangeStartEx);
    core.set(NVTX_CBID_CORE_RangeStartA, onRangeStartA);
    core.set(NVTX_CBID_CORE_RangeStartW, onRangeStartW);
    core.set(NVTX_CBID_CORE_RangeEnd, onRangeEnd);
    core.set(NVTX_CBID_CORE_RangePushEx, onRangePushEx);
    core.set(NVTX_CBID_CORE_RangePushA, onRangePushA);
    core.set(NVTX_CBID_CORE_RangePushW, onRangePushW);
    core.set(NVTX_CBID_CORE_RangePop, onRangePop);
    core.set(NVTX_CBID_CORE_NameCategoryA, onNameCategoryA);
    core.set(NVTX_CBID_CORE_NameCategoryW, onNameCategoryW);
    core.set(NVTX_CBID_CORE_NameOsThreadA, onNameOsThreadA);
    core.set(NVTX_CBID_CORE_NameOsThreadW, onNameOsThreadW);
}

void installDomains(const NvtxExportTableCallbacks& callbacks) noexcept {
    Table core2(callbacks, NVTX_CB_MODULE_CORE2);
    core2.set(NVTX_CBID_CORE2_DomainMarkEx, onDomainMarkEx);
    core2.set(NVTX_CBID_CORE2_DomainRangeStartEx, onDomainRangeStartEx);
    core2.set(NVTX_CBID_CORE2_DomainRangeEnd, onDomainRangeEnd);
    core2.set(NVTX_CBID_CORE2_DomainRangePushEx, onDomainRangePushEx);
    core2.set(NVTX_CBID_CORE2_DomainRangePop, onDomainRangePop);
    core2.set(NVTX_CBID_CORE2_DomainNameCategoryA, onDomainNameCategoryA);
    core2.set(NVTX_CBID_CORE2_DomainNameCategoryW, onDomainNameCategoryW);
    core2.set(NVTX_CBID_CORE2_DomainRegisterStringA, onDomainRegisterStringA);
    core2.set(NVTX_CBID_CORE2_DomainRegisterStringW, onDomainRegisterStringW);
    core2.set(NVTX_CBID_CORE2_DomainCreateA, onDomainCreateA);
    core2.set(NVTX_CBID_CORE2_DomainCreateW, onDomainCreateW);
    core2.set(NVTX_CBID_CORE2_DomainDestroy, onDomainDestroy);
}

} // namespace

int installNvtx(NvtxGetExportTableFunc_t getExportTable) noexcept {
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(
        getExportTable ? getExportTable(NVTX_ETID_CALLBACKS) : nullptr);
    if (!callbacks || callbacks->struct_size < sizeof(NvtxExportTableCallbacks))
        return 0;
    installCore(*callbacks);
    installDomains(*callbacks);
    return 1;
}

void pushPhase(const char* name) noexcept {
    pushRange(NvtxNames::kHookDomain, name);
}

void popPhase() noexcept {
    onDomainRangePop(handleOf<nvtxDomainHandle_t>(NvtxNames::kHookDomain));
}

void nvtxForkedOff() noexcept {
    g_names.forkedOff();
    t_balance = {};
}

void beginNvtx() noexcept {
    spool::StringRecord hook{};
    hook.header.type = static_cast<std::uint16_t>(spool::RecordType::NvtxDomain);
    hook.id = NvtxNames::kHookDomain;
    constexpr char kName[] = "tacho";
    hook.textBytes = sizeof kName - 1;
    session().log().define(&hook, sizeof hook, kName, sizeof kName - 1);
    g_names.redefine();
    const char* const awaited = session().capture().rangeName();
    g_trigger.reset(awaited, awaited ? g_names.add(spool::RecordType::String, awaited) : 0);
}

} // namespace tacho
