// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/doctor.h"

#include "analyzer/model/error.h"
#include "collector/doctor/checks.h"
#include "collector/inject/spool_format.h"
#include "collector/recorder/installation.h"

#include <iterator>

namespace tacho {

namespace {

void append(Diagnoses& all, Diagnoses lines) {
    std::move(lines.begin(), lines.end(), std::back_inserter(all));
}

} // namespace

Diagnoses examine(const DoctorOptions& options) {
    Machine machine = Machine::thisOne();
    if (!options.cupti.empty())
        machine.environment[spool::kCuptiVariable] = options.cupti;
    Diagnoses lines;
    std::filesystem::path hook;
    try {
        const Installation installation = Installation::find(options.installation);
        hook = installation.hook;
        append(lines, checkLibrary(installation.library, probeLibrary(installation.library)));
    } catch (const Error& problem) {
        append(lines, checkLibrary({}, problem.what()));
    }
    const PythonProbe python = probePython(options.python, hook); // before the driver starts threads here
    const DriverProbe driver = probeDriver();
    append(lines, checkDriver(machine, driver));
    append(lines, checkCupti(probeCupti(machine), python, driver));
    append(lines, checkCounters(machine));
    append(lines, checkVariables(machine));
    append(lines, checkOtherTools(machine));
    append(lines, checkPython(options.python, python));
    append(lines, checkOutput(OutputRoom::of(options.outputFolder)));
    append(lines, checkLimits(ProcessLimits::ofThisProcess()));
    append(lines, checkContainer(machine));
    append(lines, checkLauncher(machine));
    return lines;
}

} // namespace tacho
