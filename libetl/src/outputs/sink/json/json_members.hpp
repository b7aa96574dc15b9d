// The members of an event's object that are wanted. Private to sink.
#pragma once

#include "base/json_text.hpp"
#include "base/text_appender.hpp"
#include "sink/kind_texts.hpp"

namespace etl::sink {

/// Appends members, each with its comma in front.
class JsonMembers {
public:
    /// `selection` lives longer.
    explicit JsonMembers(const Selection& selection) noexcept : selection_(&selection) {}

    /// `,"key":` and room for a small value; false: not wanted.
    bool begin(TextAppender& to, Key key) const {
        if (!selection_->has(key)) {
            return false;
        }
        to.reserve(max_small_member);
        to.put(",\"");
        to.put(name(key));
        to.put("\":");
        return true;
    }

    template <std::integral T>
    void number(TextAppender& to, Key key, T value) const {
        if (begin(to, key)) {
            to.put_decimal(value);
        }
    }

    void hex(TextAppender& to, Key key, Bytes bytes) const {
        if (begin(to, key)) {
            to.put('"');
            to.hex_bytes(bytes);
            to.text('"');
        }
    }

    void text(TextAppender& to, Key key, std::string_view value) const {
        if (begin(to, key)) {
            to.append_with([&](std::string& string) { append_json_string(string, value); });
        }
    }

    void guid(TextAppender& to, Key key, const Guid& value) const {
        if (begin(to, key)) {
            to.reserve(38);
            to.put('"');
            to.put_guid(value);
            to.put('"');
        }
    }

private:
    static constexpr std::size_t max_small_member = 64;

    const Selection* selection_;
};

/// Appends the members of `--raw`: how the event lies in the trace.
void append_raw_members(TextAppender& to, const JsonMembers& members,
                        const decode::DecodedEvent& decoded, const KindTexts& texts);

} // namespace etl::sink
