// Properties: a caller's EVENT_TRACE_PROPERTIES, of either version, with the names behind it: what
// is asked for out of it, what a session is into it. One thread. docs/compat.md#properties
#pragma once

#include <etl/session.hpp>

#include "compat/c_values.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace etl::compat {

class Properties {
public:
    /// Checks sizes and places (docs/sessions.md#checks). `properties` has at least a
    /// WNODE_HEADER; all that its Wnode.BufferSize says is the caller's. Errors: bad_length,
    /// invalid_parameter.
    static session::Outcome<Properties> of(EVENT_TRACE_PROPERTIES& properties, Form form);

    const EVENT_TRACE_PROPERTIES& fixed() const noexcept { return *properties_; }

    bool has_traced_guid_flag() const noexcept {
        return (properties_->Wnode.Flags & WNODE_FLAG_TRACED_GUID) != 0;
    }

    /// The log file's name as given; empty: none. Errors: bad_length (no terminator).
    session::Outcome<std::string> file() const;

    /// The name of the log file is whole, and there is room for a copy of the session's.
    /// Errors: bad_length.
    session::Outcome<void> check_room(std::string_view session_name) const;

    /// Filters of version 2. Errors: invalid_parameter (not for this session, unknown, twice).
    session::Outcome<void> check_filters() const;

    session::SessionOptions options(std::string name, std::string file) const;

    /// Whether a name that did not fit is worth more_data.
    enum class Names : unsigned char { must_fit, may_be_cut_off };

    /// Errors: more_data; all but the names is there then.
    session::Outcome<void> fill(const session::SessionState& state, Names names);

private:
    Properties(EVENT_TRACE_PROPERTIES& properties, std::size_t fixed_size, Form form) noexcept
        : properties_(&properties), fixed_size_(fixed_size), form_(form) {}

    bool is_version_2() const noexcept { return fixed_size_ == sizeof(EVENT_TRACE_PROPERTIES_V2); }

    std::byte* at(std::size_t offset) const noexcept;
    /// Bytes for a name at `offset`: up to the other name, or the end.
    std::size_t room_at(std::size_t offset, std::size_t other) const noexcept;
    std::vector<std::byte> extension() const;
    bool put_name(std::string_view name, std::size_t offset, std::size_t other);

    EVENT_TRACE_PROPERTIES* properties_;
    std::size_t fixed_size_;
    Form form_;
};

} // namespace etl::compat
