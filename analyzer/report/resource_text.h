// SPDX-License-Identifier: Apache-2.0
// Loading of GPU code and use of GPU memory, in a sentence each.
#pragma once

#include "analyzer/metrics/measurements.h"

#include <string>

namespace tacho {

/// "7.6 s to get GPU code: 6.1 s in the driver's compiler (23 modules without code for sm_90), 1.2 s loading
/// modules, 0.3 s loading functions at first use".
[[nodiscard]] std::string codeLoadingText(const Trace& trace, const CodeLoading& loading);

/// The process that it cost most; null: it cost none enough (half a second) to be worth a line.
[[nodiscard]] const CodeLoading* noticeableLoading(const Measurements& measurements);

/// Of the time from the first load of GPU code in the process to its last GPU work.
[[nodiscard]] double shareOfStartUp(const Measurements& measurements, const CodeLoading& loading);

/// The verdict on a capture that is little but start-up.
[[nodiscard]] std::string startUpText(const Trace& trace, const Measurements& measurements,
                                      const CodeLoading& loading);

/// Of the device whose memory is fullest; "" if nothing is known.
[[nodiscard]] std::string memoryText(const Measurements& measurements);

} // namespace tacho
