// The names that an expression may put on the left: keys of docs/output.md. Everything else is a
// field. Private to match.
#pragma once

#include "match/expression.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace etl::match {

enum class Operand : std::uint8_t {
    field,
    any_field, // of the payload
    time,
    cpu,
    pid,
    tid,
    process,
    provider,
    provider_guid,
    id,
    version,
    channel,
    level,
    opcode,
    task,
    keyword,
    event,
    task_name,
    opcode_name,
    level_name,
    channel_name,
    qualifiers,
    computer,
    keywords,
    activity_id,
    related_activity_id,
    user,
    record_id,
    source,
    schema_from,
    wpp_component,
    wpp_file,
    wpp_function,
    wpp_level,
    message,
    is_short,
    trailing,
    stack,
    decode_error,
    decode_note,
    raw_time,
    header,
    buffer,
    offset,
    flags,
    hook_id,
    trace,
    file,
    machine,
    boot,
};

/// From what an operand is known.
enum class Stage : std::uint8_t {
    header,     // of the event at hand
    origin,     // of the trace that it is of
    descriptor, // of the header, the same for all events of a kind
    kind,       // of the schema, the same for all events of a kind
    facts,      // of what the trace tells about its machine
    payload,
};

/// Whether the fields of a payload are compared.
constexpr bool is_of_fields(Operand operand) noexcept {
    return operand == Operand::field || operand == Operand::any_field;
}

/// The operand with this name; Operand::field if there is none.
Operand operand_named(std::string_view name) noexcept;

Stage stage_of(Operand operand) noexcept;

/// What it is compared as, for error messages: "a number", "a time"; empty: anything.
std::string_view wanted_by(Operand operand) noexcept;

/// Keys of the output that cannot be compared; null: it is none of them.
const char* why_not_comparable(std::string_view name) noexcept;

} // namespace etl::match
