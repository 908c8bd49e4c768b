// SPDX-License-Identifier: Apache-2.0
// What the code of kernels does, from spool files to rows.
#include "collector/recorder/recover.h"
#include "tests/unit/recorder/spool_builder.h"
#include "tests/unit/recorder/trace_queries.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tacho {
namespace {

using spool::RecordType;
using test::SpoolBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

/// A kernel of each name ran; a module has these functions.
class KernelCodeLogTest : public testing::Test {
  protected:
    struct Function {
        std::string_view name;
        std::uint32_t uses;
    };
    static void ran(SpoolBuilder& spool, std::uint32_t id, std::string_view mangled) {
        spool.string(id, mangled).shape(id, id);
    }
    static void load(SpoolBuilder& spool, std::uint32_t moduleId, const std::vector<Function>& functions) {
        spool::ModuleCode module{};
        module.moduleId = moduleId;
        module.functions = static_cast<std::uint32_t>(functions.size());
        std::string bytes;
        for (const Function& each : functions) {
            const spool::FunctionCode function{spool::functionNameHash(each.name.data(), each.name.size()),
                                               each.uses, 0};
            bytes.append(reinterpret_cast<const char*>(&function), sizeof function);
        }
        spool.record(RecordType::ModuleCode, module, bytes);
    }
    void add(const SpoolBuilder& spool) {
        spool.write(directory / "5000000-0.spool");
        made = recover(directory);
    }
    [[nodiscard]] std::vector<std::string> code() const {
        return test::rows(made, "SELECT value||':'||tensor_types FROM TACHO_KERNEL_CODE JOIN StringIds ON "
                                "id = kernel ORDER BY value");
    }

    test::TemporaryFolder folder;
    std::filesystem::path directory = test::spoolDirectory(folder);
    std::filesystem::path made;
};

TEST_F(KernelCodeLogTest, IsStoredOfTheKernelsThatRan) {
    SpoolBuilder spool;
    load(spool, 1, {{"_Z4gemmv", spool::TensorFp16 | spool::TensorTf32}, {"idle", spool::TensorFp64}});
    load(spool, 2, {{"copy", spool::NoTensor}});
    ran(spool, 1, "_Z4gemmv");
    ran(spool, 2, "copy");
    ran(spool, 3, "of_a_module_that_was_not_read");
    add(spool.end(100));
    EXPECT_THAT(code(), ElementsAre("copy:none", "gemm():tf32,fp16"));
    EXPECT_THAT(test::rows(made, "SELECT code FROM TACHO_HEALTH"), IsEmpty());
}

TEST_F(KernelCodeLogTest, ThatCallsOthersIsUnknownOnlyWhereTheModuleHasTensorInstructions) {
    constexpr std::uint32_t kCalls = spool::NoTensor | spool::CallsOut;
    SpoolBuilder spool;
    load(spool, 1, {{"asserting", kCalls}, {"copy", spool::NoTensor}});
    load(spool, 2, {{"calling", kCalls}, {"called", spool::TensorBf16}});
    ran(spool, 1, "asserting");
    ran(spool, 2, "calling");
    add(spool.end(100));
    EXPECT_THAT(code(), ElementsAre("asserting:none", "calling:unknown"));
}

TEST_F(KernelCodeLogTest, OfTwoKernelsOfOneNameIsThatOfBoth) {
    SpoolBuilder spool;
    load(spool, 1, {{"_fwd_kernel", spool::TensorFp16}});
    load(spool, 2, {{"_fwd_kernel", spool::NoTensor}});
    ran(spool, 1, "_fwd_kernel");
    add(spool.end(100));
    EXPECT_THAT(code(), ElementsAre("_fwd_kernel:none,fp16"));
}

TEST_F(KernelCodeLogTest, ThatIsCutShortIsCounted) {
    SpoolBuilder spool;
    spool::ModuleCode module{};
    module.functions = 0xffffffff;
    add(spool.record(RecordType::ModuleCode, module).end(100));
    EXPECT_THAT(code(), IsEmpty());
    EXPECT_THAT(test::rows(made, "SELECT code FROM TACHO_HEALTH"), ElementsAre("records_unusable"));
}

} // namespace
} // namespace tacho
