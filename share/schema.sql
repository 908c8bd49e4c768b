-- SPDX-License-Identifier: Apache-2.0
-- The file format of tacho: the only definition. The recorder creates files from it, the analyzer reads them.
--
-- Tables without the prefix TACHO_ have the names, columns, enum values and id layouts of Nsight Systems' SQLite
-- export, so that scripts written for it work here too. Tables with the prefix are tacho's own.
--
-- Times are nanoseconds of the machine's CLOCK_MONOTONIC; TARGET_INFO_SESSION_START_TIME ties them to UTC.
-- globalTid = hardware id << 56 | VM id << 48 | process id << 24 | thread id; globalPid is the same with thread id 0.
-- tacho writes hardware id 0 and VM id 0.
-- correlationId is unique within a process only, and counts anew in a window that opens after CUPTI had left the process:
-- join on globalPid (globalTid >> 24) and correlationId, and take the last call before the work.

CREATE TABLE StringIds (
    id INTEGER NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- GPU work ---------------------------------------------------------------------------------------------------

CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL,
    greenContextId INTEGER,
    streamId INTEGER NOT NULL,
    correlationId INTEGER,
    globalPid INTEGER,
    demangledName INTEGER NOT NULL,         -- StringIds.id, as are the next two
    shortName INTEGER NOT NULL,             -- without namespaces, template and call arguments
    mangledName INTEGER,
    launchType INTEGER,                     -- ENUM_CUDA_KERNEL_LAUNCH_TYPE
    cacheConfig INTEGER,
    registersPerThread INTEGER NOT NULL,
    gridX INTEGER NOT NULL,
    gridY INTEGER NOT NULL,
    gridZ INTEGER NOT NULL,
    blockX INTEGER NOT NULL,
    blockY INTEGER NOT NULL,
    blockZ INTEGER NOT NULL,
    staticSharedMemory INTEGER NOT NULL,    -- bytes
    dynamicSharedMemory INTEGER NOT NULL,   -- bytes
    localMemoryPerThread INTEGER NOT NULL,  -- bytes
    localMemoryTotal INTEGER NOT NULL,      -- bytes
    gridId INTEGER NOT NULL,
    sharedMemoryExecuted INTEGER,           -- bytes
    graphNodeId INTEGER,                    -- NULL: not launched by a graph
    sharedMemoryLimitConfig INTEGER,
    graphId INTEGER,
    clusterX INTEGER,
    clusterY INTEGER,
    clusterZ INTEGER
);

CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL,
    greenContextId INTEGER,
    streamId INTEGER NOT NULL,
    correlationId INTEGER,
    globalPid INTEGER,
    bytes INTEGER NOT NULL,
    copyKind INTEGER NOT NULL,              -- ENUM_CUDA_MEMCPY_OPER
    deprecatedSrcId INTEGER,
    srcKind INTEGER,                        -- ENUM_CUDA_MEM_KIND
    dstKind INTEGER,                        -- ENUM_CUDA_MEM_KIND
    srcDeviceId INTEGER,                    -- peer copies only
    srcContextId INTEGER,
    dstDeviceId INTEGER,                    -- peer copies only
    dstContextId INTEGER,
    migrationCause INTEGER,
    graphNodeId INTEGER,
    virtualAddress INTEGER,
    copyCount INTEGER
);

CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL,
    greenContextId INTEGER,
    streamId INTEGER NOT NULL,
    correlationId INTEGER,
    globalPid INTEGER,
    value INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    graphNodeId INTEGER,
    memKind INTEGER                         -- ENUM_CUDA_MEM_KIND
);

-- A launch of a CUDA graph recorded as one (tacho record --cuda-graph graph): its kernels are in no other table. tacho
-- records these outside of TACHO_WINDOWS, too.
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL,
    greenContextId INTEGER,
    streamId INTEGER NOT NULL,
    correlationId INTEGER,
    globalPid INTEGER,
    graphId INTEGER,
    graphExecId INTEGER
);

-- Allocations and releases of memory; tacho records them outside of TACHO_WINDOWS, too.
CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (
    start INTEGER NOT NULL,
    globalPid INTEGER NOT NULL,
    deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL,
    address INTEGER,
    pc INTEGER,
    bytes INTEGER NOT NULL,
    memKind INTEGER,                        -- ENUM_CUDA_MEM_KIND
    memoryOperationType INTEGER,            -- ENUM_CUDA_DEV_MEM_EVENT_OPER
    name TEXT,
    correlationId INTEGER,
    streamId INTEGER,
    localMemoryPoolAddress INTEGER,
    localMemoryPoolReleaseThreshold INTEGER,
    localMemoryPoolSize INTEGER,
    localMemoryPoolUtilizedSize INTEGER,
    importedMemoryPoolAddress INTEGER,
    importedMemoryPoolProcessId INTEGER
);

