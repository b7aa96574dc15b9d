// Values as Windows' tools write them. Private to sink.
#pragma once

#include "base/text_appender.hpp"
#include "decode/display_value.hpp"
#include "sink/event_xml.hpp"

namespace etl::sink {

/// Appends uppercase hex pairs.
void append_upper_hex(TextAppender& to, Bytes bytes);

/// Appends values with the padding, letter case, and names of a layout.
class ValueTexts {
public:
    enum class Escapes : bool { none, xml };

    ValueTexts(XmlOptions::Layout layout, bool enumerations, Escapes escapes) noexcept
        : is_tracerpt_(layout == XmlOptions::Layout::tracerpt), enumerations_(enumerations),
          escapes_(escapes) {}

    /// `display` is that of the event.
    void append(TextAppender& to, const decode::Value& value,
                const decode::DisplayOptions& display) const;

    /// Whether the value is a number that is shown as text.
    bool has_name(const decode::Value& value) const noexcept;

private:
    void append_displayed(TextAppender& to, const decode::Value& value,
                          const decode::DisplayOptions& display) const;
    void append_number(TextAppender& to, const decode::Value& value) const;

    bool is_tracerpt_;
    bool enumerations_;
    Escapes escapes_;
};

} // namespace etl::sink
