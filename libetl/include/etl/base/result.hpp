// Errors: small values that end a call. A message is made from one only at the edge (describe).
#pragma once

#include <etl/base/bytes.hpp>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace etl {

enum class ErrorCode : std::uint8_t {
    none,
    truncated,      // fewer bytes than a structure needs
    malformed,      // the bytes contradict the format
    limit,          // a bound of limits.hpp was reached
    not_a_trace,    // the file is something else
    empty_file,     // the file holds no byte
    not_found,      // no such file, folder or name
    io_failure,     // the operating system refused; os_code says why
    unsupported,    // valid, but nothing here can handle it
    invalid_option, // the caller asked for something impossible
};

/// What went wrong and where. Trivially copyable; `what` points at a string literal.
struct Error {
    ErrorCode code = ErrorCode::none;
    const char* what = "";  // static text: the thing that failed
    FileOffset where{};     // in the file at hand, or in the unpacked bytes
    std::uint64_t need = 0; // bytes needed, or the limit; 0 when it does not apply
    std::uint64_t have = 0; // bytes there, or the value found
    int os_code = 0;        // errno or GetLastError, for io_failure
};

template <typename T>
using Result = std::expected<T, Error>;

/// "truncated: buffer header at 0x48: needs 72 bytes, 10 left". One line, no newline.
std::string describe(const Error& error);

/// The fixed English word for a code.
std::string_view name(ErrorCode code) noexcept;

/// Shorthand for returning an Error from a function with a Result.
inline std::unexpected<Error> fail(ErrorCode code, const char* what, FileOffset where = {},
                                   std::uint64_t need = 0, std::uint64_t have = 0) {
    return std::unexpected(Error{code, what, where, need, have, 0});
}

} // namespace etl
