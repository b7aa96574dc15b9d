// Options and states of sessions between C and C++. Private to capi.
#pragma once

#include <etl/etl.h>
#include <etl/session.hpp>

#include "capi/values.hpp"

namespace etl::capi {

/// Errors: of the structure.
std::expected<session::SessionOptions, etl_error> options_of(const etl_session_options* given);
std::expected<session::EnableOptions, etl_error> options_of(const etl_enable_options* given);

/// The outcome of a call that returns nothing, or nothing that is asked for.
template <typename T>
Outcome outcome_of(const session::Outcome<T>& result) {
    return result ? Outcome(ETL_OK) : Outcome(failed(result.error()));
}

/// Keeps a state, whose texts are valid until the next, and shows it unless `to` is null.
Outcome show(session::SessionState&& state, session::SessionState& kept, etl_session_state* to);

/// The same for the outcome of a call.
inline Outcome show(session::Outcome<session::SessionState>&& state, session::SessionState& kept,
                    etl_session_state* to) {
    return state ? show(*std::move(state), kept, to) : Outcome(failed(state.error()));
}

} // namespace etl::capi
