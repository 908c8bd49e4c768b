// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/block_plan.h"

namespace tacho {

bool BlockPlan::stepEnded(std::uint64_t endedSteps, bool isFullSpeed, bool canLeave) noexcept {
    if (m_everySteps != 0 && endedSteps >= m_beganAt + m_everySteps) {
        m_beganAt += m_everySteps;
        m_recordedSteps = m_stepsInBlock = m_fullSpeedSteps = 0;
    }
    const bool wasFullSpeed = m_wasFullSpeed;
    m_wasFullSpeed = isFullSpeed;
    if (endedSteps <= m_beganAt || m_recordedSteps >= kAllSteps)
        return m_isOn = false;
    ++m_stepsInBlock;
    if (m_isOn)
        ++m_recordedSteps;
    else if (wasFullSpeed && isFullSpeed)
        ++m_fullSpeedSteps;
    if (isBlockOver(canLeave)) {
        m_isOn = !m_isOn;
        m_stepsInBlock = m_fullSpeedSteps = 0;
    }
    return m_isOn && m_recordedSteps < kAllSteps;
}

bool BlockPlan::isBlockOver(bool canLeave) const noexcept {
    if (m_isOn)
        return canLeave ? m_stepsInBlock >= kBlockSteps : m_recordedSteps >= kAllSteps;
    return m_fullSpeedSteps >= kBlockSteps || m_stepsInBlock >= kLongestBlock;
}

} // namespace tacho
