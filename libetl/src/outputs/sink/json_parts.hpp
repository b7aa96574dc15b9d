// Parts of an event as JSON, for the sinks that write JSON or embed some. Private to sink.
// docs/output.md
#pragma once

#include "base/text_appender.hpp"
#include "decode/json_value.hpp"
#include "sink/kind_texts.hpp"

namespace etl::sink {

/// Whether a step is a value or the begin of several.
bool begins(decode::Step step) noexcept;

/// Steps over the array or structure that has just begun.
void skip_begun(decode::FieldWalker& walker);

/// The arrays and structures that are open while a payload is walked.
struct Nesting {
    std::uint32_t arrays = 0; // a bit for each, set for arrays; the innermost lowest
    unsigned depth = 0;

    void begin(bool is_array) noexcept {
        arrays = arrays << 1U | (is_array ? 1U : 0U);
        ++depth;
    }

    void end() noexcept {
        arrays >>= 1U;
        --depth;
    }
};

/// Appends what a step of the walk stands for: a member of the object that `to` ends within, or an
/// element of the array. `open` is kept.
void append_step(TextAppender& to, decode::Step step, const decode::FieldWalker& walker,
                 Nesting& open, const KindTexts& texts, const decode::JsonValueOptions& values);

/// Writes the fields of events as objects.
class JsonData {
public:
    explicit JsonData(decode::JsonValueOptions values) : values_(values) {}

    /// Appends the object of a kind that has a schema; what the walk found is then in walker().
    void append(TextAppender& to, const decode::DecodedEvent& event, const KindTexts& texts);

    const decode::FieldWalker& walker() const noexcept { return walker_; }

    /// Reads the payload without writing anything.
    void skip(const decode::DecodedEvent& event);

private:
    decode::JsonValueOptions values_;
    decode::FieldWalker walker_;
};

/// Appends the addresses of all stacks as an array.
void append_stack(TextAppender& to, const flow::EventHeader& header);

/// True when append_ext() has something to say.
bool has_ext(const decode::DecodedEvent& event) noexcept;

/// The hook id of a kernel record where its class and type do not tell it.
bool has_own_hook(const flow::EventHeader& header) noexcept;

/// True for the kinds of record whose header no key describes.
bool is_header_obscure(format::RecordKind kind) noexcept;

/// The bytes in front of the payload.
Bytes header_bytes(const decode::DecodedEvent& event) noexcept;

/// OptionFlags of a WPP message.
std::uint16_t message_flags(const flow::Event& event) noexcept;

/// Tags of an event of TraceLogging; 0: none.
std::uint32_t event_tags(const decode::DecodedEvent& event) noexcept;

/// True when the event has traits of its provider that can be read.
bool has_traits(const decode::DecodedEvent& event) noexcept;

/// Appends them as an object.
void append_traits(TextAppender& to, const decode::DecodedEvent& event);

/// Appends all extended items as they are: [[type,"hex"],...].
void append_items(TextAppender& to, const flow::EventHeader& header);

/// Appends the extended items that have no key of their own as an object.
void append_ext(TextAppender& to, const decode::DecodedEvent& event);

/// ` (guess: layout of version 1)` or ` (note: User: not a SID)`, for people; nothing if the values
/// are certain. `walked`: a walk over the payload to its end; null: none.
void append_note(std::string& to, const decode::DecodedEvent& event,
                 const decode::FieldWalker* walked);

/// `Field: what is wrong`, as text without quotes; the walk failed.
void append_problem(std::string& to, const schema::EventSchema& schema,
                    const decode::FieldWalker& walker);

} // namespace etl::sink
