// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/kineto_event.h"

#include "analyzer/model/memory_kind.h"
#include "analyzer/model/plausible.h"

#include "analyzer/import/decimal_time.h"
#include "analyzer/import/json_stream.h"

#include <simdjson.h>

namespace tacho {

static_assert(JsonStream::kPadding >= simdjson::SIMDJSON_PADDING);

namespace {

using simdjson::ondemand::object;
using simdjson::ondemand::value;

struct CategoryName {
    std::string_view name;
    KinetoCategory category;
};
constexpr std::array<CategoryName, 14> kCategories = {{
    {"cpu_op", KinetoCategory::Operator},
    {"kernel", KinetoCategory::Kernel},
    {"cuda_runtime", KinetoCategory::Runtime},
    {"cuda_driver", KinetoCategory::Runtime},
    {"gpu_memcpy", KinetoCategory::Memcpy},
    {"gpu_memset", KinetoCategory::Memset},
    {"user_annotation", KinetoCategory::Annotation},
    {"cuda_sync", KinetoCategory::Sync},
    {"overhead", KinetoCategory::Overhead},
    {"Operator", KinetoCategory::Operator},
    {"Kernel", KinetoCategory::Kernel},
    {"Runtime", KinetoCategory::Runtime},
    {"Memcpy", KinetoCategory::Memcpy},
    {"Memset", KinetoCategory::Memset},
}};

struct DirectionName {
    std::string_view name;
    CopyKind kind;
};
constexpr std::array<DirectionName, 13> kDirections = {{
    {"HtoD", CopyKind::HostToDevice},
    {"DtoH", CopyKind::DeviceToHost},
    {"DtoD", CopyKind::DeviceToDevice},
    {"HtoH", CopyKind::HostToHost},
    {"PtoP", CopyKind::PeerToPeer},
    {"HtoA", CopyKind::HostToArray},
    {"AtoH", CopyKind::ArrayToHost},
    {"AtoA", CopyKind::ArrayToArray},
    {"AtoD", CopyKind::ArrayToDevice},
    {"DtoA", CopyKind::DeviceToArray},
    {"HostToDevice", CopyKind::HostToDevice}, // the names of ROCm
    {"DeviceToHost", CopyKind::DeviceToHost},
    {"DeviceToDevice", CopyKind::DeviceToDevice},
}};

/// "Host" of ROCm says no more than that it is not on a device.
MemoryKind memoryKindOf(std::string_view name) {
    for (int kind = 0; kind < static_cast<int>(MemoryKind::Unknown); ++kind)
        if (name == titleOf(static_cast<MemoryKind>(kind)))
            return static_cast<MemoryKind>(kind);
    return MemoryKind::Unknown;
}

std::string_view memoryKindName(MemoryKind kind) {
    return kind == MemoryKind::Unknown ? "Unknown" : titleOf(kind);
}

CopyKind withoutUnified(CopyKind kind) {
    switch (kind) {
    case CopyKind::UnifiedHostToDevice:
        return CopyKind::HostToDevice;
    case CopyKind::UnifiedDeviceToHost:
        return CopyKind::DeviceToHost;
    case CopyKind::UnifiedDeviceToDevice:
        return CopyKind::DeviceToDevice;
    default:
        return kind;
    }
}

std::string_view inParentheses(std::string_view name) {
    const std::size_t open = name.find('(');
    const std::size_t close = name.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return {};
    return name.substr(open + 1, close - open - 1);
}

void readTriple(value& triple, std::array<std::int32_t, 3>& numbers) {
    std::size_t i = 0;
    for (auto element : triple.get_array()) {
        const auto number = leadingInteger(element.raw_json_token());
        if (number && i < numbers.size())
            numbers[i++] = static_cast<std::int32_t>(*number);
    }
}

/// "Input Dims": a list of sizes for each input, which has none if it is no tensor.
void readInputElements(value& inputs, KinetoCollective& collective) {
    std::size_t i = 0;
    for (auto input : inputs.get_array()) {
        if (i == collective.inputElements.size())
            return;
        std::int64_t elements = 0;
        if (input.type() == simdjson::ondemand::json_type::array)
            for (auto size : input.get_array()) {
                const std::int64_t number = leadingInteger(size.raw_json_token()).value_or(0);
                std::int64_t product = 0;
                const bool isTooMuch = __builtin_mul_overflow(elements == 0 ? 1 : elements, number, &product);
                elements = isTooMuch || product < 0 ? 0 : product;
            }
        collective.inputElements[i++] = elements;
    }
}

/// "Input type", which follows the sizes.
void readInputTypes(value& types, KinetoCollective& collective) {
    std::size_t i = 0;
    for (auto type : types.get_array()) {
        if (i == collective.inputElements.size())
            return;
        const std::int64_t elements = collective.inputElements[i++];
        if (elements > 0 && elements <= kMostBytes / 16)
            collective.inputBytes += elements * elementBytes(type.get_string().value());
    }
}

bool readCollectiveArgument(KinetoCollective& collective, std::string_view key, value& argument) {
    if (key == "Collective name")
        collective.name = argument.get_string();
    else if (key == "dtype")
        collective.elementType = argument.get_string();
    else if (key == "Process Group Name")
        collective.group = argument.get_string();
    else if (key == "Process Group Description")
        collective.groupDescription = argument.get_string();
    else if (key == "In msg nelems")
        collective.inElements = leadingInteger(argument.raw_json_token());
    else if (key == "Out msg nelems")
        collective.outElements = leadingInteger(argument.raw_json_token());
    else if (key == "Group size")
        collective.ranks = leadingInteger(argument.raw_json_token());
    else if (key == "Input Dims")
        readInputElements(argument, collective);
    else if (key == "Input type")
        readInputTypes(argument, collective);
    else
        return false;
    return true;
}

void readArgument(KinetoEvent& event, std::string_view key, value argument) {
    if (event.tellsOfCollective() && readCollectiveArgument(event.collective, key, argument))
        return;
    const auto integer = [&] { return leadingInteger(argument.raw_json_token()); };
    if (key == "device")
        event.device = integer();
    else if (key == "stream")
        event.stream = integer();
    else if (key == "correlation")
        event.correlation = integer();
    else if (key == "bytes")
        event.bytes = integer();
    else if (key == "graph node id")
        event.graphNode = integer();
    else if (key == "grid")
        readTriple(argument, event.shape.grid);
    else if (key == "block")
        readTriple(argument, event.shape.block);
    else if (key == "registers per thread")
        event.shape.registersPerThread = static_cast<std::int32_t>(integer().value_or(-1));
    else if (key == "shared memory") { // static and dynamic in one number
        event.shape.staticSharedMemoryBytes = 0;
        event.shape.dynamicSharedMemoryBytes = static_cast<std::int32_t>(integer().value_or(-1));
    } else if (key == "cuda_sync_kind")
        event.syncKind = argument.get_string();
    else if (key == "name" && event.phase == "M")
        event.metadataName = argument.get_string();
}

/// Operators have long arguments, and none that is used but those of collectives.
bool usesArguments(const KinetoEvent& event) {
    if (event.category.empty() || event.tellsOfCollective())
        return true;
    const KinetoCategory category = categoryOf(event.category);
    return category != KinetoCategory::Other && category != KinetoCategory::Operator &&
           category != KinetoCategory::Annotation && category != KinetoCategory::Overhead;
}

/// What cannot be a time makes the event a bad one: throws as simdjson does.
std::int64_t requiredNanoseconds(value field) {
    const std::optional<std::int64_t> ns = nanosecondsOfMicroseconds(field.raw_json_token());
    if (!ns)
        throw simdjson::simdjson_error(simdjson::NUMBER_ERROR);
    return *ns;
}

void readField(KinetoEvent& event, std::string_view key, value field) {
    if (key == "ph")
        event.phase = field.get_string();
    else if (key == "cat")
        event.category = field.get_string();
    else if (key == "name")
        event.name = field.get_string();
    else if (key == "pid")
        event.pid = field.raw_json_token();
    else if (key == "tid")
        event.tid = field.raw_json_token();
    else if (key == "ts")
        event.startNs = requiredNanoseconds(field);
    else if (key == "dur")
        event.durationNs = requiredNanoseconds(field);
    else if (key == "args" && usesArguments(event) && field.type() == simdjson::ondemand::json_type::object)
        for (auto argument : field.get_object())
            readArgument(event, argument.unescaped_key(), argument.value());
}

} // namespace

KinetoCategory categoryOf(std::string_view cat) {
    for (const CategoryName& known : kCategories)
        if (cat == known.name)
            return known.category;
    return KinetoCategory::Other;
}

bool KinetoEvent::tellsOfCollective() const {
    switch (categoryOf(category)) {
    case KinetoCategory::Kernel:
        return true;
    case KinetoCategory::Operator:
        return name == "record_param_comms";
    case KinetoCategory::Annotation:
        return name.starts_with("nccl:") || name.starts_with("gloo:") || name.starts_with("mpi:");
    default:
        return false;
    }
}

std::int64_t elementBytes(std::string_view type) {
    struct TypeSize {
        std::string_view name;
        std::int64_t bytes;
    };
    static constexpr std::array<TypeSize, 27> kSizes = {{
        {"float", 4},
        {"double", 8},
        {"c10::Half", 2},
        {"Half", 2},
        {"c10::BFloat16", 2},
        {"BFloat16", 2},
        {"Float", 4},
        {"Double", 8},
        {"int", 4},
        {"Int", 4},
        {"long", 8},
        {"long int", 8},
        {"Long", 8},
        {"short", 2},
        {"short int", 2},
        {"Short", 2},
        {"signed char", 1},
        {"unsigned char", 1},
        {"char", 1},
        {"Char", 1},
        {"Byte", 1},
        {"bool", 1},
        {"Bool", 1},
        {"ComplexFloat", 8},
        {"ComplexDouble", 16},
        {"c10::complex<float>", 8},
        {"c10::complex<double>", 16},
    }};
    for (const TypeSize& known : kSizes)
        if (type == known.name)
            return known.bytes;
    return type.find("Float8") != std::string_view::npos ? 1 : 0;
}

CopyNature copyNatureOf(std::string_view name) {
    CopyNature nature;
    for (const DirectionName& direction : kDirections)
        if (name.find(direction.name) != std::string_view::npos) {
            nature.kind = direction.kind;
            break;
        }
    static constexpr std::string_view kArrow = " -> ";
    const std::string_view kinds = inParentheses(name);
    const std::size_t arrow = kinds.find(kArrow);
    if (arrow == std::string_view::npos)
        return nature;
    nature.src = memoryKindOf(kinds.substr(0, arrow));
    nature.dst = memoryKindOf(kinds.substr(arrow + kArrow.size()));
    return nature;
}

MemoryKind memsetKindOf(std::string_view name) {
    return memoryKindOf(inParentheses(name));
}

std::string copyName(const CopyNature& nature) {
    std::string name = "Memcpy";
    for (const DirectionName& direction : kDirections)
        if (direction.kind == withoutUnified(nature.kind)) {
            name.append(" ").append(direction.name);
            break;
        }
    return name.append(" (")
        .append(memoryKindName(nature.src))
        .append(" -> ")
        .append(memoryKindName(nature.dst))
        .append(")");
}

std::string memsetName(MemoryKind kind) {
    return std::string("Memset (").append(memoryKindName(kind)).append(")");
}

struct KinetoEventParser::Simdjson {
    simdjson::ondemand::parser parser;
};

KinetoEventParser::KinetoEventParser() : m_simdjson(std::make_unique<Simdjson>()) {}
KinetoEventParser::~KinetoEventParser() = default;

std::optional<KinetoEvent> KinetoEventParser::parse(std::string_view text) {
    try {
        const simdjson::padded_string_view padded(text.data(), text.size(),
                                                  text.size() + JsonStream::kPadding);
        auto document = m_simdjson->parser.iterate(padded);
        KinetoEvent event;
        for (auto field : document.get_object())
            readField(event, field.unescaped_key(), field.value());
        return event;
    } catch (const simdjson::simdjson_error&) { // the caller counts it
        return std::nullopt;
    }
}

} // namespace tacho
