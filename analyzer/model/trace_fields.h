// SPDX-License-Identifier: Apache-2.0
// All fields of a Trace, for whatever must not forget one: sorting a table, writing it to a cache, comparing
// two.
#pragma once

#include "analyzer/model/trace.h"

namespace tacho {

// forFields(x, visit) calls visit(a, b, ...) with all fields of x. A field that is added and not named here
// does not compile: the bindings must be as many as the fields.

template <class Visit>
void forFields(Process& of, Visit&& visit) {
    auto& [pid, name, commandLine, file, rank, worldSize, facts] = of;
    visit(pid, name, commandLine, file, rank, worldSize, facts);
}
template <class Visit>
void forFields(Thread& of, Visit&& visit) {
    auto& [process, tid, name] = of;
    visit(process, tid, name);
}
template <class Visit>
void forFields(Device& of, Visit&& visit) {
    auto& [process, id, name, chip, memoryBytes, smCount, computeMajor, computeMinor, maxWarpsPerSm,
           maxBlocksPerSm, registersPerSm, sharedMemoryPerSmBytes] = of;
    visit(process, id, name, chip, memoryBytes, smCount, computeMajor, computeMinor, maxWarpsPerSm,
          maxBlocksPerSm, registersPerSm, sharedMemoryPerSmBytes);
}
template <class Visit>
void forFields(GpuOps& of, Visit&& visit) {
    auto& [start, end, name, correlation, stream, device, kind, shape, launch, sizeBytes, copyKind, srcKind,
           dstKind, inGraph] = of;
    visit(start, end, name, correlation, stream, device, kind, shape, launch, sizeBytes, copyKind, srcKind,
          dstKind, inGraph);
}
template <class Visit>
void forFields(ApiCalls& of, Visit&& visit) {
    auto& [start, end, name, thread, correlation, kind] = of;
    visit(start, end, name, thread, correlation, kind);
}
template <class Visit>
void forFields(Ranges& of, Visit&& visit) {
    auto& [start, end, name, domain, thread, kind] = of;
    visit(start, end, name, domain, thread, kind);
}
template <class Visit>
void forFields(Syncs& of, Visit&& visit) {
    auto& [start, end, kind, process, stream, correlation] = of;
    visit(start, end, kind, process, stream, correlation);
}
template <class Visit>
void forFields(Overheads& of, Visit&& visit) {
    auto& [start, end, kind, thread] = of;
    visit(start, end, kind, thread);
}
template <class Visit>
void forFields(CounterSeries& of, Visit&& visit) {
    auto& [device, name, time, value] = of;
    visit(device, name, time, value);
}
template <class Visit>
void forFields(HealthNote& of, Visit&& visit) {
    auto& [severity, code, count, message] = of;
    visit(severity, code, count, message);
}
template <class Visit>
void forFields(Trace& of, Visit&& visit) {
    auto& [source, formatVersion, files, strings, processes, threads, devices, launchShapes, gpuOps, apiCalls,
           ranges, syncs, overheads, jitOperations, modules, memoryEvents, memorySamples, collectives,
           kernelCode, steps, stepSource, windows, calibration, counters, health] = of;
    visit(source, formatVersion, files, strings, processes, threads, devices, launchShapes, gpuOps, apiCalls,
          ranges, syncs, overheads, jitOperations, modules, memoryEvents, memorySamples, collectives,
          kernelCode, steps, stepSource, windows, calibration, counters, health);
}

} // namespace tacho
