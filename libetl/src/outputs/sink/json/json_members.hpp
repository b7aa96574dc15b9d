// The members of an event's object that are wanted. Private to sink.
#pragma once

#include "base/json_text.hpp"
#include "base/text_appender.hpp"
#include "facts/annotator.hpp"
#include "facts/origins.hpp"
#include "sink/kind_texts.hpp"

#include <memory>

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

// What the facts say about an event, as JSON. docs/enrich.md

/// The members that say where an event comes from, made once for each origin.
class OriginJson {
public:
    /// `selection` lives longer; `origins` may be null.
    OriginJson(const Selection& selection, std::shared_ptr<const facts::Origins> origins);

    /// `,"trace":1,...`, or empty.
    std::string_view of(const flow::Event& event) const noexcept {
        const facts::Origin* const origin = texts_.empty() ? nullptr : origins_->find(event);
        return origin == nullptr ? std::string_view{} : texts_[origin->trace - 1];
    }

private:
    std::shared_ptr<const facts::Origins> origins_;
    std::vector<std::string> texts_; // by Origin::trace - 1; empty: none is wanted
};

/// Appends addresses as an array.
void append_addresses(TextAppender& to, std::span<const std::uint64_t> addresses);

/// Appends the frames as an array of texts.
void append_frames(TextAppender& to, std::span<const std::string_view> frames);

/// True when some field that is wanted has a note.
bool has_field_notes(const facts::Notes& notes, const KindTexts& texts) noexcept;

/// Appends the notes of the wanted fields as an object.
void append_field_notes(TextAppender& to, const facts::Notes& notes, const KindTexts& texts);

} // namespace etl::sink