-- Host calls -------------------------------------------------------------------------------------------------

CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (  -- runtime and driver API
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    eventClass INTEGER NOT NULL,            -- 0 runtime, 1 driver
    globalTid INTEGER,
    correlationId INTEGER,
    nameId INTEGER NOT NULL,                -- StringIds.id, with the version suffix: cudaLaunchKernel_v7000
    returnValue INTEGER NOT NULL,
    callchainId INTEGER
);

CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL,
    greenContextId INTEGER,
    streamId INTEGER NOT NULL,
    correlationId INTEGER,
    globalPid INTEGER,
    deprecatedSyncType INTEGER,
    syncType INTEGER NOT NULL,              -- ENUM_CUPTI_SYNC_TYPE
    eventId INTEGER NOT NULL,
    eventSyncId INTEGER
);

CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (
    timestamp INTEGER,
    deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL,
    greenContextId INTEGER,
    streamId INTEGER NOT NULL,
    correlationId INTEGER,
    globalPid INTEGER,
    eventId INTEGER NOT NULL,
    eventSyncId INTEGER
);

-- What the profiler itself and the driver's lazy work cost.
CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    eventClass INTEGER NOT NULL,
    globalTid INTEGER,
    correlationId INTEGER,
    nameId INTEGER,
    overheadType INTEGER NOT NULL           -- ENUM_CUPTI_OVERHEAD_TYPE
);

-- NVTX -------------------------------------------------------------------------------------------------------

-- eventType: 33 category, 34 mark, 39 thread name, 59 push/pop range, 60 start/end range, 75 domain.
-- The name of a range is text, or the string textId. Phases seen by the hook are ranges of the domain "tacho";
-- imported operators and annotations of a framework are ranges of "tacho.operator" and "tacho.annotation".
CREATE TABLE NVTX_EVENTS (
    start INTEGER NOT NULL,
    end INTEGER,                            -- NULL: a mark, or a range still open at the end of the capture
    eventType INTEGER NOT NULL,             -- ENUM_NSYS_EVENT_TYPE
    rangeId INTEGER,
    category INTEGER,
    color INTEGER,                          -- ARGB
    text TEXT,
    globalTid INTEGER,
    endGlobalTid INTEGER,
    textId INTEGER,                         -- StringIds.id of a registered string
    domainId INTEGER,
    uint64Value INTEGER,
    int64Value INTEGER,
    doubleValue REAL,
    uint32Value INTEGER,
    int32Value INTEGER,
    floatValue REAL,
    jsonTextId INTEGER,
    jsonText TEXT,
    binaryData TEXT                         -- payload bytes as hexadecimal, after "schema id:"
);

CREATE TABLE ThreadNames (
    nameId INTEGER NOT NULL,
    priority INTEGER,
    globalTid INTEGER
);

CREATE TABLE PROCESSES (
    globalPid INTEGER,
    pid INTEGER,
    name TEXT
);

-- GPU counters -----------------------------------------------------------------------------------------------

-- Sampled over time, ten times a second in the first ten minutes, then ever more rarely. A clock, power or memory is
-- that of the moment, a share or a throughput the mean since the sample before. docs/FORMAT.md lists the names.
CREATE TABLE GPU_METRICS (
    timestamp INTEGER NOT NULL,
    typeId INTEGER NOT NULL,                -- TARGET_INFO_GPU.id
    metricId INTEGER NOT NULL,              -- TARGET_INFO_GPU_METRICS.metricId
    value NUMERIC NOT NULL
);

CREATE TABLE TARGET_INFO_GPU_METRICS (
    typeId INTEGER NOT NULL,
    sourceId INTEGER,
    typeName TEXT,
    metricId INTEGER NOT NULL,
    metricName TEXT                         -- ends in the unit: "SM Clock [MHz]"
);

-- Machine ----------------------------------------------------------------------------------------------------

