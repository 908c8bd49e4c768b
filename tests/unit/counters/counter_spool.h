// SPDX-License-Identifier: Apache-2.0
// What a spool file of a sampler says, as text.
#pragma once

#include "collector/recorder/spool_reader.h"

#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace tacho::test {

/// One line a record: "GPU-1 SM Clock [MHz] @100 = 1980", or "no_nvml: sentence".
inline std::vector<std::string> counterLines(const std::filesystem::path& file) {
    std::vector<std::string> lines;
    std::map<std::uint32_t, std::string> texts;
    SpoolReader reader(file);
    while (const auto record = reader.next()) {
        if (const auto string = record->as<spool::StringRecord>();
            record->type() == spool::RecordType::String)
            texts[string->id] = *record->text<spool::StringRecord>(string->textBytes);
        if (const auto value = record->as<spool::CounterValue>();
            record->type() == spool::RecordType::CounterValue)
            lines.push_back(fmt::format("{} {} @{} = {}", texts[value->gpu], texts[value->counter],
                                        value->timeNs, value->value));
        if (const auto health = record->as<spool::Health>(); record->type() == spool::RecordType::Health)
            lines.push_back(
                fmt::format("{}: {}", *record->text<spool::Health>(health->codeBytes),
                            *record->text<spool::Health>(health->messageBytes, health->codeBytes)));
    }
    return lines;
}

} // namespace tacho::test
