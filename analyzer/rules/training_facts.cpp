// SPDX-License-Identifier: Apache-2.0
#include "analyzer/rules/training_facts.h"

#include <charconv>

namespace tacho {
namespace {

const Process& processOf(const Trace& trace, const DeviceActivity& activity) {
    return trace.processes[static_cast<std::size_t>(activity.whole.process)];
}

} // namespace

std::optional<std::string_view> TrainingFacts::text(const std::string& name) const {
    const auto found = m_process.facts.find(name);
    if (found == m_process.facts.end())
        return std::nullopt;
    return found->second;
}

std::optional<std::int64_t> TrainingFacts::number(const std::string& name) const {
    const auto value = text(name);
    if (!value)
        return std::nullopt;
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (failure != std::errc{} || end != value->data() + value->size())
        return std::nullopt;
    return number;
}

TrainingFacts factsOf(const Trace& trace, const DeviceActivity& activity) {
    return TrainingFacts(processOf(trace, activity));
}

Framework frameworkOf(const Trace& trace, const DeviceActivity& activity) {
    if (trace.source == Source::Kineto || factsOf(trace, activity).text("torch.version"))
        return Framework::PyTorch;
    return trace.source == Source::Tacho ? Framework::Other : Framework::Unknown;
}

} // namespace tacho
