// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/host_copies.h"

namespace tacho {
namespace {

/// Gathers the copies of one row of the result.
struct CopyCollector {
    CopyTotal total;
    IntervalSet busy;

    void add(const GpuOps& ops, std::size_t row, Interval window) {
        ++total.count;
        total.bytes += ops.sizeBytes[row];
        busy.append(clip(ops.interval(row), window));
    }
    [[nodiscard]] CopyTotal finish(const IntervalSet& kernels) {
        total.time = busy.totalLength();
        total.exposed = busy.subtraction(kernels).totalLength();
        return total;
    }
};

bool isToDevice(CopyKind kind) {
    return kind == CopyKind::HostToDevice || kind == CopyKind::HostToArray ||
           kind == CopyKind::UnifiedHostToDevice;
}
bool isToHost(CopyKind kind) {
    return kind == CopyKind::DeviceToHost || kind == CopyKind::ArrayToHost ||
           kind == CopyKind::UnifiedDeviceToHost;
}

} // namespace

double CopyTotal::gigabytesPerSecond() const {
    return time.count() > 0 ? static_cast<double>(bytes) / static_cast<double>(time.count()) : 0.0;
}

HostCopies measureHostCopies(const Trace& trace, std::span<const std::uint32_t> rows, Interval window,
                             const IntervalSet& kernels) {
    CopyCollector toDevice, toHost, pageable, pageableToDevice, pageableToHost, both, peer;
    const GpuOps& ops = trace.gpuOps;
    for (const std::uint32_t row : rows) {
        if (ops.kind[row] != GpuOpKind::Memcpy || ops.start[row] < window.start ||
            ops.start[row] >= window.end)
            continue;
        if (ops.copyKind[row] == CopyKind::PeerToPeer)
            peer.add(ops, row, window);
        const bool in = isToDevice(ops.copyKind[row]);
        if (!in && !isToHost(ops.copyKind[row]))
            continue;
        both.add(ops, row, window);
        (in ? toDevice : toHost).add(ops, row, window);
        if ((in ? ops.srcKind : ops.dstKind)[row] == MemoryKind::Pageable) {
            pageable.add(ops, row, window);
            (in ? pageableToDevice : pageableToHost).add(ops, row, window);
        }
    }
    HostCopies copies{toDevice.finish(kernels),
                      toHost.finish(kernels),
                      pageable.finish(kernels),
                      pageableToDevice.finish(kernels),
                      pageableToHost.finish(kernels),
                      both.finish(kernels).exposed,
                      peer.finish(kernels)};
    copies.peer.exposed = peer.busy.subtraction(kernels).subtraction(both.busy).totalLength();
    return copies;
}

} // namespace tacho
