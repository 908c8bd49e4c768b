// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_source.h"
#include "tests/unit/inject/fake_cupti.h"
#include "tests/unit/inject/spool_contents.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>

namespace tacho {

namespace {

CUpti_ActivityKernel10 kernel(std::uint32_t correlation) {
    CUpti_ActivityKernel10 record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.name = "k";
    record.start = 1;
    record.end = 2;
    record.correlationId = correlation;
    return record;
}

class CuptiSourceTest : public testing::Test {
  protected:
    void SetUp() override {
        FakeCupti::reset();
        ASSERT_TRUE(m_file->create(m_directory.path()));
    }
    std::size_t writtenKernels() {
        m_file->flush();
        return SpoolContents(m_directory.onlyFile()).all<spool::Kernel>(spool::RecordType::Kernel).size();
    }
    SpoolDirectory m_directory;
    std::unique_ptr<SpoolFile> m_file = std::make_unique<SpoolFile>();
    std::unique_ptr<CuptiSource> m_own = std::make_unique<CuptiSource>();
};

} // namespace

TEST_F(CuptiSourceTest, WritesWhatCuptiDelivers) {
    ASSERT_EQ(cuptiSource().attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
    ASSERT_TRUE(FakeCupti::deliver({kernel(1), kernel(2), kernel(3)}));
    ASSERT_TRUE(FakeCupti::deliver({kernel(4)}));
    cuptiSource().drain();
    EXPECT_EQ(writtenKernels(), 4U);
}

TEST_F(CuptiSourceTest, RefusesABufferWhenAllAreFullAndCountsIt) {
    ASSERT_EQ(cuptiSource().attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
    const std::uint64_t refusedBefore = cuptiSource().buffersRefused();
    for (std::uint32_t i = 0; i < BufferPool::kBuffers; ++i)
        ASSERT_TRUE(FakeCupti::deliver({kernel(i + 1)}));
    EXPECT_FALSE(FakeCupti::deliver({kernel(1)}));
    EXPECT_EQ(cuptiSource().buffersRefused(), refusedBefore + 1);
    FakeCupti::dropped = 5; // CUPTI's own count of what it could not place
    const std::uint64_t droppedBefore = cuptiSource().droppedByCupti();
    cuptiSource().drain();
    EXPECT_EQ(cuptiSource().droppedByCupti(), droppedBefore + 5);
    EXPECT_EQ(writtenKernels(), BufferPool::kBuffers);
    EXPECT_TRUE(FakeCupti::deliver({kernel(1)}));
}

TEST_F(CuptiSourceTest, AFlushThatBringsMoreThanAllBuffersHoldLosesNothing) {
    ASSERT_EQ(cuptiSource().attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
    const std::uint64_t refusedBefore = cuptiSource().buffersRefused();
    constexpr std::uint32_t kMore = 3 * BufferPool::kBuffers;
    for (std::uint32_t i = 0; i < kMore; ++i)
        FakeCupti::undelivered.push_back(kernel(i + 1));
    EXPECT_EQ(cuptiSource().flush(true), kMore * sizeof(CUpti_ActivityKernel10));
    EXPECT_EQ(writtenKernels(), kMore);
    EXPECT_EQ(cuptiSource().buffersRefused(), refusedBefore);
    EXPECT_EQ(FakeCupti::dropped, 0U);
}

TEST_F(CuptiSourceTest, AsksNothingOfCuptiWhereNothingCame) {
    ASSERT_EQ(cuptiSource().attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
    cuptiSource().drain(); // whatever an earlier test left
    FakeCupti::dropQueries = 0;
    cuptiSource().drain();
    EXPECT_EQ(FakeCupti::dropQueries, 0) << "each time would bring CUPTI back after it has left";
    FakeCupti::undelivered.push_back(kernel(1));
    cuptiSource().flush(false);
    cuptiSource().drain();
    EXPECT_EQ(FakeCupti::dropQueries, 1);
}

TEST_F(CuptiSourceTest, OpensTheDesignedKindsAndLeavesOutChattyCalls) {
    ASSERT_EQ(m_own->attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
    EXPECT_FALSE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    ASSERT_TRUE(m_own->open());
    for (const CUpti_ActivityKind kind :
         {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
          CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_OVERHEAD})
        EXPECT_TRUE(FakeCupti::kinds.contains(kind)) << kind;
    EXPECT_FALSE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_KERNEL)) << "it serialises kernels";
    EXPECT_FALSE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_RUNTIME)) << "it slows all calls down";
    EXPECT_FALSE(FakeCupti::callbacks.contains({CUPTI_CB_DOMAIN_RUNTIME_API, 1})) << "cudaGetDevice";
    EXPECT_TRUE(FakeCupti::callbacks.contains({CUPTI_CB_DOMAIN_RUNTIME_API, 2})) << "cudaLaunchKernel";
    EXPECT_TRUE(FakeCupti::callbacks.contains({CUPTI_CB_DOMAIN_DRIVER_API, 1})) << "cuLaunchKernel";
    m_own->close();
    EXPECT_FALSE(FakeCupti::callbacks.contains({CUPTI_CB_DOMAIN_RUNTIME_API, 2}));
    EXPECT_FALSE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
}

TEST_F(CuptiSourceTest, LeavesApiCallsAloneWhereOnlyKernelsAreWanted) {
    ASSERT_EQ(m_own->attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Kernels), nullptr);
    const auto before = FakeCupti::callbacks;
    ASSERT_TRUE(m_own->open());
    EXPECT_EQ(FakeCupti::callbacks, before);
    EXPECT_TRUE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
}

TEST_F(CuptiSourceTest, RecordsLoadsCompilationsAndAllocationsOutsideOfWindowsToo) {
    const std::set<CUpti_ActivityKind> always = {CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_OVERHEAD,
                                                 CUPTI_ACTIVITY_KIND_JIT, CUPTI_ACTIVITY_KIND_MEMORY2};
    ASSERT_EQ(m_own->attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
    EXPECT_EQ(FakeCupti::kinds, always);
    const std::set<std::pair<CUpti_CallbackDomain, CUpti_CallbackId>> loads = {
        {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED},
        {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED},
        {CUPTI_CB_DOMAIN_DRIVER_API, 2}}; // cuModuleLoadData
    EXPECT_EQ(FakeCupti::callbacks, loads);
    ASSERT_TRUE(m_own->open());
    m_own->close();
    EXPECT_EQ(FakeCupti::kinds, always);
}

TEST_F(CuptiSourceTest, RecordsWholeGraphsOnRequestFromTheStart) {
    ASSERT_EQ(setenv(spool::kCudaGraphVariable, "graph", 1), 0);
    const char* problem = m_own->attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls);
    unsetenv(spool::kCudaGraphVariable);
    ASSERT_EQ(problem, nullptr);
    EXPECT_TRUE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
    ASSERT_TRUE(m_own->open());
    m_own->close();
    EXPECT_TRUE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_GRAPH_TRACE))
        << "a graph that is instantiated before it is on again would be lost";
}

