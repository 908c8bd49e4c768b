// SPDX-License-Identifier: Apache-2.0
#include "collector/recorder/secrets.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

TEST(Secrets, ValuesOfSecretOptionsAreHiddenInBothForms) {
    EXPECT_EQ(storableCommandLine({"python", "train.py", "--hf-token", "abc", "--lr", "1e-3"}),
              "python train.py --hf-token *** --lr 1e-3");
    EXPECT_EQ(storableCommandLine({"train", "--api_key=abc", "--DB-Password=x=y"}),
              "train --api_key=*** --DB-Password=***");
}

TEST(Secrets, AnOptionThatTakesNoValueHidesNothing) {
    EXPECT_EQ(storableCommandLine({"train", "--use-token", "--lr", "1"}), "train --use-token --lr 1");
    EXPECT_EQ(storableCommandLine({"train", "--key"}), "train --key");
}

TEST(Secrets, SettingsBeforeACommandAreHiddenToo) {
    EXPECT_EQ(storableCommandLine({"env", "WANDB_API_KEY=abc", "python", "train.py"}),
              "env WANDB_API_KEY=*** python train.py");
}

TEST(Secrets, ArgumentsAreQuotedAsAShellWants) {
    EXPECT_EQ(storableCommandLine({"sh", "-c", "exit 7", "it's", ""}), "sh -c 'exit 7' 'it'\\''s' ''");
}

} // namespace
} // namespace tacho
