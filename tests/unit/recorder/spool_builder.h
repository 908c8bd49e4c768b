// SPDX-License-Identifier: Apache-2.0
// Writes spool files as the injected library would, for tests.
#pragma once

#include "collector/inject/spool_format.h"
#include "collector/recorder/capture_session.h"
#include "tests/unit/temporary_folder.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace tacho::test {

/// The bytes of one spool file. Ids of texts and shapes are given by the test.
class SpoolBuilder {
  public:
    /// No process has this id: the system's highest is lower.
    static constexpr std::int32_t kPid = 5'000'000;

    explicit SpoolBuilder(std::int32_t pid = kPid, std::uint64_t startNs = 1000,
                          std::uint32_t version = spool::kVersion) {
        spool::FileHeader header{};
        std::memcpy(header.magic, spool::kMagic, sizeof header.magic);
        header.version = version;
        header.headerBytes = sizeof header;
        header.pid = pid;
        header.parentPid = 1;
        header.startNs = startNs;
        m_bytes.assign(reinterpret_cast<const char*>(&header), sizeof header);
    }

    /// Any record; `text` follows its fixed part.
    template <class R>
    SpoolBuilder& record(spool::RecordType type, R fixed, std::string_view text = {}) {
        const std::size_t bytes = spool::paddedBytes(sizeof fixed, text.size());
        fixed.header = {static_cast<std::uint16_t>(type), static_cast<std::uint16_t>(bytes)};
        const std::size_t end = m_bytes.size() + bytes;
        m_bytes.append(reinterpret_cast<const char*>(&fixed), sizeof fixed).append(text);
        m_bytes.resize(end);
        return *this;
    }
    SpoolBuilder& raw(std::string_view bytes) {
        m_bytes.append(bytes);
        return *this;
    }
    SpoolBuilder& string(std::uint32_t id, std::string_view text) {
        return named(spool::RecordType::String, id, text);
    }
    SpoolBuilder& named(spool::RecordType type, std::uint32_t id, std::string_view text) {
        spool::StringRecord record{};
        record.id = id;
        record.textBytes = static_cast<std::uint32_t>(text.size());
        return this->record(type, record, text);
    }
    /// A launch shape and a kernel of it.
    SpoolBuilder& kernel(std::uint32_t correlation, std::uint64_t startNs, std::uint64_t endNs) {
        spool::Kernel record{};
        record.correlationId = correlation;
        record.startNs = startNs;
        record.endNs = endNs;
        record.shape = 1;
        return this->record(spool::RecordType::Kernel, record);
    }
    SpoolBuilder& shape(std::uint32_t id, std::uint32_t name) {
        spool::LaunchShape record{};
        record.id = id;
        record.name = name;
        record.gridX = 2;
        return this->record(spool::RecordType::LaunchShape, record);
    }
    SpoolBuilder& nvtx(spool::NvtxAction action, std::uint64_t timeNs, std::string_view text = {},
                       std::uint32_t thread = 7, std::uint32_t domain = 0) {
        spool::NvtxEvent event{};
        event.action = static_cast<std::uint16_t>(action);
        event.timeNs = timeNs;
        event.threadId = thread;
        event.domain = domain;
        event.textBytes = static_cast<std::uint16_t>(text.size());
        return record(spool::RecordType::NvtxEvent, event, text);
    }
    SpoolBuilder& fact(std::string_view name, std::string_view value) {
        spool::Fact record{};
        record.nameBytes = static_cast<std::uint16_t>(name.size());
        record.valueBytes = static_cast<std::uint16_t>(value.size());
        return this->record(spool::RecordType::Fact, record, std::string(name).append(value));
    }
    SpoolBuilder& health(spool::Severity severity, std::string_view code, std::string_view message,
                         std::uint64_t count) {
        spool::Health record{};
        record.severity = static_cast<std::uint32_t>(severity);
        record.count = count;
        record.codeBytes = static_cast<std::uint16_t>(code.size());
        record.messageBytes = static_cast<std::uint16_t>(message.size());
        return this->record(spool::RecordType::Health, record, std::string(code).append(message));
    }
    SpoolBuilder& step(std::uint64_t index, std::uint64_t timeNs) {
        spool::StepEnd record{};
        record.threadId = 7;
        record.index = index;
        record.timeNs = timeNs;
        return this->record(spool::RecordType::StepEnd, record);
    }
    SpoolBuilder& window(bool isOpen, std::uint64_t timeNs) {
        spool::Window record{};
        record.isOpen = isOpen ? 1 : 0;
        record.timeNs = timeNs;
        return this->record(spool::RecordType::Window, record);
    }
    SpoolBuilder& fullSpeed(std::uint64_t startNs, std::uint64_t endNs) {
        spool::FullSpeed record{};
        record.startNs = startNs;
        record.endNs = endNs;
        return this->record(spool::RecordType::FullSpeed, record);
    }
    SpoolBuilder& end(std::uint64_t timeNs) {
        spool::End record{};
        record.timeNs = timeNs;
        return this->record(spool::RecordType::End, record);
    }

    [[nodiscard]] const std::string& bytes() const { return m_bytes; }
    void write(const std::filesystem::path& file) const {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << m_bytes;
    }

  private:
    std::string m_bytes;
};

/// A spool directory as the recorder leaves it when it is killed.
inline std::filesystem::path spoolDirectory(const TemporaryFolder& folder) {
    const std::filesystem::path directory = folder / "run.sqlite.spool";
    std::filesystem::create_directory(directory);
    CaptureSession session;
    session.commandLine = "python train.py";
    session.window = "all";
    session.hostname = "node1";
    session.startUtcNs = 1'700'000'000'000'000'000;
    session.startNs = 500;
    session.exitStatus = 0;
    session.save(directory);
    return directory;
}

} // namespace tacho::test
