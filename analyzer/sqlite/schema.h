// SPDX-License-Identifier: Apache-2.0
// share/schema.sql, compiled in: the only definition of tacho's files.
#pragma once

#include <string_view>

namespace tacho::embedded {

extern const std::string_view schemaSql; // NOLINT(readability-identifier-naming): named by tacho_embed()

} // namespace tacho::embedded
