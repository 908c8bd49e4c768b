// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/kineto_json.h"

#include "analyzer/import/decimal_time.h"
#include "analyzer/import/file_rows.h"
#include "analyzer/import/json_repair.h"
#include "analyzer/import/json_stream.h"
#include "analyzer/import/kineto_collective.h"
#include "analyzer/import/kineto_event.h"
#include "analyzer/import/kineto_session.h"
#include "analyzer/import/trace_entities.h"
#include "analyzer/model/error.h"
#include "analyzer/model/plausible.h"
#include "analyzer/model/trace_tables.h"

#include <fmt/format.h>

namespace tacho {

namespace {

constexpr std::int64_t kEventsPerProgress = 1 << 14;
constexpr std::string_view kStepPrefix = "ProfilerStep#";

std::uint32_t toId(std::optional<std::int64_t> id, std::uint32_t otherwise) {
    return id ? static_cast<std::uint32_t>(*id) : otherwise;
}

SyncKind syncKindOf(std::string_view kind) {
    if (kind == "Event Sync")
        return SyncKind::Event;
    if (kind == "Stream Wait Event")
        return SyncKind::StreamWaitEvent;
    if (kind == "Stream Sync")
        return SyncKind::Stream;
    return kind == "Context Sync" ? SyncKind::Context : SyncKind::Unknown;
}

OverheadKind overheadKindOf(std::string_view name) {
    if (name == "Command Buffer Full")
        return OverheadKind::CommandBufferFull;
    if (name == "Activity Buffer Request")
        return OverheadKind::BufferRequest;
    if (name == "Lazy Function Loading")
        return OverheadKind::LazyFunctionLoading;
    if (name == "Runtime Triggered Module Loading")
        return OverheadKind::ModuleLoading;
    if (name == "Driver Compiler")
        return OverheadKind::DriverCompiler;
    if (name == "Buffer Flush")
        return OverheadKind::BufferFlush;
    if (name == "Instrumentation")
        return OverheadKind::Instrumentation;
    return name == "Resource" ? OverheadKind::Resource : OverheadKind::Unknown;
}

class KinetoReader {
  public:
    KinetoReader(Trace& trace, const std::string& path, const Progress& progress)
        : m_trace(trace), m_stream(path), m_progress(progress), m_session(trace, path), m_rows(trace) {}

    FileSummary read() {
        try {
            readText();
        } catch (const Error&) {
            if (!m_stream.isCutShort() || m_usedEvents == 0)
                throw;
            m_isCutShort = true; // what came before is as good as ever
        }
        if (m_usedEvents == 0 && !m_session.isKineto())
            m_session.failNotKineto(path());
        m_session.finish(m_rows, path());
        noteLosses();
        return {Source::Kineto, m_session.formatVersion(), {}};
    }

  private:
    [[nodiscard]] const std::string& path() const { return m_stream.path(); }

    void readText() {
        if (m_stream.peek() == '[')
            readEvents();
        else
            readRoot();
    }

    void readRoot() {
        bool hasEvents = false;
        m_stream.expect('{');
        if (!m_stream.consume('}')) {
            do {
                const std::string key = m_stream.key();
                if (key == "traceEvents") {
                    hasEvents = true;
                    readEvents();
                } else if (KinetoSession::wants(key)) {
                    m_session.readTopLevel(key, m_stream.value(), path());
                } else {
                    m_session.refuseForeign(key, path());
                    m_stream.skipValue();
                }
            } while (m_stream.consume(','));
            m_stream.expect('}');
        }
        if (!hasEvents)
            m_session.failNotKineto(path());
    }

    void readEvents() {
        m_stream.expect('[');
        if (m_stream.consume(']'))
            return;
        std::int64_t untilProgress = 0;
        do {
            if (m_stream.peek() != '{') { // the root of another program's file, or garbage between events
                if (m_usedEvents == 0)
                    m_session.refuseList(m_stream.peek(), path());
                m_stream.skipValue();
                ++m_badEvents;
            } else {
                readObject(m_stream.value());
            }
            if (--untilProgress < 0 && m_progress) {
                m_progress(m_stream.partRead());
                untilProgress = kEventsPerProgress;
            }
        } while (m_stream.consume(','));
        m_stream.expect(']');
    }

    void readObject(std::string_view text) {
        if (const auto event = m_parser.parse(text))
            return readEvent(*event);
        std::string repaired = repairedJson(text);
        repaired.reserve(repaired.size() + JsonStream::kPadding);
        if (const auto event = m_parser.parse(repaired)) {
            ++m_repairedEvents;
            return readEvent(*event);
        }
        ++m_badEvents;
    }

    void readEvent(const KinetoEvent& event) {
        if (event.phase == "M")
            m_session.readMetadata(event);
        if (event.phase != "X")
            return;
        const KinetoCategory category =
            event.isModule() ? KinetoCategory::Annotation : categoryOf(event.category);
        if (category == KinetoCategory::Other) {
            m_session.countUnused(event.category);
            return;
        }
        ++m_usedEvents;
        const std::int64_t durationNs = event.durationNs.value_or(0);
        if (durationNs < 0)
            ++m_negativeDurations;
        else if (!event.startNs || !isPlausibleTime(*event.startNs) || durationNs > kMostLengthNs ||
                 !isPlausible(*event.startNs, *event.startNs + durationNs))
            ++m_badEvents;
        else
            addRow(event, category, {timeFromNs(*event.startNs), timeFromNs(*event.startNs + durationNs)});
    }

