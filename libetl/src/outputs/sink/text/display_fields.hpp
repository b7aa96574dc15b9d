// The fields of an event as name and text, values as Windows displays them. Private to sink.
#pragma once

#include "base/function_ref.hpp"
#include "base/text_appender.hpp"
#include "decode/display_value.hpp"
#include "sink/json_parts.hpp"

namespace etl::sink {

class DisplayFields {
public:
    explicit DisplayFields(decode::DisplayOptions options) : options_(options) {}

    /// Called after each field; its value begins at `begin`.
    using Done = FunctionRef<void(TextAppender& to, std::size_t begin)>;

    /// Appends ` name=value` for every wanted field that is no member of a structure and not
    /// hidden; arrays are `[a, b]`, structures `{name=a, name=b}`. Needs KindTexts::plain_names.
    void append(TextAppender& to, const decode::DecodedEvent& event, const KindTexts& texts,
                Done done);

    /// Walks without making texts.
    void skip(const decode::DecodedEvent& event);

    const decode::FieldWalker& walker() const noexcept { return walker_; }

private:
    void add(TextAppender& to, decode::Step step, const KindTexts& texts);
    void begin_value(TextAppender& to, const KindTexts& texts) const;
    void add_value(TextAppender& to) const;
    bool is_wanted(const KindTexts& texts) const noexcept;

    decode::DisplayOptions options_;
    decode::DisplayOptions event_options_; // with what the event under way adds

    decode::FieldWalker walker_;
    Nesting open_;
};

} // namespace etl::sink
