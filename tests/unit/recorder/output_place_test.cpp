// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/output_place.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

TEST(TraceName, IsWhatPeopleCallTheirRun) {
    EXPECT_EQ(traceName({"python", "train.py"}), "train");
    EXPECT_EQ(traceName({"torchrun", "--nproc-per-node=2", "src/fit.py", "--lr", "1"}), "fit");
    EXPECT_EQ(traceName({"python3", "-m", "package.train", "--x"}), "package.train");
    EXPECT_EQ(traceName({"./build/bin/gemm", "4096"}), "gemm");
    EXPECT_EQ(traceName({"sh", "-m"}), "sh");
}

} // namespace
} // namespace tacho