TEST_F(CuptiSourceTest, SaysThatAnotherProfilerIsInTheProcess) {
    FakeCupti::otherSubscriber = true;
    const char* problem = m_own->attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(std::string(problem).find("another profiler"), std::string::npos);
    EXPECT_FALSE(m_own->isAttached());
}

TEST_F(CuptiSourceTest, KeepsRecordingWhenOneKindIsRefused) {
    ASSERT_EQ(m_own->attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
    FakeCupti::refusedKind = CUPTI_ACTIVITY_KIND_MEMSET;
    ASSERT_TRUE(m_own->open());
    EXPECT_STREQ(m_own->refusal(), "CUPTI_ERROR_FAKE");
    EXPECT_TRUE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    EXPECT_TRUE(FakeCupti::callbacks.contains({CUPTI_CB_DOMAIN_RUNTIME_API, 2}));
}

TEST_F(CuptiSourceTest, SaysWhyWithoutCupti) {
    CuptiApi none;
    none.problem = "no CUPTI";
    EXPECT_STREQ(m_own->attach(none, *m_file, CuptiSource::Detail::Calls), "no CUPTI");
    m_own->flush(true);
    m_own->drain();
    EXPECT_EQ(FakeCupti::forcedFlushes, 0);
}

/// What leaving needs, on the process's own source: CUPTI's callbacks come there.
class CuptiLeaving : public CuptiSourceTest {
  protected:
    void SetUp() override {
        CuptiSourceTest::SetUp();
        ASSERT_EQ(cuptiSource().attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
        ASSERT_TRUE(cuptiSource().open());
        makeAContext();
    }
    /// Before which CUPTI does not leave.
    static void makeAContext() {
        CUpti_ActivityKernel10 context{};
        context.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
        ASSERT_TRUE(FakeCupti::deliver({context}));
        cuptiSource().drain();
    }
    static void makeACall() {
        FakeCupti::call(CUPTI_API_ENTER);
        FakeCupti::call(CUPTI_API_EXIT);
    }
};

TEST_F(CuptiLeaving, HappensWhereACallReturns) {
    cuptiSource().close();
    cuptiSource().leave();
    FakeCupti::call(CUPTI_API_ENTER);
    EXPECT_EQ(FakeCupti::finalizations, 0);
    FakeCupti::call(CUPTI_API_EXIT);
    EXPECT_EQ(FakeCupti::finalizations, 1);
    EXPECT_NE(cuptiSource().leftNs(), 0U);
    EXPECT_FALSE(cuptiSource().isAttached());
    makeACall();
    EXPECT_EQ(FakeCupti::finalizations, 1);
}

TEST_F(CuptiLeaving, WaitsUntilAllThatWasRecordedIsWritten) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0, most = 0;
    FakeCupti::request(&buffer, &size, &most); // CUPTI keeps it: a kernel in it has not ended
    cuptiSource().close();
    cuptiSource().leave();
    makeACall();
    EXPECT_EQ(FakeCupti::finalizations, 0);
    const CUpti_ActivityKernel10 late = kernel(1);
    std::memcpy(buffer, &late, sizeof late);
    FakeCupti::complete(nullptr, 0, buffer, size, sizeof late);
    cuptiSource().leave();
    makeACall();
    EXPECT_EQ(FakeCupti::finalizations, 0) << "delivered, but not written";
    cuptiSource().drain();
    cuptiSource().leave();
    makeACall();
    EXPECT_EQ(FakeCupti::finalizations, 1);
    EXPECT_EQ(writtenKernels(), 1U);
}

TEST_F(CuptiLeaving, IsCalledOffWhenRecordingGoesOnInTime) {
    const auto before = FakeCupti::callbacks;
    cuptiSource().close();
    cuptiSource().leave();
    ASSERT_TRUE(cuptiSource().open());
    EXPECT_FALSE(FakeCupti::hasAllCallbacks);
    makeACall();
    EXPECT_EQ(FakeCupti::finalizations, 0);
    EXPECT_TRUE(cuptiSource().isAttached());
    EXPECT_EQ(FakeCupti::callbacks, before);
    EXPECT_TRUE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    EXPECT_TRUE(FakeCupti::kinds.contains(CUPTI_ACTIVITY_KIND_JIT));
}

TEST_F(CuptiLeaving, ComesBackWithAllThatWasOn) {
    const auto kinds = FakeCupti::kinds;
    cuptiSource().close();
    cuptiSource().leave();
    makeACall();
    ASSERT_TRUE(cuptiSource().open());
    EXPECT_EQ(FakeCupti::kinds, kinds);
    EXPECT_EQ(cuptiSource().leftNs(), 0U);
    ASSERT_TRUE(FakeCupti::deliver({kernel(1)}));
    cuptiSource().drain();
    EXPECT_EQ(writtenKernels(), 1U);
}

TEST_F(CuptiLeaving, GivesNoCorrelationIdTwice) {
    ASSERT_TRUE(FakeCupti::deliver({kernel(1), kernel(7)}));
    cuptiSource().drain();
    cuptiSource().close();
    cuptiSource().leave();
    makeACall();
    ASSERT_TRUE(cuptiSource().open()); // and CUPTI counts from 1 again
    ASSERT_TRUE(FakeCupti::deliver({kernel(1), kernel(2)}));
    cuptiSource().drain();
    m_file->flush();
    std::vector<std::uint32_t> ids;
    for (const auto& each :
         SpoolContents(m_directory.onlyFile()).all<spool::Kernel>(spool::RecordType::Kernel))
        ids.push_back(each.correlationId);
    EXPECT_EQ(ids, (std::vector<std::uint32_t>{1, 7, 8, 9}));
}

TEST_F(CuptiLeaving, WaitsForAContext) {
    ASSERT_EQ(cuptiSource().attach(FakeCupti::api(), *m_file, CuptiSource::Detail::Calls), nullptr);
    ASSERT_TRUE(cuptiSource().open());
    cuptiSource().close();
    cuptiSource().leave();
    makeACall();
    EXPECT_EQ(FakeCupti::finalizations, 0);
}

TEST_F(CuptiLeaving, DoesNotComeBackWhereAnotherProfilerIsNow) {
    cuptiSource().close();
    cuptiSource().leave();
    makeACall();
    FakeCupti::otherSubscriber = true;
    EXPECT_FALSE(cuptiSource().open());
    EXPECT_TRUE(FakeCupti::kinds.empty());
}

TEST_F(CuptiLeaving, IsNotTriedOnceTheTrainingHasACudaGraph) {
    cuptiSource().close();
    cuptiSource().leave();
    FakeCupti::subscriber(FakeCupti::subscriberData, CUPTI_CB_DOMAIN_RESOURCE,
                          CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED, nullptr);
    makeACall();
    EXPECT_EQ(FakeCupti::finalizations, 0);
    EXPECT_TRUE(cuptiSource().isAttached());
    EXPECT_FALSE(cuptiSource().canLeave());
    EXPECT_FALSE(FakeCupti::hasAllCallbacks) << "every call of the training would be slow";
}

TEST_F(CuptiLeaving, IsNotTriedWithACuptiThatCrashesThen) {
    CuptiApi old = FakeCupti::api();
    old.version = 23; // CUDA 12.5
    ASSERT_EQ(cuptiSource().attach(old, *m_file, CuptiSource::Detail::Calls), nullptr);
    EXPECT_FALSE(cuptiSource().canLeave());
    ASSERT_TRUE(cuptiSource().open());
    makeAContext();
    cuptiSource().close();
    cuptiSource().leave();
    makeACall();
    EXPECT_EQ(FakeCupti::finalizations, 0);
}

TEST_F(CuptiLeaving, IsNotTriedWhileTheWindowWaitsForProfilerCalls) {
    cuptiSource().watchProfilerApi([](bool) {});
    EXPECT_FALSE(cuptiSource().canLeave());
    cuptiSource().watchProfilerApi(nullptr);
}

} // namespace tacho
