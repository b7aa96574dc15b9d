// What the facts say about an event, as JSON. Private to sink. docs/enrich.md
#pragma once

#include <etl/base/text_tail.hpp>
#include <etl/facts/annotator.hpp>

#include "sink/kind_texts.hpp"

namespace etl::sink {

/// Appends addresses as an array.
void append_addresses(TextTail& to, std::span<const std::uint64_t> addresses);

/// Appends the frames as an array of texts.
void append_frames(TextTail& to, std::span<const std::string_view> frames);

/// True when some field that is wanted has a note.
bool has_field_notes(const facts::Notes& notes, const KindTexts& texts) noexcept;

/// Appends the notes of the wanted fields as an object.
void append_field_notes(TextTail& to, const facts::Notes& notes, const KindTexts& texts);

} // namespace etl::sink
