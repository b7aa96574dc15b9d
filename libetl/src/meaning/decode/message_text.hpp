// Rendering of message strings (FormatMessage's grammar) and of their inserts. Not thread-safe.
// docs/format/decoding.md#messages
#pragma once

#include "decode/decoder.hpp"
#include "decode/display_value.hpp"
#include "decode/wpp_text.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::decode {

/// Appends `message` with %1..%99 replaced by `inserts` (the first is %1) and the escapes of
/// FormatMessage resolved. A number without an insert is kept as written; a trailing line end is
/// dropped. Stops after limits::message_bytes.
void append_message(std::string& to, std::string_view message,
                    std::span<const std::string_view> inserts);

/// The properties of an event as counted in messages: one for each field that is not a structure
/// member, rendered as Windows displays it; arrays and structures as `a, b`. Reusable.
class PropertyTexts {
public:
    explicit PropertyTexts(DisplayOptions options = {}) : options_(options) {}

    /// Returns the rendered properties; empty texts for fields beyond the end of the payload. Valid
    /// until the next call.
    std::span<const std::string_view> render(const DecodedEvent& event);

private:
    void add_value(const Value& value, const DisplayOptions& options);

    DisplayOptions options_;

    FieldWalker walker_;
    std::string text_;
    std::vector<std::size_t> ends_; // end of each property in text_
    std::vector<std::string_view> views_;
    bool is_first_ = true; // within a property
};

/// Renders the messages of events. Reusable.
class EventMessage {
public:
    explicit EventMessage(DisplayOptions options = {}) : properties_(options), wpp_(options) {}

    /// Appends the message; nothing if the event's schema has none.
    void append(std::string& to, const DecodedEvent& event);

private:
    PropertyTexts properties_;
    WppText wpp_;
};

} // namespace etl::decode