    void addRow(const KinetoEvent& event, KinetoCategory category, Interval interval) {
        if (event.tellsOfCollective())
            addCollective(event, category, interval);
        switch (category) {
        case KinetoCategory::Kernel:
        case KinetoCategory::Memcpy:
        case KinetoCategory::Memset:
            return addGpuOp(event, category, interval);
        case KinetoCategory::Runtime:
            return append(m_trace.apiCalls,
                          {interval, m_trace.strings.intern(withoutVersionSuffix(event.name)),
                           m_session.hostThread(event), toId(event.correlation, 0)});
        case KinetoCategory::Operator:
        case KinetoCategory::Annotation:
            return addRange(event, category, interval);
        case KinetoCategory::Sync:
            return append(m_trace.syncs,
                          {interval, syncKindOf(event.syncKind.empty() ? event.name : event.syncKind),
                           m_session.process(), toId(event.stream, 0xffffffff), toId(event.correlation, 0)});
        case KinetoCategory::Overhead:
            return append(m_trace.overheads,
                          {interval, overheadKindOf(event.name), m_session.hostThread(event)});
        case KinetoCategory::Other:
            return;
        }
    }

    void addCollective(const KinetoEvent& event, KinetoCategory category, Interval interval) {
        auto row = collectiveOf(event, interval, m_session.process(), m_trace.strings);
        if (!row)
            return;
        if (category != KinetoCategory::Kernel)
            row->thread = m_session.hostThread(event);
        m_trace.collectives.push_back(*row);
    }

    void addGpuOp(const KinetoEvent& event, KinetoCategory category, Interval interval) {
        GpuOpRow row;
        row.interval = interval;
        row.correlation = toId(event.correlation, 0);
        row.stream = toId(event.stream ? event.stream : leadingInteger(event.tid), 0);
        row.device = m_session.device(event);
        row.inGraph = event.graphNode.value_or(0) != 0;
        if (category == KinetoCategory::Kernel) {
            row.name = m_trace.strings.intern(event.name);
            row.shape = event.shape == LaunchShape{} ? kNoRow : m_session.shape(event.shape);
        } else if (category == KinetoCategory::Memcpy) {
            const CopyNature nature = copyNatureOf(event.name);
            row.kind = GpuOpKind::Memcpy;
            row.copyKind = nature.kind;
            row.srcKind = nature.src;
            row.dstKind = nature.dst;
            row.sizeBytes = plausibleBytes(event.bytes.value_or(0));
        } else {
            row.kind = GpuOpKind::Memset;
            row.dstKind = memsetKindOf(event.name);
            row.sizeBytes = plausibleBytes(event.bytes.value_or(0));
        }
        append(m_trace.gpuOps, row);
    }

    void addRange(const KinetoEvent& event, KinetoCategory category, Interval interval) {
        const ThreadIndex thread = m_session.hostThread(event);
        const bool isStep = event.name.substr(0, kStepPrefix.size()) == kStepPrefix;
        if (isStep) { // in traces of 2021 steps are operators
            m_trace.steps.push_back({m_session.process(), thread,
                                     leadingInteger(event.name.substr(kStepPrefix.size())).value_or(0),
                                     interval});
            m_trace.stepSource = StepSource::Annotation;
        }
        append(m_trace.ranges, {interval, m_trace.strings.intern(event.name), StringId{}, thread,
                                isStep || category == KinetoCategory::Annotation ? RangeKind::Annotation
                                                                                 : RangeKind::Operator});
    }

    void noteLosses() {
        if (m_isCutShort)
            m_trace.health.push_back({Severity::DataLoss, "cut_short", 1,
                                      fmt::format("{}: ends in the middle: it was cut short after {} events "
                                                  "that can be used, and what came "
                                                  "later is missing",
                                                  path(), m_usedEvents)});
        if (m_repairedEvents > 0)
            m_trace.health.push_back(
                {Severity::Info, "repaired_event", m_repairedEvents,
                 fmt::format("{}: {} events hold bytes that JSON does not allow; they became question marks",
                             path(), m_repairedEvents)});
        if (m_badEvents > 0)
            m_trace.health.push_back(
                {Severity::DataLoss, "bad_event", m_badEvents,
                 fmt::format("{}: {} events could not be read and were left out", path(), m_badEvents)});
        if (m_negativeDurations > 0)
            m_trace.health.push_back({Severity::DataLoss, "negative_duration", m_negativeDurations,
                                      fmt::format("{}: {} events end before they start and were left out",
                                                  path(), m_negativeDurations)});
    }

    Trace& m_trace;
    JsonStream m_stream;
    const Progress& m_progress;
    KinetoSession m_session;
    FileRows m_rows;
    KinetoEventParser m_parser;
    bool m_isCutShort = false;
    std::int64_t m_usedEvents = 0, m_badEvents = 0, m_repairedEvents = 0, m_negativeDurations = 0;
};

} // namespace

FileSummary readKineto(Trace& trace, const std::string& path, const Progress& progress) {
    return KinetoReader(trace, path, progress).read();
}

} // namespace tacho
