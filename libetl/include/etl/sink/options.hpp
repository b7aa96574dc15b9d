// What all sinks have in common. docs/output.md
#pragma once

#include <etl/base/code_page.hpp>
#include <etl/decode/decoder.hpp>
#include <etl/decode/display_value.hpp>
#include <etl/decode/json_value.hpp>
#include <etl/facts/facts.hpp>
#include <etl/facts/origins.hpp>
#include <etl/match/matcher.hpp>
#include <etl/schema/schemas_by_trace.hpp>
#include <etl/sink/tally.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::sink {

struct Options {
    /// Schemas from outside the events.
    schema::SchemasByTrace schemas;
    bool raw = false;         // the payload of every event, and how it is stored
    bool message = false;     // the message of the event, rendered
    bool names = false;       // error codes with their names
    bool enumerations = true; // values of a map by the map's text
    /// Of 8-bit text; null: it is UTF-8 if it is valid as such, else Windows-1252.
    std::shared_ptr<const CodePage> code_page;
    /// What the traces tell about their machines, to be shown with the events; null: nothing.
    std::shared_ptr<const facts::FactsByTrace> facts;
    /// For `where`, if it asks for processes; need not be shown.
    std::shared_ptr<const facts::FactsByTrace> matching_facts;
    /// Where events come from, for the keys `trace`, `file`, `machine` and `boot`; null: those say
    /// nothing.
    std::shared_ptr<const facts::Origins> origins;
    bool show_origins = false; // by default, too
    bool decode = true;        // false: payloads stay raw, for measuring the rest
    /// 4 or 8: that of all payloads, whatever their records say; 0: as they say.
    unsigned pointer_size = 0;
    /// Only these: keys of the contract, or fields of `data` by their paths (`data.NAME` where a
    /// key has the same name). Empty: everything. `data` alone means all of its fields. Keys that
    /// need `raw` or `message` ask for it.
    std::vector<std::string> fields;
    /// Only events of which it is true; none: all.
    std::optional<match::Condition> where;
    /// Where encoders add up what they met, each when it ends; null: nowhere.
    std::shared_ptr<Tally> tally;
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

    /// Asks about events, decoded also if they are written raw; none: all are wanted.
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
