// Errors of the C interface, and the guard around every function that can fail. Private to capi.
#pragma once

#include <etl/error.hpp>
#include <etl/etl.h>
#include <etl/session.hpp>
#include <etl/trace.hpp>

#include <expected>
#include <new>
#include <string>
#include <utility>

/// The error of a call.
struct etl_error {
    etl_status status = ETL_OK;
    std::string message{};
    std::uint64_t offset = 0;
    int os_code = 0;
};

namespace etl::capi {

/// The outcome of a call: ETL_OK or ETL_END, or its error.
using Outcome = std::expected<etl_status, etl_error>;

etl_status status_of(ErrorCode code) noexcept;

std::unexpected<etl_error> failed(etl_status status, std::string message);
std::unexpected<etl_error> failed(const Error& error);
std::unexpected<etl_error> failed(const TraceError& error);
std::unexpected<etl_error> failed(const session::Failure& failure);

/// Hands an error to the caller, unless `to` is null.
etl_status hand_over(etl_error** to, etl_error&& error) noexcept;

/// The error of a call that found no memory, or that an unexpected exception ended.
etl_status hand_over_fixed(etl_error** to, etl_status status) noexcept;

/// Runs a call, which returns an Outcome. No exception leaves it.
template <typename Call>
etl_status guarded(etl_error** error, Call&& call) noexcept {
    if (error != nullptr) {
        *error = nullptr;
    }
    try {
        Outcome outcome = std::forward<Call>(call)();
        return outcome ? *outcome : hand_over(error, std::move(outcome.error()));
    } catch (const std::bad_alloc&) {
        return hand_over_fixed(error, ETL_NO_MEMORY);
    } catch (...) {
        return hand_over_fixed(error, ETL_INTERNAL);
    }
}

} // namespace etl::capi
