// SPDX-License-Identifier: Apache-2.0
#include "analyzer/report/html_report.h"
#include "analyzer/report/html_text.h"
#include "tests/unit/trace_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacho {
namespace {

using test::trace;
using test::TraceBuilder;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

std::string htmlOf(TraceBuilder& builder) {
    const Trace trace = builder.build();
    return htmlReport(trace, analyse(trace));
}

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

/// Steps of 10 ms with a kernel of 8 ms each.
TraceBuilder steps(int count) {
    TraceBuilder builder = trace();
    for (int i = 0; i < count; ++i)
        builder.step(i, i * 10ms, 10ms).kernel("ampere_sgemm_128x64_nn", i * 10ms, 8ms, 2us);
    return builder;
}

TEST(HtmlText, EscapesMarkup) {
    EXPECT_EQ(htmlEscaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(HtmlText, KeepsUtf8) {
    EXPECT_EQ(htmlEscaped("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x9a\x82"),
              "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x9a\x82");
}

TEST(HtmlText, ReplacesWhatIsNotUtf8) {
    const std::string replaced = "\xef\xbf\xbd";
    EXPECT_EQ(htmlEscaped("a\xff"
                          "b"),
              "a" + replaced + "b");
    EXPECT_EQ(htmlEscaped("cut \xe2\x82"), "cut " + replaced + replaced);
    EXPECT_EQ(htmlEscaped("\xc0\xaf"), replaced + replaced) << "an overlong slash";
    EXPECT_EQ(htmlEscaped("\xed\xa0\x80"), replaced + replaced + replaced) << "a surrogate";
    EXPECT_EQ(htmlEscaped("\xf4\x90\x80\x80"), replaced + replaced + replaced + replaced) << "above U+10FFFF";
}

TEST(HtmlText, ReplacesControlCharacters) {
    const std::string replaced = "\xef\xbf\xbd";
    EXPECT_EQ(htmlEscaped(std::string("a\0b\x1b[31m\x7f", 9)),
              "a" + replaced + "b" + replaced + "[31m" + replaced);
    EXPECT_EQ(htmlEscaped("\xc2\x9b"), replaced) << "C1";
    EXPECT_EQ(htmlEscaped("\xef\xbf\xbf"), replaced) << "not allowed in XML";
    EXPECT_EQ(htmlEscaped("a\n\tb"), "a\n\tb");
}

TEST(HtmlReport, EscapesNamesOfKernelsFactsAndNotes) {
    TraceBuilder builder = trace();
    builder.kernel("<script>alert(1)</script>", 0ms, 5ms)
        .fact("model.class", "<b>\"Net\"")
        .health(Severity::Warning, "odd", "a & b");
    const std::string html = htmlOf(builder);
    EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
    EXPECT_THAT(html, HasSubstr("&lt;b&gt;&quot;Net&quot;"));
    EXPECT_THAT(html, HasSubstr("a &amp; b"));
}

TEST(HtmlReport, HoldsNoScriptAndNoReferenceToAnythingOutside) {
    TraceBuilder builder = steps(10);
    const std::string html = htmlOf(builder);
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, Not(HasSubstr(" src=")));
    EXPECT_THAT(html, Not(HasSubstr("url(")));
    EXPECT_THAT(html, Not(HasSubstr("<link")));
    EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(HtmlReport, DrawsABarForEachStep) {
    TraceBuilder builder = steps(12);
    EXPECT_EQ(countOf(htmlOf(builder), "<title>step "), 12U);
}

TEST(HtmlReport, DrawsTheLongestOfEachFewOfVeryManySteps) {
    TraceBuilder builder = steps(1000);
    builder.step(1000, 10s, 500ms).kernel("late", 10s, 1ms);
    const std::string html = htmlOf(builder);
    EXPECT_LE(countOf(html, "<title>step "), 200U);
    EXPECT_THAT(html, HasSubstr("Each bar is the longest of 6 steps."));
    EXPECT_THAT(html, HasSubstr("<title>step 1000, 500.0 ms"));
}

TEST(HtmlReport, MarksWarmUpAndSlowStepsAndCutsWhatIsMuchTooLong) {
    TraceBuilder builder = trace();
    builder.step(0, 0ms, 900ms).kernel("a", 0ms, 800ms);
    for (int i = 1; i < 20; ++i)
        builder.step(i, 900ms + i * 30ms, i == 12 ? 18ms : 10ms).kernel("a", 900ms + i * 30ms, 8ms);
    const std::string html = htmlOf(builder);
    EXPECT_THAT(html, HasSubstr(">warm-up</text>"));
    EXPECT_EQ(countOf(html, "class=\"pale\""), 1U);
    EXPECT_EQ(countOf(html, "class=\"slow\""), 1U);
    EXPECT_EQ(countOf(html, "class=\"paper\""), 2U) << "the break in the first bar";
    EXPECT_THAT(html, HasSubstr(">900.0 ms</text>")) << "its length";
}

TEST(HtmlReport, ShowsTheAnalysedTimeWhereThereAreNoSteps) {
    TraceBuilder builder = trace();
    builder.kernel("a", 0ms, 3ms).kernel("b", 9ms, 1ms);
    const std::string html = htmlOf(builder);
    EXPECT_THAT(html, HasSubstr("Where the analysed time goes"));
    EXPECT_THAT(html, Not(HasSubstr("id=\"steps\"")));
    EXPECT_THAT(html, HasSubstr(">60 %</text>")) << "host code, written on its piece of the bar";
}

TEST(HtmlReport, DrawsCounters) {
    TraceBuilder builder = steps(5);
    for (int i = 0; i < 1000; ++i)
        builder.counter("SM Clock [MHz]", i * 50us, 1500 + i % 7);
    const std::string html = htmlOf(builder);
    EXPECT_THAT(html, HasSubstr("GPU 0: SM Clock [MHz]"));
    EXPECT_THAT(html, HasSubstr("1000 samples from 1500 to 1506"));
    EXPECT_LT(html.size(), 100'000U) << "as many points as the picture has columns";
}

TEST(HtmlReport, SaysThatNothingWasRecorded) {
    TraceBuilder builder = trace();
    builder.health(Severity::Error, "nsys_diagnostic", "CUDA driver 13.1 is newer than the tracer");
    const std::string html = htmlOf(builder);
    EXPECT_THAT(html, HasSubstr("No GPU activity"));
    EXPECT_THAT(html, HasSubstr("id=\"health\""));
    EXPECT_THAT(html, Not(HasSubstr("id=\"kernels\"")));
    EXPECT_THAT(html, Not(HasSubstr(" % of the")));
}

} // namespace
} // namespace tacho
