#include "sink/json.hpp"

#include "base/json_text.hpp"
#include "decode/decode_note.hpp"
#include "decode/message_text.hpp"
#include "facts/annotator.hpp"
#include "flow/event.hpp"
#include "format/records.hpp"
#include "sink/json/json_members.hpp"
#include "sink/json_parts.hpp"
#include "sink/selection.hpp"
#include "sink/time_text.hpp"

namespace etl::sink {

namespace {

// What no other key says.
void rest_of_header(TextAppender& to, const JsonMembers& members,
                    const decode::DecodedEvent& decoded) {
    const flow::EventHeader& header = decoded.header;
    if (header.property != 0) [[unlikely]] {
        members.number(to, Key::event_property, header.property);
    }
    if (has_own_hook(header)) [[unlikely]] {
        members.number(to, Key::hook_id, header.hook_id);
    }
    if (format::is_message(decoded.event->kind)) {
        members.number(to, Key::message_flags, message_flags(*decoded.event));
    }
    if (!header.items.empty() && !header.has_invalid_items && members.begin(to, Key::items)) {
        append_items(to, header);
    }
    if (is_header_obscure(decoded.event->kind)) [[unlikely]] {
        members.hex(to, Key::header_bytes, header_bytes(decoded));
    }
}

} // namespace

void append_raw_members(TextAppender& to, const JsonMembers& members,
                        const decode::DecodedEvent& decoded, const KindTexts& texts) {
    const flow::Event& event = *decoded.event;
    const flow::EventHeader& header = decoded.header;
    if (const auto stored = flow::stored_time(event)) {
        members.number(to, Key::raw_time, *stored);
    } else if (members.begin(to, Key::raw_time)) {
        to.put("null");
    }
    if (members.begin(to, Key::header)) {
        to.put('"');
        to.put(format::name(event.kind));
        to.put('"');
    }
    members.number(to, Key::buffer, event.buffer->number);
    members.number(to, Key::offset, event.offset());
    members.number(to, Key::flags, header.flags);
    if (header.has_cpu_times) {
        members.number(to, Key::kernel_time, header.kernel_time);
        members.number(to, Key::user_time, header.user_time);
    } else if ((header.flags & format::event_flag::private_session) != 0) {
        members.number(to, Key::cpu_time, header.cpu_time);
    }
    rest_of_header(to, members, decoded);
    if (has_traits(decoded) && members.begin(to, Key::traits)) {
        append_traits(to, decoded);
    }
    if (event_tags(decoded) != 0) [[unlikely]] {
        members.number(to, Key::event_tags, event_tags(decoded));
    }
    to.text(texts.raw_fields);
}

namespace {

// `{"time":"...","cpu":65535,"pid":4294967295,"tid":4294967295` and a little.
constexpr std::size_t max_head = 96 + TimeText::max;

} // namespace

/// Writes one object after another.
class JsonLines::Writer {
public:
    explicit Writer(Options options)
        : options_(completed(std::move(options))), selection_(options_),
          decoder_(options_.schemas, options_.decoder()), wanted_(options_),
          texts_(selection_, {.raw_fields = options_.raw}), data_(options_.json_values()),
          time_(options_.utc_offset_minutes), message_(options_.display()) {
        if (options_.facts) {
            annotator_.emplace(options_.facts, options_.frame_names);
        }
    }

    const Options& options() const noexcept { return options_; }

    flow::DecodeCounts counts() const noexcept { return {errors_, guesses_}; }

    bool write(const flow::Event& event, std::string& text) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        return write(decoded, decoder_.generation(), text);
    }

