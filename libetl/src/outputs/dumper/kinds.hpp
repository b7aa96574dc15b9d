// The kinds of events that xperf names itself, and their columns: the one place to add a kind.
// Private to dumper. docs/xperf.md#kinds
#pragma once

#include "dumper/column.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace etl::dumper {

/// What a kind changes or needs of the state between events.
enum class Effect : std::uint8_t {
    none,
    context_switch,
    ready,
    request_begin, // of a file
    request_end,
    disk_begin, // an Init
    disk_end,
    interrupt,
};

struct Kind {
    std::string_view name;
    std::uint16_t hooks[6];         // 0: no further ones
    std::string_view process_field; // whom the event is about; empty: the header, or the thread
    std::string_view thread_field;
    std::span<const DumpColumn> columns;
    Effect effect = Effect::none;
};

/// All kinds, in the order of their schema lines. The first are those of events without a schema,
/// and of events that contradict theirs.
std::span<const Kind> kinds() noexcept;

enum KindNumber : std::uint8_t {
    unknown_classic,
    invalid_classic,
    unknown_crimson,
    invalid_crimson,
    first_known,
};

inline constexpr std::uint8_t no_kind = 0xFF;

/// Returns the number of the kind of a hook, or no_kind.
std::uint8_t kind_of_hook(std::uint16_t hook) noexcept;

} // namespace etl::dumper
