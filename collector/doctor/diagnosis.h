// SPDX-License-Identifier: Apache-2.0
// What `tacho doctor` says: one line for each thing that recording depends on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacho {

enum class Condition { Ok, Limited, Broken }; ///< Limited: something is lost. Broken: the GPU is not recorded

struct Diagnosis {
    std::string check; ///< stable name: "cupti"
    Condition condition = Condition::Ok;
    std::string found; ///< half a sentence
    std::string lost;  ///< what will be missing; empty if Ok
    std::string fix;   ///< what to do; empty if Ok
};

using Diagnoses = std::vector<Diagnosis>;

/// "ok", "limited", "broken": as the JSON has it.
[[nodiscard]] std::string_view conditionName(Condition condition);

/// Recording works: nothing is broken.
[[nodiscard]] bool canRecord(const Diagnoses& diagnoses);

} // namespace tacho
