// What the disk says, in the words of Win32. docs/sessions.md#status
#pragma once

#include <etl/base/result.hpp>
#include <etl/session/status.hpp>

namespace etl::session {

Failure failure_of(const Error& error) noexcept;

} // namespace etl::session
