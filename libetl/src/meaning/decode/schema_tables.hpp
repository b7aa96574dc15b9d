// The tables that cmake/embed_schemas.cmake makes of schemas/*.csv. Private to decode.
#pragma once

#include <etl/guid.hpp>

#include "decode/known_names.hpp"
#include "decode/value.hpp"
#include "format/kernel_group.hpp"

#include <span>
#include <string_view>

namespace etl::decode::tables {

struct Provider {
    Guid guid;
    std::string_view name;
};

/// An event of a class that has no kernel group; not all of them are the kernel's.
struct ClassicEvent {
    Guid class_guid;
    std::uint8_t type;
    std::string_view event;
    std::string_view provider;

    /// Logged by the kernel, or written by a merge.
    bool is_of_kernel() const noexcept { return provider == format::system_trace_name; }
};

struct ErrorCodeName {
    ErrorSpace space;
    std::uint32_t code;
    std::string_view name;
};

/// Ascending by hook id.
std::span<const HookName> hooks() noexcept;

std::span<const ClassicEvent> classic_events() noexcept;

std::span<const Provider> providers() noexcept;

std::span<const ErrorCodeName> error_codes() noexcept;

} // namespace etl::decode::tables
