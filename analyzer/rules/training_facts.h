// SPDX-License-Identifier: Apache-2.0
// What the hook knows of a training, so that no advice asks for what is on already.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <optional>
#include <string>
#include <string_view>

namespace tacho {

/// Facts of one process, as share/python/tacho_hook/facts.py lists them. Files of other tools hold none: then
/// all is unknown. Borrows the process.
class TrainingFacts {
  public:
    explicit TrainingFacts(const Process& process) : m_process(process) {}

    [[nodiscard]] std::optional<std::string_view> text(const std::string& name) const;
    [[nodiscard]] std::optional<std::int64_t>
    number(const std::string& name) const; ///< absent, too, if it is no number
    /// Known to be 1; false: it is 0, or not known.
    [[nodiscard]] bool isOn(const std::string& name) const { return number(name) == 1; }
    /// Known to be 0.
    [[nodiscard]] bool isOff(const std::string& name) const { return number(name) == 0; }

  private:
    const Process& m_process;
};

/// Of the process that used the device.
[[nodiscard]] TrainingFacts factsOf(const Trace& trace, const DeviceActivity& activity);

enum class Framework : std::uint8_t {
    Unknown, ///< the file does not tell
    PyTorch,
    Other, ///< the hook was there and saw no PyTorch: C++, JAX, TensorFlow ...
};
[[nodiscard]] Framework frameworkOf(const Trace& trace, const DeviceActivity& activity);

} // namespace tacho
