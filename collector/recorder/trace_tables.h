// SPDX-License-Identifier: Apache-2.0
// The tables of share/schema.sql that get a row per recorded event, ready to be filled.
#pragma once

#include "analyzer/sqlite/insert.h"

namespace tacho {

/// The columns of each, in the order row() wants them, are in trace_tables.cpp.
struct TraceTables {
    explicit TraceTables(const Database& db);

    Insert kernel, memcpy, memset, apiCall, synchronization, cudaEvent, overhead;
    Insert graphTrace, memoryOperation, jit, module, kernelCode, frameworkMemory;
    Insert nvtx, nvtxName, threadName, context, stream, step, window, calibration;
};

} // namespace tacho