    bool write(const decode::DecodedEvent& decoded, std::uint32_t generation, std::string& text) {
        if (!wanted_.has(decoded, generation)) {
            return false;
        }
        guesses_ += decoded.kind->is_guess ? 1U : 0U;
        const KindTexts& texts = texts_.of(decoded, generation);
        notes_ = annotator_ ? &annotator_->annotate(decoded, generation) : nullptr;
        TextAppender to(text);
        const std::size_t begin = to.size();
        lacks_time_ = false;
        if (selection_.has_whole_head()) [[likely]] {
            head(to, decoded);
        } else {
            chosen_head(to, decoded);
        }
        if (notes_ != nullptr && !notes_->process.empty()) [[unlikely]] {
            members_.text(to, Key::process, notes_->process);
        }
        to.text(origin_.of(*decoded.event));
        to.text(texts.identity);
        activities(to, decoded);
        if (decoded.items.has_others) [[unlikely]] {
            user_and_record(to, decoded);
        }
        to.text(texts.source);
        body(to, decoded, texts);
        if (options_.raw) {
            append_raw_members(to, members_, decoded, texts);
        } else if (lacks_time_) [[unlikely]] {
            stored_time(to, *decoded.event);
        }
        to.text(to.size() == begin ? "{}" : "}");
        to.put_at(begin, '{'); // in place of the first member's comma
        if (options_.largest_integer != std::numeric_limits<std::uint64_t>::max()) [[unlikely]] {
            to.append_with([&](std::string& all) {
                quote_large_integers(all, begin, options_.largest_integer);
            });
        }
        return true;
    }

private:
    static void put_id(TextAppender& to, std::uint32_t id) noexcept {
        if (id == flow::no_id) {
            to.put("null");
        } else {
            to.put_decimal(id);
        }
    }

    void put_time(TextAppender& to, const flow::Event& event) {
        const auto time = flow::wall_time(event);
        if (!time) [[unlikely]] {
            lacks_time_ = true;
            to.put("null");
            return;
        }
        to.put('"');
        time_.put(to, *time);
        to.put('"');
    }

    // What is left of a time that is not usable.
    void stored_time(TextAppender& to, const flow::Event& event) const {
        if (const auto stored = flow::stored_time(event)) {
            members_.number(to, Key::raw_time, *stored);
        }
    }

    void head(TextAppender& to, const decode::DecodedEvent& decoded) {
        to.reserve(max_head);
        to.put(",\"time\":");
        put_time(to, *decoded.event);
        to.put(",\"cpu\":");
        to.put_decimal(decoded.event->buffer->processor);
        to.put(",\"pid\":");
        put_id(to, decoded.header.process_id);
        to.put(",\"tid\":");
        put_id(to, decoded.header.thread_id);
    }

    void chosen_head(TextAppender& to, const decode::DecodedEvent& decoded) {
        if (members_.begin(to, Key::time)) {
            to.reserve(max_head);
            put_time(to, *decoded.event);
        }
        members_.number(to, Key::cpu, decoded.event->buffer->processor);
        if (members_.begin(to, Key::pid)) {
            put_id(to, decoded.header.process_id);
        }
        if (members_.begin(to, Key::tid)) {
            put_id(to, decoded.header.thread_id);
        }
    }

    void activities(TextAppender& to, const decode::DecodedEvent& decoded) {
        if (!decoded.header.activity.is_zero()) {
            members_.guid(to, Key::activity_id, decoded.header.activity);
        }
        if (const Bytes related = decoded.items.related_activity; !related.empty()) [[unlikely]] {
            members_.guid(to, Key::related_activity_id, load_le<Guid>(related.data()));
        }
    }

    void user_and_record(TextAppender& to, const decode::DecodedEvent& decoded) {
        const Bytes sid = decode::user_sid(decoded.header);
        if (!sid.empty() && members_.begin(to, Key::user)) {
            decode::append_json_value(to, {.bytes = sid, .form = decode::Form::sid}, {});
        }
        if (const auto id = decoded.kind->log ? decode::record_id(decoded.header) : std::nullopt) {
            members_.number(to, Key::record_id, *id);
        }
    }

    void body(TextAppender& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        bool failed = !decoded.kind->problem.empty() || decoded.problem != nullptr;
        const bool has_schema = decoded.kind->schema != nullptr;
        if (has_schema) {
            failed |= write_data(to, decoded, texts);
        }
        if (options_.message && has_schema) {
            message(to, decoded);
        }
        if (notes_ != nullptr) [[unlikely]] {
            notes(to, texts);
        } else if (decoded.items.has_stack && members_.begin(to, Key::stack)) [[unlikely]] {
            append_stack(to, decoded.header);
        }
        if (has_ext(decoded) && members_.begin(to, Key::ext)) [[unlikely]] {
            append_ext(to, decoded);
        }
        if (options_.raw || !has_schema || failed) {
            members_.hex(to, Key::payload, decoded.header.payload);
        }
        if (failed) [[unlikely]] {
            error(to, decoded, texts);
        }
        note(to, decoded);
    }

