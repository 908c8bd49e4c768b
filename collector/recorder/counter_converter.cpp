// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/counter_converter.h"

namespace tacho {

bool isCounterFile(const std::filesystem::path& file) {
    return file.extension() == ".spool" && file.stem().string().starts_with("counters-");
}

void CounterConverter::convert() {
    while (const auto record = m_reader.next()) {
        if (record->type() == spool::RecordType::String) {
            const auto string = record->as<spool::StringRecord>();
            if (const auto text =
                    string ? record->text<spool::StringRecord>(string->textBytes) : std::nullopt)
                m_texts.insert_or_assign(string->id, *text);
        } else if (record->type() == spool::RecordType::CounterValue) {
            if (const auto value = record->as<spool::CounterValue>())
                add(*value);
        } else if (record->type() == spool::RecordType::Health) {
            if (const auto note = healthOf(*record))
                m_rows->health.add(*note);
        }
    }
}

void CounterConverter::add(const spool::CounterValue& value) {
    if (const auto gpu = m_rows->gpus.idOf(m_texts[value.gpu]))
        m_rows->counters.add(*gpu, m_texts[value.counter], value.timeNs, value.value);
    else
        m_rows->health.add({spool::Severity::DataLoss, "counters_of_unknown_gpu",
                            "GPU counters were left out: no process of the recording names their GPU"});
}

} // namespace tacho
