// An Error for a call of the operating system that failed.
#pragma once

#include "base/result.hpp"

#include <cerrno>

namespace etl::host {

inline std::unexpected<Error> os_error(const char* what, ErrorCode code = ErrorCode::io_failure,
                                       int os_code = errno) noexcept {
    return std::unexpected(Error{code, what, {}, 0, 0, os_code});
}

} // namespace etl::host
