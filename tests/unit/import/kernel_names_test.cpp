// SPDX-License-Identifier: Apache-2.0
#include "analyzer/sqlite/kernel_names.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

TEST(KernelNames, AMangledNameBecomesTheAuthorsName) {
    EXPECT_EQ(demangledName("_Z6vecAddPKfS0_Pfi"), "vecAdd(float const*, float const*, float*, int)");
}

TEST(KernelNames, ANameThatIsNotMangledStaysAsItIs) {
    EXPECT_EQ(demangledName("ampere_sgemm_128x64_nn"), "ampere_sgemm_128x64_nn");
    EXPECT_EQ(demangledName("f"), "f"); // would be the type "float" to the demangler
    EXPECT_EQ(demangledName("_Z"), "_Z");
    EXPECT_EQ(demangledName("_ZN2at6native29vectorized_elementwise_kern"),
              "_ZN2at6native29vectorized_elementwise_kern"); // cut short
    EXPECT_EQ(demangledName(""), "");
}

struct ShortNameCase {
    const char* demangled;
    const char* shortName;
};

class ShortName : public testing::TestWithParam<ShortNameCase> {};

TEST_P(ShortName, IsTheFunctionsOwn) {
    EXPECT_EQ(shortName(GetParam().demangled), GetParam().shortName);
}

INSTANTIATE_TEST_SUITE_P(
    KernelNames, ShortName,
    testing::Values(
        ShortNameCase{"vecAdd(float const*, int)", "vecAdd"},
        ShortNameCase{"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
                      "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)",
                      "vectorized_elementwise_kernel"},
        ShortNameCase{"void at::native::(anonymous namespace)::softmax<(anonymous namespace)::Op>(int)",
                      "softmax"},
        ShortNameCase{"(anonymous namespace)::plain(int)", "plain"},
        ShortNameCase{"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x64>(Params)", "Kernel2"},
        ShortNameCase{"void Outer<int>::Inner<float>::run<3>(int)", "run"},
        ShortNameCase{"std::enable_if<(3 > 2), void>::type pick<(4 > 3)>(int)", "pick"},
        ShortNameCase{"void f<int, (Mode)1, &(g(int))>(int)", "f"},
        ShortNameCase{"void thrust::apply<A::{lambda(int)#1}>(int)", "apply"},
        ShortNameCase{"void ns::Functor::operator()(int) const", "operator()"},
        ShortNameCase{"void ns::operator<< <char>(int)", "operator<<"},
        ShortNameCase{"ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nn"},
        ShortNameCase{"triton_poi_fused_add_0d1d2", "triton_poi_fused_add_0d1d2"},
        ShortNameCase{"ns::bare", "bare"}, ShortNameCase{"my kernel", "my kernel"},
        ShortNameCase{"(odd)", "(odd)"}, ShortNameCase{"ns::", "ns::"}, ShortNameCase{"broken<<<(", "broken"},
        ShortNameCase{"", ""}));

} // namespace
} // namespace tacho
