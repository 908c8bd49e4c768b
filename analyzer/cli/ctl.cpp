// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/control.h"

#include "analyzer/cli/command_line.h"
#include "analyzer/cli/terminal.h"

#include <fmt/format.h>

namespace tacho {

int runCtl(const Arguments& arguments) {
    std::string command;
    int pid = 0;
    const auto app = makeCommandLine(
        {"ctl", "tacho ctl start|stop PID",
         "Switches the recording of GPU activity of a running command on or off, in all its processes.\n"
         "PID is the tacho that recorded it, or any process that is recorded.",
         "tacho ctl start 4711"});
    app->add_option("COMMAND", command, "start or stop")->required()->check(CLI::IsMember({"start", "stop"}));
    app->add_option("PID", pid, "process")->required();
    if (!parse(*app, arguments))
        return 0;
    const auto recording = recordingOf(pid);
    control(recording, command == "start" ? Control::Start : Control::Stop);
    writeToStdout(fmt::format("{}: {} within 0.1 s\n", recording.stem().string(),
                              command == "start" ? "recording starts" : "recording stops"));
    return 0;
}

} // namespace tacho
