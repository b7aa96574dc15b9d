// Why there is no record where one should be, as text for findings. Private to trace.
#pragma once

#include "format/record_kind.hpp"

namespace etl::trace {

/// Empty: a record was found. Static.
const char* describe(format::NoRecord why) noexcept;

} // namespace etl::trace
