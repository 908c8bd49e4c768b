// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/stats_table.h"

#include "analyzer/cli/command_line.h"
#include "analyzer/cli/load.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/model/error.h"

#include <fmt/format.h>

namespace tacho {
namespace {

/// Named reports stand after the files; a file that is called like a report is given as ./kernels.
std::vector<std::string> takeReports(std::vector<std::string>& words) {
    std::vector<std::string> names;
    while (!words.empty() && findStatsReport(words.back()) != nullptr) {
        names.insert(names.begin(), words.back());
        words.pop_back();
    }
    if (names.empty())
        return {"kernels", "memory", "api"};
    return names;
}

std::string tablesAsText(const std::vector<Table>& tables) {
    std::string text;
    for (const auto& table : tables)
        text += (text.empty() ? "" : "\n") + tableAsText(table, terminalWidth(Stream::Stdout));
    return text;
}

std::string tablesAsJson(const std::vector<Table>& tables) {
    nlohmann::ordered_json object;
    for (const auto& table : tables)
        object[table.name] = tableAsJson(table);
    return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

} // namespace

int runStats(const Arguments& arguments) {
    std::vector<std::string> files;
    std::string format = "table";
    const auto app = makeCommandLine(
        {"stats", "tacho stats [OPTIONS] FILE... [REPORT...]",
         "Lists what ran. Reports; the names of Nsight Systems' reports with the same columns work too.\n"
         "Without a REPORT: kernels, memory and api.\n"
         "  kernels, api, launches  cuda_gpu_kern_sum, cuda_api_sum, cuda_kern_exec_sum\n"
         "  memory, copies          memory_time: cuda_gpu_mem_time_sum, memory_size: cuda_gpu_mem_size_sum\n"
         "  nvtx, operators         nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum, nvtx_kern_sum,\n"
         "                          nvtx_gpu_proj_sum; framework operators by what they launch\n"
         "  modules                 torch.nn modules by what they launch, where the trace has them\n"
         "  gpu_trace, api_trace    cuda_gpu_trace, cuda_api_trace: one by one\n"
         "  uploads, collectives    copies to the GPU by size; size, bandwidth and waiting of collectives\n"
         "  tensor, occupancy       kernels by arithmetic; what limits their occupancy\n"
         "  bounds                  kernels that memory or tensor cores limit, of a recording with "
         "--counters\n"
         "  steps, breakdown, idle  where the time of steps went; why the GPU was idle",
         "tacho stats run.sqlite kernels --format csv > kernels.csv"});
    addTraceFiles(*app, files);
    app->add_option("--format", format, "table, csv or tsv (of one report), or json [table]")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"table", "csv", "tsv", "json"}));
    if (!parse(*app, arguments))
        return 0;
    const auto names = takeReports(files);
    if (files.empty())
        throw Error("there is no file to read; see tacho stats --help", ExitStatus::Usage);
    const bool isOneTable = format == "csv" || format == "tsv";
    if (isOneTable && names.size() != 1)
        throw Error(fmt::format("a {0} file holds one table: name one report, as in tacho stats FILE kernels "
                                "--format {0}",
                                format),
                    ExitStatus::Usage);
    const auto trace = loadTrace(files);
    std::vector<Table> tables;
    for (const auto& name : names) {
        tables.push_back(findStatsReport(name)->make(trace));
        tables.back().name = name; // as it was asked for
    }
    if (isOneTable)
        writeToStdout(format == "csv" ? tableAsCsv(tables.front()) : tableAsTsv(tables.front()));
    else
        writeToStdout(format == "json" ? tablesAsJson(tables) : tablesAsText(tables));
    return 0;
}

} // namespace tacho
