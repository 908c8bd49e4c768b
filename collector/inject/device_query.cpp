// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/device_query.h"

#include <cstdio>
#include <cuda.h>
#include <dlfcn.h>

namespace tacho {

namespace {

struct Driver {
    CUresult (*getCount)(int*);
    CUresult (*get)(CUdevice*, int);
    CUresult (*getName)(char*, int, CUdevice);
    CUresult (*getUuid)(CUuuid*, CUdevice);
    CUresult (*getBusId)(char*, int, CUdevice);
    CUresult (*totalMemory)(std::size_t*, CUdevice);
    CUresult (*getAttribute)(int*, CUdevice_attribute, CUdevice);
};

template <typename Function>
bool look(void* library, const char* name, Function& function) noexcept {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

bool findDriver(Driver& driver) noexcept {
    void* const library = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY);
    return library && look(library, "cuDeviceGetCount", driver.getCount) &&
           look(library, "cuDeviceGet", driver.get) && look(library, "cuDeviceGetName", driver.getName) &&
           look(library, "cuDeviceGetUuid_v2", driver.getUuid) &&
           look(library, "cuDeviceGetPCIBusId", driver.getBusId) &&
           look(library, "cuDeviceTotalMem_v2", driver.totalMemory) &&
           look(library, "cuDeviceGetAttribute", driver.getAttribute);
}

std::uint32_t uuidText(const CUuuid& uuid, ActivityDecoder& strings) noexcept {
    char text[48] = "GPU-";
    int at = 4;
    for (int i = 0; i < 16; ++i) {
        const bool dash = i == 4 || i == 6 || i == 8 || i == 10;
        at += std::snprintf(text + at, sizeof text - static_cast<std::size_t>(at), dash ? "-%02x" : "%02x",
                            static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    }
    return strings.stringId(text);
}

void writeDevice(const Driver& driver, int ordinal, SpoolFile& file, ActivityDecoder& strings) noexcept {
    CUdevice device = 0;
    if (driver.get(&device, ordinal) != CUDA_SUCCESS)
        return;
    char text[256] = "";
    CUuuid uuid{};
    std::size_t memoryBytes = 0;
    spool::Device record{};
    record.header = {static_cast<std::uint16_t>(spool::RecordType::Device), sizeof record};
    record.deviceId = static_cast<std::uint32_t>(ordinal);
    if (driver.getName(text, sizeof text, device) == CUDA_SUCCESS)
        record.name = strings.stringId(text);
    if (driver.getUuid(&uuid, device) == CUDA_SUCCESS)
        record.uuid = uuidText(uuid, strings);
    if (driver.getBusId(text, sizeof text, device) == CUDA_SUCCESS)
        record.busLocation = strings.stringId(text);
    if (driver.totalMemory(&memoryBytes, device) == CUDA_SUCCESS)
        record.totalMemoryBytes = memoryBytes;
    const auto attribute = [&driver, device](CUdevice_attribute name) {
        int value = 0;
        return driver.getAttribute(&value, name, device) == CUDA_SUCCESS ? static_cast<std::uint32_t>(value)
                                                                         : 0U;
    };
    record.smCount = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    // Memory clock (kHz) x 2 transfers per clock x bus width in bytes.
    record.memoryBandwidthBytesPerSecond = std::uint64_t{attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)} *
                                           1000 * 2 * attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) /
                                           8;
    record.l2CacheBytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    record.clockRateKHz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    record.computeMajor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    record.computeMinor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    constexpr std::uint32_t kThreadsPerWarp = 32;
    record.maxWarpsPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / kThreadsPerWarp;
    record.maxBlocksPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    record.maxThreadsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    record.registersPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    record.registersPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    record.sharedMemoryPerSmBytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    record.sharedMemoryPerBlockBytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    record.sharedMemoryPerBlockOptinBytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    record.asyncEngines = attribute(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
    file.append(&record, sizeof record);
}

} // namespace

bool writeDevices(SpoolFile& file, ActivityDecoder& strings) noexcept {
    Driver driver{};
    int count = 0;
    if (!findDriver(driver) || driver.getCount(&count) != CUDA_SUCCESS)
        return false;
    for (int ordinal = 0; ordinal < count; ++ordinal)
        writeDevice(driver, ordinal, file, strings);
    return true;
}

} // namespace tacho
