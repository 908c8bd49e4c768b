// SPDX-License-Identifier: Apache-2.0
// Functions of libraries that are opened at run time.
#pragma once

#include <dlfcn.h>

namespace tacho {

/// Sets `function` to that of the name; null and false: the library has none.
template <typename Function>
bool look(void* library, const char* name, Function*& function) noexcept {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    return function != nullptr;
}

} // namespace tacho
