// SPDX-License-Identifier: Apache-2.0
// Proves, while compiling, that one reading of CUPTI's records serves all versions. Nothing here runs.
#include "collector/inject/cupti_api.h"

#include <cstddef>

// ActivityDecoder reads the records of every version by the newest layout that the headers here declare. That
// is right for a field which the older layouts have at the same place, with the same size. A field that older
// layouts lack is asked for by version, see cupti_versions.h.
//
// The oldest version that we read, CUDA 11.8, writes Kernel8, Memcpy5, Memory3, Overhead, Context,
// Synchronization, GraphTrace and Jit. 12.0 brought Kernel9, 12.3 GraphTrace2, 12.4 Jit2 and Overhead3, 12.5
// Context3, 12.6 Memory4, 12.8 Memcpy6 and Synchronization2, 13.0 Kernel10. By NVIDIA's documentation 13.1 to
// 13.4 (Kernel11 to Kernel13, Memcpy7, Memset5, Context4) append fields again.
#define TACHO_SAME(older, newer, field)                                                                      \
    static_assert(offsetof(CUpti_Activity##older, field) == offsetof(CUpti_Activity##newer, field) &&        \
                  sizeof(CUpti_Activity##older::field) == sizeof(CUpti_Activity##newer::field))

#define TACHO_SAME_KERNEL(older)                                                                             \
    TACHO_SAME(older, Kernel10, kind);                                                                       \
    TACHO_SAME(older, Kernel10, cacheConfig);                                                                \
    TACHO_SAME(older, Kernel10, registersPerThread);                                                         \
    TACHO_SAME(older, Kernel10, start);                                                                      \
    TACHO_SAME(older, Kernel10, end);                                                                        \
    TACHO_SAME(older, Kernel10, deviceId);                                                                   \
    TACHO_SAME(older, Kernel10, contextId);                                                                  \
    TACHO_SAME(older, Kernel10, streamId);                                                                   \
    TACHO_SAME(older, Kernel10, gridX);                                                                      \
    TACHO_SAME(older, Kernel10, gridY);                                                                      \
    TACHO_SAME(older, Kernel10, gridZ);                                                                      \
    TACHO_SAME(older, Kernel10, blockX);                                                                     \
    TACHO_SAME(older, Kernel10, blockY);                                                                     \
    TACHO_SAME(older, Kernel10, blockZ);                                                                     \
    TACHO_SAME(older, Kernel10, staticSharedMemory);                                                         \
    TACHO_SAME(older, Kernel10, dynamicSharedMemory);                                                        \
    TACHO_SAME(older, Kernel10, localMemoryPerThread);                                                       \
    TACHO_SAME(older, Kernel10, correlationId);                                                              \
    TACHO_SAME(older, Kernel10, gridId);                                                                     \
    TACHO_SAME(older, Kernel10, name);                                                                       \
    TACHO_SAME(older, Kernel10, launchType);                                                                 \
    TACHO_SAME(older, Kernel10, sharedMemoryExecuted);                                                       \
    TACHO_SAME(older, Kernel10, graphNodeId);                                                                \
    TACHO_SAME(older, Kernel10, graphId);                                                                    \
    TACHO_SAME(older, Kernel10, clusterX);                                                                   \
    TACHO_SAME(older, Kernel10, clusterY);                                                                   \
    TACHO_SAME(older, Kernel10, clusterZ);                                                                   \
    TACHO_SAME(older, Kernel10, localMemoryTotal_v2)

#define TACHO_SAME_OVERHEAD(older)                                                                           \
    TACHO_SAME(older, Overhead3, kind);                                                                      \
    TACHO_SAME(older, Overhead3, overheadKind);                                                              \
    TACHO_SAME(older, Overhead3, objectKind);                                                                \
    TACHO_SAME(older, Overhead3, objectId);                                                                  \
    TACHO_SAME(older, Overhead3, start);                                                                     \
    TACHO_SAME(older, Overhead3, end)

#define TACHO_SAME_CONTEXT(older)                                                                            \
    TACHO_SAME(older, Context3, kind);                                                                       \
    TACHO_SAME(older, Context3, contextId);                                                                  \
    TACHO_SAME(older, Context3, deviceId);                                                                   \
    TACHO_SAME(older, Context3, nullStreamId)

#define TACHO_SAME_MEMORY(older)                                                                             \
    TACHO_SAME(older, Memory4, kind);                                                                        \
    TACHO_SAME(older, Memory4, memoryOperationType);                                                         \
    TACHO_SAME(older, Memory4, memoryKind);                                                                  \
    TACHO_SAME(older, Memory4, correlationId);                                                               \
    TACHO_SAME(older, Memory4, address);                                                                     \
    TACHO_SAME(older, Memory4, bytes);                                                                       \
    TACHO_SAME(older, Memory4, timestamp);                                                                   \
    TACHO_SAME(older, Memory4, deviceId);                                                                    \
    TACHO_SAME(older, Memory4, contextId);                                                                   \
    TACHO_SAME(older, Memory4, streamId)

TACHO_SAME_KERNEL(Kernel8);
TACHO_SAME_KERNEL(Kernel9);
TACHO_SAME_OVERHEAD(Overhead);
TACHO_SAME_OVERHEAD(Overhead2);
TACHO_SAME_CONTEXT(Context);
TACHO_SAME_CONTEXT(Context2);

TACHO_SAME(Memcpy5, Memcpy6, kind);
TACHO_SAME(Memcpy5, Memcpy6, copyKind);
TACHO_SAME(Memcpy5, Memcpy6, srcKind);
TACHO_SAME(Memcpy5, Memcpy6, dstKind);
TACHO_SAME(Memcpy5, Memcpy6, bytes);
TACHO_SAME(Memcpy5, Memcpy6, start);
TACHO_SAME(Memcpy5, Memcpy6, end);
TACHO_SAME(Memcpy5, Memcpy6, deviceId);
TACHO_SAME(Memcpy5, Memcpy6, contextId);
TACHO_SAME(Memcpy5, Memcpy6, streamId);
TACHO_SAME(Memcpy5, Memcpy6, correlationId);
TACHO_SAME(Memcpy5, Memcpy6, graphNodeId);

TACHO_SAME(Synchronization, Synchronization2, kind);
TACHO_SAME(Synchronization, Synchronization2, type);
TACHO_SAME(Synchronization, Synchronization2, start);
TACHO_SAME(Synchronization, Synchronization2, end);
TACHO_SAME(Synchronization, Synchronization2, correlationId);
TACHO_SAME(Synchronization, Synchronization2, contextId);
TACHO_SAME(Synchronization, Synchronization2, streamId);
TACHO_SAME(Synchronization, Synchronization2, cudaEventId);

TACHO_SAME(GraphTrace, GraphTrace2, kind);
TACHO_SAME(GraphTrace, GraphTrace2, correlationId);
TACHO_SAME(GraphTrace, GraphTrace2, start);
TACHO_SAME(GraphTrace, GraphTrace2, end);
TACHO_SAME(GraphTrace, GraphTrace2, deviceId);
TACHO_SAME(GraphTrace, GraphTrace2, graphId);
TACHO_SAME(GraphTrace, GraphTrace2, contextId);
TACHO_SAME(GraphTrace, GraphTrace2, streamId);

TACHO_SAME(Jit, Jit2, kind);
TACHO_SAME(Jit, Jit2, jitEntryType);
TACHO_SAME(Jit, Jit2, jitOperationType);
TACHO_SAME(Jit, Jit2, deviceId);
TACHO_SAME(Jit, Jit2, start);
TACHO_SAME(Jit, Jit2, end);
TACHO_SAME(Jit, Jit2, correlationId);
TACHO_SAME(Jit, Jit2, jitOperationCorrelationId);

TACHO_SAME_MEMORY(Memory2);
TACHO_SAME_MEMORY(Memory3);

// One layout from 11.8 to 13.0: a change of these sizes means that the headers have a newer one.
static_assert(sizeof(CUpti_ActivityMemcpyPtoP4) == 96 && sizeof(CUpti_ActivityMemset4) == 88);
static_assert(sizeof(CUpti_ActivityAPI) == 40 && sizeof(CUpti_ActivityStream) == 24);
