// SPDX-License-Identifier: Apache-2.0
// Closes the injected library as often as it takes to unload one, and goes on making ranges.
#include <cstdlib>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>

int main() {
    nvtxMarkA("before");
    void* library = dlopen(std::getenv("NVTX_INJECTION64_PATH"), RTLD_NOW | RTLD_NOLOAD);
    for (int i = 0; library && i < 10; ++i)
        dlclose(library);
    nvtxMarkA("after");
    return library ? 5 : 1;
}
