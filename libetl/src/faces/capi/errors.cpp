#include "capi/errors.hpp"

#include <array>
#include <memory>

namespace etl::capi {

namespace {

/// Errors that need no memory. Shared; never freed.
etl_error& fixed_error(etl_status status) noexcept {
    static etl_error exhausted{.status = ETL_NO_MEMORY, .message = "out of memory"};
    static etl_error unexpected{.status = ETL_INTERNAL, .message = "unexpected"};
    return status == ETL_NO_MEMORY ? exhausted : unexpected;
}

bool is_fixed(const etl_error* error) noexcept {
    return error == &fixed_error(ETL_NO_MEMORY) || error == &fixed_error(ETL_INTERNAL);
}

} // namespace

etl_status status_of(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::none:
        return ETL_OK;
    case ErrorCode::truncated:
        return ETL_TRUNCATED;
    case ErrorCode::malformed:
        return ETL_MALFORMED;
    case ErrorCode::limit:
        return ETL_LIMIT;
    case ErrorCode::not_a_trace:
        return ETL_NOT_A_TRACE;
    case ErrorCode::empty_file:
        return ETL_EMPTY_FILE;
    case ErrorCode::not_found:
        return ETL_NOT_FOUND;
    case ErrorCode::io_failure:
        return ETL_IO_FAILURE;
    case ErrorCode::unsupported:
        return ETL_UNSUPPORTED;
    case ErrorCode::invalid_option:
        return ETL_INVALID_ARGUMENT;
    case ErrorCode::stopped:
        return ETL_CANCELED;
    }
    return ETL_INTERNAL;
}

std::unexpected<etl_error> failed(etl_status status, std::string message) {
    return std::unexpected(etl_error{.status = status, .message = std::move(message)});
}

std::unexpected<etl_error> failed(const Error& error) {
    return std::unexpected(etl_error{.status = status_of(error.code),
                                     .message = describe(error),
                                     .offset = error.where.value,
                                     .os_code = error.os_code});
}

std::unexpected<etl_error> failed(const TraceError& error) {
    return std::unexpected(etl_error{.status = status_of(error.code),
                                     .message = describe(error),
                                     .offset = error.where.value,
                                     .os_code = error.os_code});
}

std::unexpected<etl_error> failed(const session::Failure& failure) {
    return std::unexpected(etl_error{.status = status_of(static_cast<Error>(failure).code),
                                     .message = session::describe(failure),
                                     .os_code = failure.os_code});
}

etl_status hand_over(etl_error** to, etl_error&& error) noexcept {
    const etl_status status = error.status;
    if (to != nullptr) {
        *to = new (std::nothrow) etl_error(std::move(error));
        if (*to == nullptr) {
            return hand_over_fixed(to, ETL_NO_MEMORY);
        }
    }
    return status;
}

etl_status hand_over_fixed(etl_error** to, etl_status status) noexcept {
    if (to != nullptr) {
        *to = &fixed_error(status);
    }
    return status;
}

} // namespace etl::capi

const char* etl_status_name(etl_status status) {
    static constexpr std::array<const char*, ETL_INTERNAL + 1> names{
        "ok",          "end",         "truncated",        "malformed",
        "limit",       "not a trace", "empty file",       "not found",
        "I/O failure", "unsupported", "invalid argument", "wrong field type",
        "no memory",   "canceled",    "internal error"};
    const auto index = static_cast<std::size_t>(status);
    return index < names.size() ? names[index] : "unknown";
}

const char* etl_error_message(const etl_error* error) {
    return error != nullptr ? error->message.c_str() : "";
}

etl_status etl_error_status(const etl_error* error) {
    return error != nullptr ? error->status : ETL_OK;
}

uint64_t etl_error_offset(const etl_error* error) {
    return error != nullptr ? error->offset : 0;
}

int etl_error_os_code(const etl_error* error) {
    return error != nullptr ? error->os_code : 0;
}

void etl_error_free(etl_error* error) {
    if (!etl::capi::is_fixed(error)) {
        delete error;
    }
}