CREATE TABLE TARGET_INFO_GPU (
    vmId INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name TEXT,
    busLocation TEXT,
    isDiscrete INTEGER,
    l2CacheSize INTEGER,                    -- bytes
    totalMemory INTEGER,                    -- bytes
    memoryBandwidth INTEGER,                -- bytes per second
    clockRate INTEGER,                      -- Hz
    smCount INTEGER,
    uuid TEXT,
    chipName TEXT,                          -- "TU116"; NULL in tacho's own recordings: CUDA does not tell
    cuDevice INTEGER,
    maxRegistersPerBlock INTEGER,
    maxShmemPerBlock INTEGER,
    maxShmemPerBlockOptin INTEGER,
    maxShmemPerSm INTEGER,
    maxRegistersPerSm INTEGER,
    threadsPerWarp INTEGER,
    asyncEngines INTEGER,
    maxWarpsPerSm INTEGER,
    maxBlocksPerSm INTEGER,
    maxThreadsPerBlock INTEGER,
    computeMajor INTEGER,
    computeMinor INTEGER
);

CREATE TABLE TARGET_INFO_CUDA_DEVICE (
    gpuId INTEGER,                          -- TARGET_INFO_GPU.id
    cudaId INTEGER NOT NULL,                -- deviceId of the activity tables, in process pid
    pid INTEGER NOT NULL,
    uuid TEXT,
    numMultiprocessors INTEGER
);

CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (
    nullStreamId INTEGER NOT NULL,
    hwId INTEGER NOT NULL,
    vmId INTEGER NOT NULL,
    processId INTEGER NOT NULL,
    deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL,
    parentContextId INTEGER,
    isGreenContext INTEGER,
    numMultiprocessors INTEGER
);

CREATE TABLE TARGET_INFO_CUDA_STREAM (
    streamId INTEGER NOT NULL,
    hwId INTEGER NOT NULL,
    vmId INTEGER NOT NULL,
    processId INTEGER NOT NULL,
    contextId INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    flag INTEGER NOT NULL                   -- ENUM_CUPTI_STREAM_TYPE
);

CREATE TABLE TARGET_INFO_SESSION_START_TIME (
    utcEpochNs INTEGER,
    utcTime TEXT,
    localTime TEXT,
    systemClockNs INTEGER                   -- CLOCK_MONOTONIC at utcEpochNs
);

CREATE TABLE META_DATA_EXPORT (
    name TEXT NOT NULL,
    value TEXT
);

-- tacho's own ------------------------------------------------------------------------------------------------

-- format_version (of these tables; a reader refuses a newer one), tacho_version, command, hostname,
-- start_utc_ns, end_utc_ns, exit_status, driver_version, cupti_version, cupti_library (its file), window.
-- Files made by tacho import have instead: imported_from (the format of the original), step_source.
-- PRAGMA user_version holds format_version too.
CREATE TABLE TACHO_META (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT
);

-- Every imperfection of the capture. severity: info, warning, data_loss, error. code is stable, message is for people.
CREATE TABLE TACHO_HEALTH (
    severity TEXT NOT NULL,
    code TEXT NOT NULL,
    count INTEGER NOT NULL,
    message TEXT NOT NULL,
    global_pid INTEGER
);

CREATE TABLE TACHO_PROCESSES (
    global_pid INTEGER NOT NULL PRIMARY KEY,
    parent_pid INTEGER,
    command_line TEXT,                      -- secrets hidden
    start_ns INTEGER NOT NULL,
    end_ns INTEGER,                         -- NULL: it did not end in order (killed, or _exit)
    rank INTEGER,                           -- NULL: not one of several ranks
    local_rank INTEGER,
    world_size INTEGER
);

-- Training steps seen by the hook. A step lasts from the end of the step before to its own end.
CREATE TABLE TACHO_STEPS (
    global_pid INTEGER NOT NULL,
    global_tid INTEGER NOT NULL,
    step_index INTEGER NOT NULL,
    start_ns INTEGER,                       -- NULL: the first step of a process has no known start
    end_ns INTEGER NOT NULL
);

-- When GPU activity was recorded. Just after a window, CUPTI may still slow some steps down: see TACHO_CALIBRATION.
CREATE TABLE TACHO_WINDOWS (
    global_pid INTEGER NOT NULL,
    start_ns INTEGER NOT NULL,
    end_ns INTEGER                          -- NULL: open to the end of the process
);