    // True: the payload contradicts its schema.
    bool write_data(TextAppender& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        if (members_.begin(to, Key::data)) {
            data_.append(to, decoded, texts);
        } else {
            data_.skip(decoded);
        }
        const decode::FieldWalker& walker = data_.walker();
        if (walker.failed()) {
            return true;
        }
        if (!walker.trailing().empty()) [[unlikely]] {
            members_.hex(to, Key::trailing, walker.trailing());
        }
        if (walker.is_short() && members_.begin(to, Key::is_short)) [[unlikely]] {
            to.put("true");
        }
        return false;
    }

    void message(TextAppender& to, const decode::DecodedEvent& decoded) {
        if (decoded.kind->schema->message.empty() || !selection_.has(Key::message)) {
            return;
        }
        scratch_.clear();
        message_.append(scratch_, decoded);
        members_.text(to, Key::message, scratch_);
    }

    // The stack is that of the event's items and what was joined to it.
    void notes(TextAppender& to, const KindTexts& texts) {
        if (!notes_->stack.empty() && members_.begin(to, Key::stack)) {
            append_addresses(to, notes_->stack);
        }
        if (!notes_->frames.empty() && members_.begin(to, Key::frames)) {
            append_frames(to, notes_->frames);
        }
        if (has_field_notes(*notes_, texts) && members_.begin(to, Key::enriched)) {
            append_field_notes(to, *notes_, texts);
        }
    }

    void error(TextAppender& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        ++errors_;
        if (!texts.error.empty()) {
            to.text(texts.error);
        } else if (decoded.problem != nullptr) {
            members_.text(to, Key::decode_error, decoded.problem);
        } else if (selection_.has(Key::decode_error)) {
            scratch_.clear();
            append_problem(scratch_, *decoded.kind->schema, data_.walker());
            members_.text(to, Key::decode_error, scratch_);
        }
    }

    void note(TextAppender& to, const decode::DecodedEvent& decoded) {
        const decode::FieldWalker* const walked =
            decoded.kind->schema != nullptr ? &data_.walker() : nullptr;
        if (decode::has_decode_note(decoded, walked)) [[unlikely]] {
            scratch_.clear();
            decode::append_decode_note(scratch_, decoded, walked);
            members_.text(to, Key::decode_note, scratch_);
        }
    }

    Options options_;
    Selection selection_;
    JsonMembers members_{selection_};
    decode::Decoder decoder_;
    WantedEvents wanted_;
    KindTextCache texts_;
    std::optional<facts::Annotator> annotator_;
    const facts::Notes* notes_ = nullptr; // of the event at hand
    OriginJson origin_{selection_, options_.origins};
    JsonData data_;
    TimeText time_;
    decode::EventMessage message_;
    std::string scratch_;
    bool lacks_time_ = false; // of the event at hand, which has `time`
    std::uint64_t errors_ = 0;
    std::uint64_t guesses_ = 0;
};

JsonLines::JsonLines(Options options) : writer_(std::make_unique<Writer>(std::move(options))) {}

JsonLines::~JsonLines() = default;

std::unique_ptr<flow::Encoder> JsonLines::clone() const {
    return std::make_unique<JsonLines>(options());
}

const Options& JsonLines::options() const noexcept {
    return writer_->options();
}

flow::DecodeCounts JsonLines::decode_counts() const {
    return writer_->counts();
}

bool JsonLines::encode_object(const flow::Event& event, std::string& to) {
    return writer_->write(event, to);
}

bool JsonLines::encode_object(const decode::DecodedEvent& event, std::uint32_t generation,
                              std::string& to) {
    return writer_->write(event, generation, to);
}

bool JsonLines::encode(const flow::Event& event, std::string& to) {
    const bool is_written = encode_object(event, to);
    if (is_written) {
        to.push_back('\n');
    }
    return is_written;
}

JsonArray::JsonArray(Options options) : JsonLines(std::move(options)) {}

std::unique_ptr<flow::Encoder> JsonArray::clone() const {
    return std::make_unique<JsonArray>(options());
}

bool JsonArray::encode(const flow::Event& event, std::string& to) {
    return encode_object(event, to);
}

} // namespace etl::sink
