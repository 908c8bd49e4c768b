// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/html_report.h"

#include "analyzer/report/html_parts.h"
#include "analyzer/report/html_sections.h"
#include "analyzer/report/html_text.h"

#include <fmt/format.h>

namespace tacho {
namespace embedded {
extern const std::string_view kReportCss; // share/report.css
}
namespace {

/// "train.sqlite", or "train.sqlite and 7 more".
std::string captureName(const Trace& trace) {
    if (trace.files.empty())
        return "capture";
    const std::string& path = trace.files.front();
    const std::string name = path.substr(path.rfind('/') + 1);
    return trace.files.size() == 1 ? name : fmt::format("{} and {} more", name, trace.files.size() - 1);
}

/// Allows styles in the page, and nothing else, least of all requests.
constexpr std::string_view kPolicy = "default-src 'none'; style-src 'unsafe-inline'";

std::string head(const std::string& title) {
    return fmt::format("<!DOCTYPE html>\n"
                       "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                       "<meta charset=\"utf-8\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                       "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
                       "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n",
                       kPolicy, htmlEscaped(title), embedded::kReportCss, classColourRules());
}

} // namespace

std::string htmlReport(const Trace& trace, const Analysis& analysis) {
    const Measurements& measurements = analysis.measurements;
    const std::string name = captureName(trace);
    return head(name + " - tacho") +
           fmt::format("<body>\n<header><p>tacho report</p><h1>{}</h1></header>\n<main>\n",
                       htmlEscaped(name)) +
           htmlVerdict(trace, analysis) + htmlFindings(analysis) + htmlSteps(trace, measurements) +
           htmlBreakdown(trace, measurements) + htmlIdle(measurements) + htmlKernels(trace, measurements) +
           htmlCopies(trace, measurements) + htmlMemory(trace, measurements) +
           htmlCounters(trace, measurements) + htmlCapture(trace) + htmlHealth(trace) +
           "</main>\n<footer><p>Made by tacho " TACHO_VERSION
           ". Durations are unions: what runs at once counts once, unless said otherwise.</p></footer>\n"
           "</body>\n</html>\n";
}

} // namespace tacho
