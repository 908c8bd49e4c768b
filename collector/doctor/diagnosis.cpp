// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/diagnosis.h"

#include <algorithm>

namespace tacho {

std::string_view conditionName(Condition condition) {
    switch (condition) {
    case Condition::Ok:
        return "ok";
    case Condition::Limited:
        return "limited";
    case Condition::Broken:
        break;
    }
    return "broken";
}

bool canRecord(const Diagnoses& diagnoses) {
    return std::ranges::none_of(diagnoses,
                                [](const Diagnosis& d) { return d.condition == Condition::Broken; });
}

} // namespace tacho
