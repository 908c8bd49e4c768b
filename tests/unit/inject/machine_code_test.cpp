// SPDX-License-Identifier: Apache-2.0
// What instructions tell, on kernels that were compiled for each generation of GPUs: the name of each begins
// with what has to be found.
#include "collector/inject/machine_code.h"
#include "tests/unit/inject/module_code.h"

#include <gtest/gtest.h>

#include <elf.h>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace tacho {
namespace {

const std::map<std::string_view, std::uint32_t> kUses = {
    {"none", spool::NoTensor},     {"calls", spool::NoTensor | spool::CallsOut},
    {"other", spool::OtherTensor}, {"fp64", spool::TensorFp64},
    {"tf32", spool::TensorTf32},   {"fp16", spool::TensorFp16},
    {"bf16", spool::TensorBf16},   {"fp8", spool::TensorFp8},
    {"fp4", spool::TensorFp4},     {"int8", spool::TensorInt8},
};

std::string fileBytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string cubin(const std::string& architecture) {
    return fileBytes(TACHO_CUBIN_FOLDER "/tensor_instructions_" + architecture + ".cubin");
}

/// The kernels' names, by hash. Found without what is tested: symbols of a cubin are texts in it.
std::map<std::uint64_t, std::string> kernelsOf(const std::string& code) {
    constexpr std::string_view kPrefix = std::string_view("\0.text.", 7);
    std::map<std::uint64_t, std::string> kernels;
    for (std::size_t at = code.find(kPrefix); at != std::string::npos; at = code.find(kPrefix, at + 1)) {
        const std::string name = code.c_str() + at + kPrefix.size();
        kernels[spool::functionNameHash(name.data(), name.size())] = name;
    }
    return kernels;
}

std::vector<spool::FunctionCode> functionsOf(const char* code, std::size_t bytes) {
    std::vector<spool::FunctionCode> functions;
    MachineCode machineCode(code, bytes);
    for (spool::FunctionCode function; machineCode.next(function);)
        functions.push_back(function);
    return functions;
}

class MachineCodeOf : public testing::TestWithParam<const char*> {};

TEST_P(MachineCodeOf, TellsTheTensorInstructionsOfEachKernel) {
    const std::string code = cubin(GetParam());
    const auto kernels = kernelsOf(code);
    const auto functions = functionsOf(code.data(), code.size());
    EXPECT_GE(functions.size(), 6U);
    EXPECT_EQ(functions.size(), kernels.size());
    for (const spool::FunctionCode& function : functions) {
        const auto kernel = kernels.find(function.nameHash);
        ASSERT_NE(kernel, kernels.end());
        const std::string_view name = kernel->second;
        EXPECT_EQ(function.uses, kUses.at(name.substr(0, name.find('_')))) << name;
    }
}

// The exact size on the heap, so that AddressSanitizer sees each byte that is read beyond the end.
TEST_P(MachineCodeOf, IsReadNoFurtherThanItGoes) {
    const std::string code = cubin(GetParam());
    const std::size_t whole = functionsOf(code.data(), code.size()).size();
    for (std::size_t bytes = 0; bytes < code.size(); bytes += bytes < 4096 ? 1 : 61) {
        const std::unique_ptr<char[]> cut(new char[bytes]);
        std::copy_n(code.data(), bytes, cut.get());
        EXPECT_LE(functionsOf(cut.get(), bytes).size(), whole);
    }
}

TEST_P(MachineCodeOf, MayHaveAnyByteDamaged) {
    std::string code = cubin(GetParam());
    const std::unique_ptr<char[]> damaged(new char[code.size()]);
    std::mt19937 random(1);
    Elf64_Ehdr header;
    std::memcpy(&header, code.data(), sizeof header);
    for (int round = 0; round < 3000; ++round) {
        std::copy(code.begin(), code.end(), damaged.get());
        const bool inHeader = round % 2 == 0;
        const std::size_t from = inHeader ? EI_NIDENT : header.e_shoff;
        const std::size_t count = inHeader ? sizeof header - EI_NIDENT : header.e_shnum * sizeof(Elf64_Shdr);
        for (int i = 0; i < 3; ++i)
            damaged[from + random() % count] = static_cast<char>(random());
        EXPECT_LE(functionsOf(damaged.get(), code.size()).size(), 65536U);
    }
}

INSTANTIATE_TEST_SUITE_P(EachGeneration, MachineCodeOf, testing::Values(TACHO_CUBIN_ARCHITECTURES),
                         [](const auto& each) { return std::string(each.param); });

std::uint32_t usesOf(const std::string& code) {
    const auto functions = functionsOf(code.data(), code.size());
    return functions.size() == 1 ? functions[0].uses : 0;
}

constexpr std::uint64_t kHmma = 0x000000080408723c, kHmmaOfFp16 = 0x004fee00000018ff;
constexpr std::uint64_t kHmmaOfBf16 = 0x004fee00000418ff;
constexpr std::uint64_t kCall = 0x0000000000007943;

TEST(MachineCode, IsThatOfAllInstructionsOfAFunction) {
    EXPECT_EQ(usesOf(moduleCode(90, {0, 0})), spool::NoTensor);
    EXPECT_EQ(usesOf(moduleCode(90, {kHmma, kHmmaOfFp16, 0, 0, kHmma, kHmmaOfBf16})),
              spool::TensorFp16 | spool::TensorBf16);
    EXPECT_EQ(usesOf(moduleCode(90, {0, 0, kHmma})), spool::NoTensor); // half an instruction at the end
}

TEST(MachineCode, SaysOfACallOnlyWhereTheFunctionItselfHasNoTensorInstruction) {
    EXPECT_EQ(usesOf(moduleCode(90, {kCall, 0})), spool::NoTensor | spool::CallsOut);
    EXPECT_EQ(usesOf(moduleCode(90, {kCall, 0, kHmma, kHmmaOfFp16})), spool::TensorFp16);
}

TEST(MachineCode, IsNotReadWhereTheInstructionsAreOthers) {
    EXPECT_EQ(usesOf(moduleCode(61, {kHmma, kHmmaOfFp16})), 0U);
    EXPECT_EQ(usesOf(moduleCode(70, {0x7236, 0})), spool::TensorFp16); // HMMA.884
    EXPECT_EQ(usesOf(moduleCode(75, {0x7236, 0})), spool::TensorFp16);
    EXPECT_EQ(usesOf(moduleCode(121, {kHmma, kHmmaOfFp16})), spool::TensorFp16);
    EXPECT_EQ(usesOf(moduleCode(130, {kHmma, kHmmaOfFp16})), 0U);
}

/// The start of a module's machine code, as the compilers of CUDA 12 (ABI 7) and 13 (ABI 8) make it.
std::uint32_t architectureOf(unsigned char abiVersion, std::uint32_t flags, std::uint16_t machine = 190) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_ABIVERSION] = abiVersion;
    header.e_machine = machine;
    header.e_flags = flags;
    return tacho::architectureOf(reinterpret_cast<const char*>(&header), sizeof header);
}

TEST(ArchitectureOfCode, IsReadFromTheFlagsOfBothAbis) {
    EXPECT_EQ(architectureOf(7, 0x5a055a), 90U);
    EXPECT_EQ(architectureOf(8, 0x6005a04), 90U);
    EXPECT_EQ(architectureOf(8, 0x6007802), 120U);
}

TEST(ArchitectureOfCode, IsUnknownOfWhatIsNoMachineCode) {
    EXPECT_EQ(architectureOf(8, 0x6005a04, EM_X86_64), 0U);
    EXPECT_EQ(tacho::architectureOf("//\n.version 8.0", 15), 0U);
    EXPECT_EQ(tacho::architectureOf(nullptr, 1000), 0U);
    EXPECT_TRUE(functionsOf(nullptr, 1000).empty());
    EXPECT_TRUE(functionsOf("//\n.version 8.0", 15).empty());
}

} // namespace
} // namespace tacho
