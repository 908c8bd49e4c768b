// SPDX-License-Identifier: Apache-2.0
// Copies from GPU to GPU that no kernel hides, as DataParallel makes them in each step.
#include "analyzer/rules/all_rules.h"
#include "analyzer/rules/copy_sums.h"
#include "analyzer/rules/quantity_text.h"

#include <fmt/format.h>

namespace tacho {

std::optional<Finding> checkPeerCopies(const Trace&, const Measurements& measurements) {
    const auto exposed = [](const DeviceActivity& activity) { return activity.copies.peer.exposed; };
    auto finding = makeFinding("peer_copies", shareOfWindows(measurements, exposed));
    if (!finding)
        return std::nullopt;
    const CopyTotal sum = sumOf(measurements, &HostCopies::peer);
    finding->title =
        fmt::format("Copies between GPUs take {} of the time with nothing to hide it ({} at {:.1f} GB/s)",
                    percentText(finding->atMost.share), bytesText(sum.bytes), sum.gigabytesPerSecond());
    finding->evidence.insert(
        finding->evidence.end(),
        {{"peer_copies", sum.count}, {"peer_bytes", sum.bytes}, {"peer_ns", std::int64_t{sum.time.count()}}});
    finding->advice = {
        "torch.nn.DataParallel copies the model to each GPU in each step: use DistributedDataParallel, one "
        "process per GPU (torchrun), which exchanges gradients alone, beside backward.",
        "Where stages of a model hand tensors on: copy on a stream of its own while the next part computes."};
    return finding;
}

} // namespace tacho
