// What the facts say about an event, as JSON. Private to sink. docs/enrich.md
#pragma once

#include "base/text_appender.hpp"
#include "facts/annotator.hpp"
#include "facts/origins.hpp"
#include "sink/kind_texts.hpp"

#include <memory>

namespace etl::sink {

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
