// SPDX-License-Identifier: Apache-2.0
#include "collector/doctor/doctor.h"

#include "analyzer/cli/command_line.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/model/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tacho {
namespace {

constexpr int kFormat = 1; ///< of the JSON; grows when a key changes its meaning or goes away

std::string asText(const Diagnoses& diagnoses) {
    std::string text;
    for (const auto& line : diagnoses) {
        text += fmt::format("{:<9}{:<18}{}\n", conditionName(line.condition), line.check, line.found);
        if (line.condition != Condition::Ok)
            text += fmt::format("{0:<27}lost: {1}\n{0:<27}fix:  {2}\n", "", line.lost, line.fix);
    }
    return text + (canRecord(diagnoses)
                       ? "Recording works here.\n"
                       : "GPU activity cannot be recorded here: see the lines with \"broken\".\n");
}

std::string asJson(const Diagnoses& diagnoses) {
    auto lines = nlohmann::ordered_json::array();
    for (const auto& line : diagnoses)
        lines.push_back({{"check", line.check},
                         {"condition", conditionName(line.condition)},
                         {"found", line.found},
                         {"lost", line.lost},
                         {"fix", line.fix}});
    const nlohmann::ordered_json document = {
        {"tacho", {{"version", TACHO_VERSION}, {"doctor_format", kFormat}}},
        {"can_record", canRecord(diagnoses)},
        {"checks", lines}};
    // Names of files may be no UTF-8.
    return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace

int runDoctor(const Arguments& arguments) {
    DoctorOptions options;
    std::string output = ".", format = "text";
    const auto app = makeCommandLine(
        {"doctor", "tacho doctor [OPTIONS]",
         "Says whether a training can be recorded on this machine, what would be missing, and how\n"
         "to mend that. The exit status is 0 if the GPU's activity can be recorded, else 3.",
         "tacho doctor --python ~/venv/bin/python"});
    app->add_option("--python", options.python, "the training's Python [python3]")->type_name("PROGRAM");
    app->add_option("-o,--output", output, "folder for the trace file [.]")->type_name("FOLDER");
    app->add_option("--cupti", options.cupti, "CUPTI library to record with [searched]")->type_name("FILE");
    app->add_option("--format", format, "text or json [text]")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"text", "json"}).description(""));
    if (!parse(*app, arguments))
        return 0;
    options.outputFolder = std::filesystem::absolute(output).lexically_normal();
    const Diagnoses diagnoses = examine(options);
    writeToStdout(format == "json" ? asJson(diagnoses) : asText(diagnoses));
    return canRecord(diagnoses) ? 0 : static_cast<int>(ExitStatus::InputUnusable);
}

} // namespace tacho
