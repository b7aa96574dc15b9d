// The front of a line of text, in columns, and what all lines share. Private to sink.
// docs/output.md#text
#pragma once

#include "base/text_appender.hpp"
#include "facts/annotator.hpp"
#include "sink/options.hpp"
#include "sink/time_text.hpp"

namespace etl::sink {

/// `(text)`, without control characters.
void append_in_brackets(std::string& to, std::string_view text);

class LineHead {
public:
    LineHead(const Options& options, bool has_text);

    /// In front of all lines: the traces, where there are several, and the names of the columns. Or
    /// nothing.
    std::string_view text() const noexcept { return text_; }

    /// Appends time, trace, processor, process and thread. `notes` may be null.
    void put(TextAppender& to, const decode::DecodedEvent& event, const facts::Notes* notes);

private:
    void describe(const Options& options);
    void describe_origins();
    void put_origin(TextAppender& to, const flow::Event& event) const;
    void put_ids(TextAppender& to, const flow::EventHeader& header,
                 const facts::Notes* notes) const;

    std::shared_ptr<const facts::Origins> origins_; // null: not shown
    std::size_t time_width_, ids_width_;
    TimeText time_;
    std::string text_;
};

} // namespace etl::sink
