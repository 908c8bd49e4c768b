// SPDX-License-Identifier: Apache-2.0
#include "analyzer/metrics/communication_kernel.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

TEST(CommunicationKernel, IsKnownByTheLibraryOrTheCollectiveInItsName) {
    for (const char* name :
         {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)", "ncclKernel_Broadcast",
          "rcclGenericKernel", "void mscclKernel_Sum_half", "multimem_all_reduce_kernel",
          "void vllm::cross_device_reduce_1stage<half, 2>", "AllGather_ring", "custom_all_gather",
          "ReduceScatterKernel", "reduce_scatter_v2", "alltoall", "AllToAll_kernel", "all_to_all_single"})
        EXPECT_TRUE(isCommunicationKernel(name)) << name;
}

TEST(CommunicationKernel, IsNotAComputeKernelThatReducesOrGathers) {
    for (const char* name :
         {"void at::native::reduce_kernel<512, 1>", "vectorized_gather_kernel", "ampere_sgemm_128x64_nn",
          "void at::native::_scatter_gather_elementwise_kernel", "hipblaslt_gemm", ""})
        EXPECT_FALSE(isCommunicationKernel(name)) << name;
}

} // namespace
} // namespace tacho
