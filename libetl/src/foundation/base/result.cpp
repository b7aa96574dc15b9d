#include <etl/error.hpp>

#include <fmt/format.h>

#include <iterator>
#include <system_error>

namespace etl {

std::string_view name(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::none:
        return "no error";
    case ErrorCode::truncated:
        return "truncated";
    case ErrorCode::malformed:
        return "malformed";
    case ErrorCode::limit:
        return "limit reached";
    case ErrorCode::not_a_trace:
        return "not a trace";
    case ErrorCode::empty_file:
        return "empty file";
    case ErrorCode::not_found:
        return "not found";
    case ErrorCode::io_failure:
        return "I/O error";
    case ErrorCode::unsupported:
        return "unsupported";
    case ErrorCode::invalid_option:
        return "invalid option";
    case ErrorCode::stopped:
        return "stopped";
    }
    return "unknown error";
}

namespace {

// Whether offset 0 is a place in the file, and not just the absence of one.
bool has_place(const Error& error) noexcept {
    return error.code == ErrorCode::truncated || error.code == ErrorCode::malformed ||
           error.where.value != 0;
}

} // namespace

std::string describe(const Error& error) {
    std::string text(name(error.code));
    const auto add = std::back_inserter(text);
    if (*error.what != '\0') {
        fmt::format_to(add, ": {}", error.what);
    }
    if (has_place(error)) {
        fmt::format_to(add, " at {:#x}", error.where.value);
    }
    if (error.code == ErrorCode::truncated && error.need != 0) {
        fmt::format_to(add, ": needs {} byte{}, {} left", error.need, error.need == 1 ? "" : "s",
                       error.have);
    } else if (error.code == ErrorCode::limit && error.have != 0) {
        fmt::format_to(add, ": at most {}, found {}", error.need, error.have);
    } else if (error.code == ErrorCode::limit && error.need != 0) {
        fmt::format_to(add, ": at most {}", error.need);
    } else if (error.need != 0) {
        fmt::format_to(add, ": expected {}, found {}", error.need, error.have);
    } else if (error.have != 0) {
        fmt::format_to(add, ": found {}", error.have);
    }
    if (error.os_code != 0) {
        fmt::format_to(add, ": {}", std::system_category().message(error.os_code));
    }
    return text;
}

std::string describe(const TraceError& error) {
    const std::string text =
        error.detail.empty() ? describe(static_cast<const Error&>(error)) : error.detail;
    return error.about.empty() ? text : error.about + ": " + text;
}

} // namespace etl
