// Formatting of values as Windows displays them, for text output and message strings.
// docs/format/decoding.md#rendering
#pragma once

#include "base/code_page.hpp"
#include "decode/value.hpp"
#include "flow/clock.hpp"
#include "schema/message_table.hpp"

#include <string>

namespace etl::decode {

struct DecodedEvent;

/// Options that a value alone does not determine. Owns nothing.
struct DisplayOptions {
    bool enumerations = true; // show map values as text
    /// Code page of 8-bit text; null: UTF-8 if valid, otherwise 1252.
    const CodePage* code_page = nullptr;
    /// Texts that replace `%%n` in values; null: `%%n` is kept.
    const schema::MessageTable* parameters = nullptr;
    const flow::Clock* clock = nullptr; // session clock for ticks; null: ticks are shown as numbers
    int utc_offset_minutes = 0;         // offset added to times in WPP texts
};

/// Returns `general` with the settings of the event's provider and trace added.
DisplayOptions options_for(const DisplayOptions& general, const DecodedEvent& event) noexcept;

/// Appends one value. The caller handles hidden values (out type no-print).
void append_display(std::string& to, const Value& value, const DisplayOptions& options = {});

/// Replaces each `%%n` from `begin` on with message n of `parameters`, once; unknown numbers are
/// kept. docs/format/decoding.md#parameters
void resolve_parameters(std::string& text, std::size_t begin,
                        const schema::MessageTable& parameters);

} // namespace etl::decode
