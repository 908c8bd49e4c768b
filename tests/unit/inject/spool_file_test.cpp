// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/spool_file.h"
#include "tests/unit/inject/spool_contents.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace tacho {
namespace {

namespace fs = std::filesystem;

/// Whatever this process has open under a number from 3 on.
void closeAllDescriptors() {
    for (int fd = 3; fd < 1024; ++fd)
        close(fd);
}

class SpoolFileTest : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(m_file->create(m_directory.path())); }
    void appendStep() {
        spool::StepEnd step{};
        step.header = {static_cast<std::uint16_t>(spool::RecordType::StepEnd), sizeof step};
        m_file->append(&step, sizeof step);
        m_file->flush();
    }
    [[nodiscard]] std::size_t stepsIn(const std::string& file) const {
        return SpoolContents(file).all<spool::StepEnd>(spool::RecordType::StepEnd).size();
    }
    SpoolDirectory m_directory;
    std::unique_ptr<SpoolFile> m_file = std::make_unique<SpoolFile>();
};

TEST_F(SpoolFileTest, GoesOnWhenTheHostClosedItsDescriptor) {
    appendStep();
    closeAllDescriptors();
    appendStep();
    EXPECT_FALSE(m_file->failed());
    EXPECT_EQ(stepsIn(m_directory.onlyFile()), 2U);
}

TEST_F(SpoolFileTest, NeverWritesIntoAFileThatGotItsNumber) {
    closeAllDescriptors();
    const std::string host = std::string(m_directory.path()) + "/host";
    for (int fd = 3; fd < 1000; ++fd)
        ASSERT_EQ(open(host.c_str(), O_WRONLY | O_CREAT, 0600), fd);
    appendStep();
    EXPECT_EQ(fs::file_size(host), 0U);
    struct stat status {};
    EXPECT_EQ(fstat(999, &status), 0) << "closed a descriptor of the host";
    closeAllDescriptors();
}

TEST_F(SpoolFileTest, MarksAFileThatCannotBeWrittenAnyMore) {
    const std::string path = m_directory.onlyFile();
    closeAllDescriptors();
    fs::rename(path, path + ".moved");
    appendStep();
    EXPECT_TRUE(m_file->failed());
    EXPECT_TRUE(fs::exists(path + spool::kFailedSuffix));
    EXPECT_EQ(stepsIn(path + ".moved"), 0U);
}

} // namespace
} // namespace tacho