-- What recording costs: blocks of 3 to 5 consecutive steps. is_profiled 1: all of them were recorded; 0: none, and CUPTI
-- was not in the way of the process. The first 10 steps of a process are in no block.
CREATE TABLE TACHO_CALIBRATION (
    global_pid INTEGER NOT NULL,
    is_profiled INTEGER NOT NULL,
    first_step INTEGER NOT NULL,            -- TACHO_STEPS.step_index, as is the next
    last_step INTEGER NOT NULL,
    start_ns INTEGER NOT NULL,
    end_ns INTEGER NOT NULL,
    step_ns INTEGER NOT NULL                -- mean of the steps
);

-- Facts about the training from the hook; share/python/tacho_hook/facts.py lists the names.
CREATE TABLE TACHO_FRAMEWORK (
    global_pid INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (global_pid, name)
);

-- Collectives as the host's side tells of them, in files of tacho import; recordings leave it empty. NCCL's own calls are ranges of the domain "NCCL" in NVTX_EVENTS, with their sizes in binaryData.
CREATE TABLE TACHO_COLLECTIVES (
    global_pid INTEGER NOT NULL,
    global_tid INTEGER,
    start_ns INTEGER NOT NULL,              -- of the call, which may return before the work is done
    end_ns INTEGER NOT NULL,
    kind TEXT NOT NULL,                     -- all_reduce, broadcast, reduce, all_gather, reduce_scatter, all_to_all,
                                            -- gather, scatter, send_receive, barrier, unknown
    source TEXT NOT NULL,                   -- kernel, call, nvtx, annotation
    correlation_id INTEGER,                 -- of the kernel that does it
    ranks INTEGER,                          -- in the group
    size_bytes INTEGER,                     -- as nccl-tests counts: of gathers, scatters and all_to_all all parts together
    group_name TEXT,                        -- the same on all ranks of the group
    backend TEXT                            -- nccl, gloo, mpi
);

-- GPU code that the driver compiled, or handled in its cache. Recorded from the start, whatever the window.
CREATE TABLE TACHO_JIT (
    global_pid INTEGER NOT NULL,
    device_id INTEGER NOT NULL,
    start_ns INTEGER NOT NULL,
    end_ns INTEGER NOT NULL,
    correlation_id INTEGER,                 -- of the call that needed the code
    entry TEXT,                             -- ptx_to_cubin, nvvm_to_ptx; NULL: not known
    operation TEXT,                         -- compile, cache_load, cache_store; NULL: not known
    operation_id INTEGER                    -- shared by the compilation, the look-up and the storing of one unit
);

-- Modules of machine code that were loaded. Recorded from the start, whatever the window.
CREATE TABLE TACHO_MODULES (
    global_pid INTEGER NOT NULL,
    global_tid INTEGER NOT NULL,
    time_ns INTEGER NOT NULL,               -- when it was there
    module_id INTEGER NOT NULL,
    device_id INTEGER NOT NULL,
    code_bytes INTEGER NOT NULL,
    architecture INTEGER                    -- 90: its machine code is for sm_90; NULL: not known
);

-- What the instructions of kernels do: of those that ran in a window and whose code was read when it was loaded.
-- tensor_types: words with commas between. fp64, tf32, fp16, bf16, fp8 (FP6 and FP4 with it), fp4, int8 (INT4 too): element
-- types of its tensor-core instructions; other: a type that they do not tell; none: no such instruction; unknown: none
-- itself, but it calls functions of a module that has them. Several kernels of one name: the words of all.
CREATE TABLE TACHO_KERNEL_CODE (
    global_pid INTEGER NOT NULL,
    kernel INTEGER NOT NULL,                -- StringIds.id of the demangled name
    tensor_types TEXT NOT NULL,
    PRIMARY KEY (global_pid, kernel)
);

-- What the framework's allocator holds of a GPU, at the end of each step.
CREATE TABLE TACHO_FRAMEWORK_MEMORY (
    global_pid INTEGER NOT NULL,
    device_id INTEGER NOT NULL,
    time_ns INTEGER NOT NULL,
    allocated_bytes INTEGER NOT NULL,       -- in tensors
    reserved_bytes INTEGER NOT NULL,        -- taken from CUDA
    peak_allocated_bytes INTEGER NOT NULL   -- since the start, or since the training reset it
);

-- Meanings of numbers in the nsys-compatible tables ------------------------------------------------------------

CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES
    (0, 'CUDA_MEMCPY_KIND_UNKNOWN', 'Unknown'), (1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'),
    (2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host'), (3, 'CUDA_MEMCPY_KIND_HTOA', 'Host-to-Array'),
    (4, 'CUDA_MEMCPY_KIND_ATOH', 'Array-to-Host'), (5, 'CUDA_MEMCPY_KIND_ATOA', 'Array-to-Array'),
    (6, 'CUDA_MEMCPY_KIND_ATOD', 'Array-to-Device'), (7, 'CUDA_MEMCPY_KIND_DTOA', 'Device-to-Array'),
    (8, 'CUDA_MEMCPY_KIND_DTOD', 'Device-to-Device'), (9, 'CUDA_MEMCPY_KIND_HTOH', 'Host-to-Host'),
    (10, 'CUDA_MEMCPY_KIND_PTOP', 'Peer-to-Peer');

CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_MEM_KIND VALUES
    (0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'), (1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'),
    (2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device'), (3, 'CUDA_MEMOPR_MEMORY_KIND_ARRAY', 'Array'),
    (4, 'CUDA_MEMOPR_MEMORY_KIND_MANAGED', 'Managed'), (5, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC', 'Device Static'),
    (6, 'CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC', 'Managed Static'), (7, 'CUDA_MEMOPR_MEMORY_KIND_UNKNOWN', 'Unknown');

CREATE TABLE ENUM_CUDA_DEV_MEM_EVENT_OPER (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_DEV_MEM_EVENT_OPER VALUES
    (0, 'CUDA_DEV_MEM_EVENT_OPR_ALLOCATION', 'Allocation'), (1, 'CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION', 'Deallocation');

CREATE TABLE ENUM_CUDA_KERNEL_LAUNCH_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_KERNEL_LAUNCH_TYPE VALUES
    (0, 'CUDA_KERNEL_LAUNCH_TYPE_UNKNOWN', 'Unknown'), (1, 'CUDA_KERNEL_LAUNCH_TYPE_REGULAR', 'Regular'),
    (2, 'CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE', 'Coop Single Device'),
    (3, 'CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE', 'Coop Multi Device');

CREATE TABLE ENUM_CUPTI_SYNC_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUPTI_SYNC_TYPE VALUES
    (0, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN', 'Unknown'),
    (1, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE', 'Event sync'),
    (2, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT', 'Stream wait sync'),
    (3, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE', 'Stream sync'),
    (4, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE', 'Context sync');

CREATE TABLE ENUM_CUPTI_STREAM_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUPTI_STREAM_TYPE VALUES
    (0, 'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_UNKNOWN', 'Unknown stream type'),
    (1, 'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT', 'Default stream'),
    (2, 'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING', 'Non-blocking stream'),
    (3, 'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL', 'Null stream');

CREATE TABLE ENUM_CUPTI_OVERHEAD_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUPTI_OVERHEAD_TYPE VALUES
    (0, 'OVERHEAD_UNDEFINED', 'Undefined'), (1, 'OVERHEAD_UNKNOWN', 'Unknown'),
    (2, 'OVERHEAD_DRIVER_COMPILER', 'Driver JIT compiler (CUDA)'),
    (3, 'OVERHEAD_CUPTI_BUFFER_FLUSH', 'Buffer flush (Profiler)'),
    (4, 'OVERHEAD_CUPTI_INSTRUMENTATION', 'Instrumentation (Profiler)'),
    (5, 'OVERHEAD_CUPTI_RESOURCE', 'Resource creation/destruction (Profiler)'),
    (6, 'OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING', 'Runtime module loading (CUDA)'),
    (7, 'OVERHEAD_LAZY_FUNCTION_LOADING', 'Lazy function loading (CUDA)'),
    (8, 'OVERHEAD_COMMAND_BUFFER_FULL', 'Command buffer full (CUDA)'),
    (9, 'OVERHEAD_ACTIVITY_BUFFER_REQUEST', 'Activity buffer request (Profiler)');

CREATE TABLE ENUM_NSYS_EVENT_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_NSYS_EVENT_TYPE VALUES
    (33, 'NvtxCategory', 'NvtxCategory'), (34, 'NvtxMark', 'NvtxMark'), (39, 'NvtxThread', 'NvtxThread'),
    (59, 'NvtxPushPopRange', 'NvtxPushPopRange'), (60, 'NvtxStartEndRange', 'NvtxStartEndRange'),
    (75, 'NvtxDomainCreate', 'NvtxDomainCreate');
