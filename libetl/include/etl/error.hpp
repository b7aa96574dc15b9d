// Errors: small values returned by calls. describe() converts them to messages.
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace etl {

enum class ErrorCode : std::uint8_t {
    none,
    truncated,      // fewer bytes than a structure needs
    malformed,      // the bytes contradict the format
    limit,          // more than the library, the format, or the machine allows
    not_a_trace,    // the file is something else
    empty_file,     // the file is empty
    not_found,      // no such file, directory, or name
    io_failure,     // the operating system reported an error; see os_code
    unsupported,    // valid, but not supported
    invalid_option, // invalid argument or combination of options
    stopped,        // ended early, as it was asked to
};

/// An error and its location. Trivially copyable; `what` is a string literal.
struct Error {
    ErrorCode code = ErrorCode::none;
    const char* what = "";  // static text: the thing that failed
    FileOffset where{};     // offset in the file, or in the decompressed bytes
    std::uint64_t need = 0; // bytes needed, or the limit; 0 if not applicable
    std::uint64_t have = 0; // bytes available, or the value found
    int os_code = 0;        // errno or GetLastError, for io_failure
};

template <typename T>
using Result = std::expected<T, Error>;

/// Returns "truncated: buffer header at 0x48: needs 72 bytes, 10 left". One line, no newline.
std::string describe(const Error& error);

/// Returns the fixed English text of a code.
std::string_view name(ErrorCode code) noexcept;

/// An error and its subject: a path or the name of an option; empty: the work as a whole.
struct TraceError : Error {
    std::string about{};
    std::string detail{}; // message used instead of the code's text; may be empty
};

/// Returns "trace.etl: not found: ...". An error in an expression takes several lines.
std::string describe(const TraceError& error);

/// Creates an Error to return from a function with a Result.
inline std::unexpected<Error> fail(ErrorCode code, const char* what, FileOffset where = {},
                                   std::uint64_t need = 0, std::uint64_t have = 0) {
    return std::unexpected(Error{code, what, where, need, have, 0});
}

} // namespace etl
