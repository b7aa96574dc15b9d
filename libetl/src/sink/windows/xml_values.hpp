// Values as text in XML. Private to sink.
#pragma once

#include <etl/base/text_appender.hpp>
#include <etl/decode/display_value.hpp>
#include <etl/sink/event_xml.hpp>

namespace etl::sink {

/// Appends uppercase hex pairs.
void append_upper_hex(TextAppender& to, Bytes bytes);

/// Appends text with the padding, letter case, and names of a layout. Everything is escaped.
class XmlValues {
public:
    XmlValues(XmlOptions::Layout layout, bool enumerations) noexcept
        : is_tracerpt_(layout == XmlOptions::Layout::tracerpt), enumerations_(enumerations) {}

    /// `display` is that of the event.
    void append(TextAppender& to, const decode::Value& value,
                const decode::DisplayOptions& display) const;

private:
    bool has_name(const decode::Value& value) const noexcept;
    void append_number(TextAppender& to, const decode::Value& value) const;

    bool is_tracerpt_;
    bool enumerations_;
};

} // namespace etl::sink
