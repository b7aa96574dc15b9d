// The fields of an event as name and text, values as Windows displays them. Private to sink.
#pragma once

#include <etl/base/function_ref.hpp>
#include <etl/decode/display_value.hpp>

#include "sink/kind_texts.hpp"
#include "sink/readable.hpp"

#include <string>

namespace etl::sink {

class DisplayFields {
public:
    explicit DisplayFields(decode::DisplayOptions options) : options_(options) {}

    /// Calls `each` for every wanted field that is no member of a structure and not hidden; arrays
    /// are `[a, b]`, structures `{name=a, name=b}`. Needs KindTexts::plain_names.
    void walk(const decode::DecodedEvent& event, const KindTexts& texts,
              FunctionRef<void(std::string_view name, std::string_view text)> each);

    /// Walks without making texts.
    void skip(const decode::DecodedEvent& event);

    const decode::FieldWalker& walker() const noexcept { return walker_; }

private:
    void add(decode::Step step, const KindTexts& texts);
    void begin_value(const KindTexts& texts);
    void add_value();

    decode::DisplayOptions options_;
    decode::DisplayOptions event_options_; // with what the event under way adds

    decode::FieldWalker walker_;
    std::string text_; // of the field under way
    std::string plain_;
    // A bit for each thing that is open, set for arrays; the innermost lowest.
    std::uint32_t arrays_ = 0;
    unsigned depth_ = 0;
};

} // namespace etl::sink
