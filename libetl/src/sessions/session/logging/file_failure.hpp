// What the disk says, in the words of Win32. docs/sessions.md#status
#pragma once

#include "base/result.hpp"
#include "session/status.hpp"

namespace etl::session {

Failure failure_of(const Error& error) noexcept;

} // namespace etl::session
