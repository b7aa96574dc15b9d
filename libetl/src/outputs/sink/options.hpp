// Options common to all sinks. docs/output.md
#pragma once

#include "base/code_page.hpp"
#include "decode/decoder.hpp"
#include "decode/display_value.hpp"
#include "decode/json_value.hpp"
#include "facts/facts.hpp"
#include "facts/frame_names.hpp"
#include "facts/origins.hpp"
#include "match/matcher.hpp"
#include "schema/schema_store.hpp"
#include "sink/tally.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::sink {

struct Options {
    /// External schemas.
    schema::SchemasByTrace schemas;
    bool raw = false;         // include the payload and storage details of every event
    bool message = false;     // include the rendered message
    bool names = false;       // show error codes with their names
    bool enumerations = true; // show map values as text
    /// Code page of 8-bit text; null: UTF-8 if valid, otherwise Windows-1252.
    std::shared_ptr<const CodePage> code_page;
    /// Facts from the traces, shown with the events; null: none.
    std::shared_ptr<const facts::FactsByTrace> facts;
    /// How `facts` name addresses of code.
    facts::FrameNames frame_names{};
    /// Facts for `where`, if it refers to processes; not necessarily shown.
    std::shared_ptr<const facts::FactsByTrace> matching_facts;
    /// Origins of events, for the keys `trace`, `file`, `machine`, and `boot`; null: unknown.
    std::shared_ptr<const facts::Origins> origins;
    bool show_origins = false; // show these keys by default
    /// Tables: show the keys of event logs (`qualifiers`, `computer`, `user`, `record_id`) by
    /// default.
    bool show_event_logs = false;
    bool decode = true; // false: payloads are not decoded, for benchmarks
    /// 4 or 8: pointer size of all payloads, overriding the records; 0: as recorded.
    unsigned pointer_size = 0;
    /// Keys and fields to show: keys of the contract, or paths of fields in `data` (`data.NAME` if
    /// a key has the same name). Empty: all. `data` alone selects all fields. Keys that require
    /// `raw` or `message` enable it.
    std::vector<std::string> fields;
    /// Condition that events must match; none: all events.
    std::optional<match::Condition> where;
    /// Tally to which each encoder adds its counts when destroyed; may be null.
    std::shared_ptr<Tally> tally;
    /// JSON: integers whose magnitude exceeds it are written as text.
    std::uint64_t largest_integer = std::numeric_limits<std::uint64_t>::max();
    /// Minutes to add to UTC for `time`; the zone is then shown as `+hh:mm`. Not set: UTC.
    std::optional<int> utc_offset_minutes;

    decode::JsonValueOptions json_values() const noexcept {
        return {enumerations, names, code_page.get()};
    }

    decode::DisplayOptions display() const noexcept {
        return {.enumerations = enumerations,
                .code_page = code_page.get(),
                .utc_offset_minutes = utc_offset_minutes.value_or(0)};
    }

    /// Returns a matcher for `where`, which decodes events even if they are written raw; none: all
    /// events match.
    std::optional<match::Matcher> matcher() const {
        return where ? std::optional<match::Matcher>(
                           std::in_place, *where,
                           match::MatcherInputs{.schemas = schemas,
                                                .decoder = {.pointer_size = pointer_size},
                                                .facts = matching_facts,
                                                .origins = origins,
                                                .code_page = code_page.get()})
                     : std::nullopt;
    }

    decode::DecoderOptions decoder() const noexcept {
        return {decode ? decode::Payloads::decoded : decode::Payloads::raw, pointer_size};
    }
};

} // namespace etl::sink
