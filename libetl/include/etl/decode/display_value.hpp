// Values as Windows displays them, for people and for message strings.
// docs/format/decoding.md#rendering
#pragma once

#include <etl/base/code_page.hpp>
#include <etl/decode/value.hpp>
#include <etl/flow/clock.hpp>
#include <etl/schema/message_table.hpp>

#include <string>

namespace etl::decode {

struct DecodedEvent;

/// What a value alone does not say. Nothing is owned.
struct DisplayOptions {
    bool enumerations = true;            // values of a map as the map's text
    const CodePage* code_page = nullptr; // of 8-bit text; null: UTF-8 if it is valid, else 1252
    /// The texts for `%%n` in texts; null: `%%n` stays.
    const schema::MessageTable* parameters = nullptr;
    const flow::Clock* clock = nullptr; // of the session, for its ticks; null: ticks are numbers
    int utc_offset_minutes = 0;         // added to the times in texts of WPP
};

/// `general` with what the event's provider and trace add.
DisplayOptions options_for(const DisplayOptions& general, const DecodedEvent& event) noexcept;

/// Appends one value. Hidden values (out type no-print) are the caller's business.
void append_display(std::string& to, const Value& value, const DisplayOptions& options = {});

/// Replaces each `%%n` from `begin` on by message n of `parameters`, once; an unknown number stays.
/// docs/format/decoding.md#parameters
void resolve_parameters(std::string& text, std::size_t begin,
                        const schema::MessageTable& parameters);

} // namespace etl::decode
