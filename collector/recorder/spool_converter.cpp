// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/spool_converter.h"

#include "collector/recorder/process_info.h"
#include "collector/recorder/secrets.h"

#include <cstring>
#include <fmt/format.h>
#include <sstream>
#include <vector>

namespace tacho {

using spool::RecordType;
using spool::Severity;

namespace {

// The injected library sends the arguments of its process under this name, one a line, with their secrets:
// stored are only those without.
constexpr std::string_view kArgumentsFact = "process.arguments";
constexpr const char* kTorchProfilerFact = "torch_profiler.seen";

} // namespace

SpoolConverter::SpoolConverter(const std::filesystem::path& spoolFile, TraceRows& rows)
    : m_path(spoolFile), m_rows(&rows), m_reader(spoolFile),
      m_nvtx([this](const NvtxRow& row) { writeNvtx(row); }) {}

bool SpoolConverter::isGrowing() const {
    return m_reader.state() == SpoolReader::State::Reading && !hasEnded() && isRunning(m_reader.header());
}

std::uint64_t SpoolConverter::convert() {
    std::uint64_t records = 0;
    while (!hasEnded()) {
        const std::optional<SpoolRecord> record = m_reader.next();
        if (!m_activity && m_reader.state() == SpoolReader::State::Reading)
            begin();
        if (!record)
            break;
        convert(*record);
        ++records;
    }
    if (isGrowing())
        m_threadNames.look(m_process.pid);
    return records;
}

void SpoolConverter::begin() {
    const spool::FileHeader& header = m_reader.header();
    m_process.pid = header.pid;
    m_process.parentPid = header.parentPid;
    m_process.startNs = static_cast<std::int64_t>(header.startNs);
    m_activity.emplace(*m_rows, header.pid);
}

void SpoolConverter::convert(const SpoolRecord& record) {
    const bool used = convertActivity(record) || convertNvtx(record) || convertProcess(record);
    m_unusable += used ? 0 : 1;
}

bool SpoolConverter::convertActivity(const SpoolRecord& record) {
    const auto add = [&]<class R>(const std::optional<R>& decoded) {
        if (decoded)
            m_activity->add(*decoded);
        return decoded.has_value();
    };
    switch (record.type()) {
    case RecordType::Kernel:
        return add(record.as<spool::Kernel>());
    case RecordType::ApiCall:
        return add(record.as<spool::ApiCall>());
    case RecordType::Memcpy:
        return add(record.as<spool::Memcpy>());
    case RecordType::Memset:
        return add(record.as<spool::Memset>());
    case RecordType::Synchronization:
        return add(record.as<spool::Synchronization>());
    case RecordType::CudaEvent:
        return add(record.as<spool::CudaEvent>());
    case RecordType::LaunchShape:
        return add(record.as<spool::LaunchShape>());
    case RecordType::Overhead:
        return add(record.as<spool::Overhead>());
    case RecordType::GraphTrace:
        return add(record.as<spool::GraphTrace>());
    case RecordType::MemoryOperation:
        return add(record.as<spool::MemoryOperation>());
    case RecordType::Jit:
        return add(record.as<spool::Jit>());
    case RecordType::Module:
        return add(record.as<spool::Module>());
    case RecordType::ModuleCode:
        return addModuleCode(record);
    case RecordType::FrameworkMemory:
        return add(record.as<spool::FrameworkMemory>());
    case RecordType::Device:
        return add(record.as<spool::Device>());
    case RecordType::Context:
        return add(record.as<spool::Context>());
    case RecordType::Stream:
        return add(record.as<spool::Stream>());
    default:
        return false;
    }
}

bool SpoolConverter::convertNvtx(const SpoolRecord& record) {
    switch (record.type()) {
    case RecordType::NvtxEvent:
        return addNvtxEvent(record);
    case RecordType::NvtxPayload:
        return addNvtxPayload(record);
    case RecordType::NvtxDomain:
    case RecordType::NvtxCategory:
        return addNvtxName(record);
    default:
        return false;
    }
}

bool SpoolConverter::convertProcess(const SpoolRecord& record) {
    const auto addStep = [&]<class R>(const std::optional<R>& decoded) {
        if (decoded)
            m_steps.add(*decoded);
        return decoded.has_value();
    };
    switch (record.type()) {
    case RecordType::String:
    case RecordType::ThreadName:
        return addString(record);
    case RecordType::StepEnd:
        return addStep(record.as<spool::StepEnd>());
    case RecordType::Window:
        return addStep(record.as<spool::Window>());
    case RecordType::FullSpeed:
        return addStep(record.as<spool::FullSpeed>());
    case RecordType::Fact:
        return addFact(record);
    case RecordType::Health:
        return addHealth(record);
    case RecordType::End:
        if (const auto end = record.as<spool::End>())
            m_process.endNs = static_cast<std::int64_t>(end->timeNs);
        return hasEnded();
    default:
        return false;
    }
}

bool SpoolConverter::addString(const SpoolRecord& record) {
    const auto named = record.as<spool::StringRecord>();
    const auto text = named ? record.text<spool::StringRecord>(named->textBytes) : std::nullopt;
    if (!text)
        return false;
    if (record.type() == RecordType::String)
        m_activity->addString(named->id, *text);
    else
        m_threadNames.setByNvtx(named->id, std::string(*text));
    return true;
}

bool SpoolConverter::addNvtxEvent(const SpoolRecord& record) {
    const auto event = record.as<spool::NvtxEvent>();
    const auto text = event ? record.text<spool::NvtxEvent>(event->textBytes) : std::nullopt;
    if (text)
        m_nvtx.add(*event, *text);
    m_hasNvtx = m_hasNvtx || text;
    return text.has_value();
}

bool SpoolConverter::addNvtxPayload(const SpoolRecord& record) {
    const auto payload = record.as<spool::NvtxPayload>();
    const auto bytes = payload ? record.text<spool::NvtxPayload>(payload->payloadBytes) : std::nullopt;
    if (bytes)
        m_nvtx.addPayload(*payload, *bytes);
    return bytes.has_value();
}

bool SpoolConverter::addModuleCode(const SpoolRecord& record) {
    const auto module = record.as<spool::ModuleCode>();
    const std::size_t size = module ? std::size_t{module->functions} * sizeof(spool::FunctionCode) : 0;
    const auto bytes = module ? record.text<spool::ModuleCode>(size) : std::nullopt;
    if (bytes) {
        std::vector<spool::FunctionCode> functions(module->functions);
        std::memcpy(functions.data(), bytes->data(), size);
        m_activity->addFunctions(module->moduleId, functions);
    }
    return bytes.has_value();
}

bool SpoolConverter::addFact(const SpoolRecord& record) {
    const auto fact = record.as<spool::Fact>();
    const auto name = fact ? record.text<spool::Fact>(fact->nameBytes) : std::nullopt;
    const auto value = name ? record.text<spool::Fact>(fact->valueBytes, fact->nameBytes) : std::nullopt;
    if (value && *name == kArgumentsFact)
        setCommand(*value);
    else if (value)
        m_process.facts[std::string(*name)] = *value;
    return value.has_value();
}

void SpoolConverter::setCommand(std::string_view lines) {
    std::vector<std::string> arguments;
    std::istringstream text{std::string(lines)};
    for (std::string argument; std::getline(text, argument);)
        arguments.push_back(argument);
    if (arguments.empty())
        return;
    m_process.commandLine = storableCommandLine(arguments);
    m_process.name = std::filesystem::path(arguments.front()).filename().string();
}

bool SpoolConverter::addHealth(const SpoolRecord& record) {
    const auto note = healthOf(record);
    if (note)
        m_rows->health.add(*note, globalThreadId(m_process.pid));
    return note.has_value();
}

void SpoolConverter::finish() {
    if (m_activity) {
        m_nvtx.finish();
        m_activity->finish();
        m_steps.write(m_rows->tables, m_process.pid);
        for (const auto& [threadId, name] : m_threadNames.all())
            m_rows->tables.threadName.row(m_rows->strings.intern(name),
                                          globalThreadId(m_process.pid, threadId));
        m_rows->processes.add(m_process);
        reportLosses();
    }
    reportEnd();
}

void SpoolConverter::reportLosses() {
    const auto report = [&](std::uint64_t count, Severity severity, const char* code, const char* message) {
        if (count > 0)
            m_rows->health.add({severity, code, message, count}, globalThreadId(m_process.pid));
    };
    report(m_activity->untimed(), Severity::DataLoss, "times_unknown",
           "CUPTI could not tell when these events ran; they are not in the file");
    report(m_activity->unresolved(), Severity::DataLoss, "names_unknown",
           "events refer to a name that was lost; they are stored as (unknown)");
    report(m_nvtx.unmatched(), Severity::Info, "nvtx_unmatched",
           "NVTX ranges were ended that never began (or began before recording); they are not in the file");
    report(m_process.facts.contains(kTorchProfilerFact) && m_activity->gpuRecords() > 0 ? 1 : 0,
           Severity::Warning, "torch_profiler_blind",
           "torch.profiler was started too: its own traces have no GPU activity, as CUPTI serves one "
           "profiler in a "
           "process; use one of them at a time");
    report(m_unusable, Severity::DataLoss, "records_unusable",
           "spool records of an unknown kind, or shorter than their kind; they are not in the file");
}

void SpoolConverter::reportEnd() {
    const auto report = [&](Severity severity, const char* code, const std::string& message) {
        const auto process = m_activity ? std::optional(globalThreadId(m_process.pid)) : std::nullopt;
        m_rows->health.add({severity, code, message}, process);
    };
    const std::string name = m_path.filename().string();
    if (!hasEnded() && std::filesystem::exists(m_path.string() + spool::kFailedSuffix))
        return report(Severity::DataLoss, "spool_write_failed",
                      name + " could not be written to its end (is the disk full?): what its process did "
                             "later is not in the file");
    switch (m_reader.state()) {
    case SpoolReader::State::Foreign:
        return report(Severity::Warning, "spool_foreign", name + " is not a spool file and was left out");
    case SpoolReader::State::Newer:
        return report(
            Severity::Error, "spool_newer",
            name + " was written by a newer tacho and was left out: use one version of tacho throughout");
    case SpoolReader::State::Damaged:
        return report(Severity::DataLoss, "spool_damaged",
                      fmt::format("{} is damaged at byte {}: the {} bytes from there on were left out", name,
                                  m_reader.offset(), m_reader.bytesLeft()));
    case SpoolReader::State::Starting:
        return report(Severity::Info, "spool_empty", name + " is empty: its process ended as it began");
    case SpoolReader::State::Reading:
        break;
    }
    // Forked helpers end by _exit as a rule, and lose nothing: only a process with events is worth a warning.
    const bool hasEvents = m_activity->gpuRecords() > 0 || m_hasNvtx;
    if (!hasEnded())
        report(
            hasEvents ? Severity::Warning : Severity::Info, "not_ended",
            fmt::format("process {} was killed, or ended by _exit or exec: its last moments may be missing",
                        m_process.pid));
}

} // namespace tacho
