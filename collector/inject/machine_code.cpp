// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/machine_code.h"

#include <array>
#include <cstring>

namespace tacho {

using namespace spool; // the CodeUse bits

namespace {

// Volta brought tensor cores, and instructions of 16 bytes that are encoded alike up to Blackwell. What comes
// later may have other ones: better to say nothing about it.
constexpr std::uint32_t kVolta = 70;
constexpr std::uint32_t kAmpere = 80;
constexpr std::uint32_t kNewestKnown = 121;

constexpr std::size_t kInstructionBytes = 16;
constexpr std::uint64_t kOpcodeMask = 0xfff;

constexpr std::string_view kFunctionPrefix = ".text.";

/// How to tell the types of an instruction's elements.
enum class Form : std::uint8_t { Other, Call, Fp16, Hmma, Hgmma, Utcmma, Int8, Fp8, Fp4, Fp64, Binary };
using Forms = std::array<Form, kOpcodeMask + 1>;

// Measured: tests/unit/inject/tensor_instructions.cu compiled for each generation, and compared with the
// disassembler of CUDA 13 there and in its libraries (disassembler_test.py).
constexpr Forms makeForms(bool hasHmma884) {
    Forms forms{};
    // The three upper bits of an opcode tell where its operands are.
    const auto setForAllOperands = [&](std::size_t opcode, Form form) {
        for (std::size_t operands = 0; operands <= kOpcodeMask; operands += 0x200)
            forms[operands + opcode] = form;
    };
    setForAllOperands(0x143, Form::Call);                 // CALL.ABS; CALL.REL stays in its section
    forms[0x236] = hasHmma884 ? Form::Fp16 : Form::Other; // HMMA.884; later something else
    forms[0x23c] = Form::Hmma;
    forms[0x237] = Form::Int8;           // IMMA
    forms[0x23d] = Form::Binary;         // BMMA
    forms[0x23f] = Form::Fp64;           // DMMA
    forms[0x27a] = Form::Fp8;            // QMMA
    setForAllOperands(0x07f, Form::Fp4); // OMMA
    setForAllOperands(0x1f0, Form::Hgmma);
    setForAllOperands(0x1f1, Form::Int8);   // IGMMA
    setForAllOperands(0x1f2, Form::Binary); // BGMMA
    setForAllOperands(0x1f3, Form::Fp8);    // QGMMA
    setForAllOperands(0x1ea, Form::Utcmma); // UTCHMMA, UTCIMMA, UTCQMMA, UTCOMMA
    return forms;
}
constexpr Forms kFormsBeforeAmpere = makeForms(true);
constexpr Forms kForms = makeForms(false);

struct Instruction {
    std::uint64_t low, high;
};

/// UTCHMMA learns from a register whether its elements are FP16, BF16 or TF32.
std::uint32_t typeOfUtcmma(const Instruction& instruction) noexcept {
    switch (instruction.high >> 8 & 3) {
    case 1:
        return TensorInt8;
    case 3:
        return TensorFp8;
    default:
        return instruction.low >> 63 != 0 ? TensorFp4 : OtherTensor;
    }
}

std::uint32_t usesOf(Form form, const Instruction& instruction) noexcept {
    constexpr std::uint32_t kHalfTypes[] = {TensorFp16, TensorBf16, TensorTf32, OtherTensor};
    switch (form) {
    case Form::Other:
        return 0;
    case Form::Call:
        return CallsOut;
    case Form::Fp16:
        return TensorFp16;
    case Form::Hmma:
        return kHalfTypes[instruction.high >> 18 & 3];
    case Form::Hgmma:
        return kHalfTypes[instruction.high >> 12 & 3];
    case Form::Utcmma:
        return typeOfUtcmma(instruction);
    case Form::Int8:
        return TensorInt8;
    case Form::Fp8:
        return TensorFp8;
    case Form::Fp4:
        return TensorFp4;
    case Form::Fp64:
        return TensorFp64;
    case Form::Binary:
        break;
    }
    return OtherTensor;
}

std::uint32_t usesOf(std::string_view function, const Forms& forms) noexcept {
    std::uint32_t uses = 0;
    for (std::size_t at = 0; at + kInstructionBytes <= function.size(); at += kInstructionBytes) {
        Instruction instruction;
        std::memcpy(&instruction, function.data() + at, sizeof instruction);
        const Form form = forms[instruction.low & kOpcodeMask];
        if (form != Form::Other) [[unlikely]]
            uses |= usesOf(form, instruction);
    }
    const std::uint32_t tensor = uses & ~std::uint32_t{CallsOut};
    return tensor != 0 ? tensor : uses | NoTensor;
}

/// Of the size that it says it has; false: it is no machine code of GPUs.
bool readHeader(std::string_view code, Elf64_Ehdr& header) noexcept {
    constexpr std::uint16_t kMachineCuda = 190;
    if (code.size() < sizeof header)
        return false;
    std::memcpy(&header, code.data(), sizeof header);
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_machine == kMachineCuda;
}

// The flags name the architecture: in the second byte since ABI version 8 (CUDA 13), in the first one before.
std::uint32_t architectureIn(const Elf64_Ehdr& header) noexcept {
    constexpr unsigned char kAbiOfCuda13 = 8;
    const unsigned shift = header.e_ident[EI_ABIVERSION] >= kAbiOfCuda13 ? 8 : 0;
    return header.e_flags >> shift & 0xffU;
}

} // namespace

std::uint32_t architectureOf(const char* code, std::size_t bytes) noexcept {
    Elf64_Ehdr header;
    return code && readHeader({code, bytes}, header) ? architectureIn(header) : 0;
}

MachineCode::MachineCode(const char* code, std::size_t bytes) noexcept
    : m_code(code, code ? bytes : 0), m_unread(m_code.size()) {
    Elf64_Ehdr header;
    Elf64_Shdr first;
    if (!readHeader(m_code, header) || header.e_shentsize != sizeof(Elf64_Shdr))
        return;
    m_architecture = architectureIn(header);
    m_sectionTable = header.e_shoff;
    if (m_architecture < kVolta || m_architecture > kNewestKnown || !sectionAt(0, first))
        return;
    // Numbers that do not fit into 16 bits are in the first section's header.
    m_sections = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
    const std::uint64_t names = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
    Elf64_Shdr section;
    if (sectionAt(names, section))
        m_names = contentOf(section);
}

bool MachineCode::sectionAt(std::uint64_t index, Elf64_Shdr& section) const noexcept {
    if (m_sectionTable > m_code.size() || index >= (m_code.size() - m_sectionTable) / sizeof section)
        return false;
    std::memcpy(&section, m_code.data() + m_sectionTable + index * sizeof section, sizeof section);
    return true;
}

std::string_view MachineCode::contentOf(const Elf64_Shdr& section) const noexcept {
    if (section.sh_offset > m_code.size() || section.sh_size > m_code.size() - section.sh_offset)
        return {};
    return m_code.substr(section.sh_offset, section.sh_size);
}

std::string_view MachineCode::nameOf(const Elf64_Shdr& section) const noexcept {
    if (section.sh_name >= m_names.size())
        return {};
    const std::string_view rest = m_names.substr(section.sh_name);
    return rest.substr(0, rest.find('\0'));
}

bool MachineCode::next(FunctionCode& function) noexcept {
    Elf64_Shdr section;
    while (m_next < m_sections && sectionAt(m_next, section)) {
        ++m_next;
        const std::string_view name = nameOf(section);
        const std::string_view instructions = contentOf(section);
        if (section.sh_type != SHT_PROGBITS || name.substr(0, kFunctionPrefix.size()) != kFunctionPrefix ||
            instructions.empty())
            continue;
        if (instructions.size() > m_unread)
            return false;
        m_unread -= instructions.size();
        const std::string_view mangled = name.substr(kFunctionPrefix.size());
        const Forms& forms = m_architecture < kAmpere ? kFormsBeforeAmpere : kForms;
        function = {functionNameHash(mangled.data(), mangled.size()), usesOf(instructions, forms), 0};
        return true;
    }
    return false;
}

} // namespace tacho
