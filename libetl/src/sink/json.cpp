#include <etl/base/json_text.hpp>
#include <etl/decode/message_text.hpp>
#include <etl/facts/annotator.hpp>
#include <etl/format/records.hpp>
#include <etl/sink/json.hpp>

#include "sink/json_parts.hpp"
#include "sink/notes_json.hpp"
#include "sink/time_text.hpp"
#include "sink/wanted_events.hpp"

namespace etl::sink {

namespace {

// `{"time":"...","cpu":65535,"pid":4294967295,"tid":4294967295` and a little.
constexpr std::size_t longest_head = 96 + TimeText::most;

constexpr std::size_t longest_small_member = 64;

} // namespace

/// Writes one object after another.
class JsonLines::Writer {
public:
    explicit Writer(Options options)
        : options_(std::move(options)), selection_(options_),
          decoder_(options_.schemas, options_.decoder()), wanted_(options_),
          texts_(selection_, {.raw_fields = options_.raw}), data_(options_.json_values()),
          time_(options_.utc_offset_minutes), message_(options_.display()) {
        if (options_.facts) {
            annotator_.emplace(options_.facts);
        }
    }

    const Options& options() const noexcept { return options_; }

    flow::DecodeCounts counts() const noexcept { return {errors_, guesses_}; }

    bool write(const flow::Event& event, std::string& text) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (!wanted_.has(decoded, decoder_.generation())) {
            return false;
        }
        guesses_ += decoded.kind->is_guess ? 1U : 0U;
        const KindTexts& texts = texts_.of(decoded, decoder_.generation());
        notes_ = annotator_ ? &annotator_->of(decoded, decoder_.generation()) : nullptr;
        TextTail to(text);
        const std::size_t begin = to.size();
        if (selection_.has_whole_head()) [[likely]] {
            head(to, decoded);
        } else {
            chosen_head(to, decoded);
        }
        if (notes_ != nullptr && !notes_->process.empty()) [[unlikely]] {
            this->text(to, Key::process, notes_->process);
        }
        to.text(texts.identity);
        activities(to, decoded);
        to.text(texts.source);
        body(to, decoded, texts);
        if (options_.raw) {
            raw(to, decoded, texts);
        }
        to.text(to.size() == begin ? "{}" : "}");
        to.put_at(begin, '{'); // in place of the first member's comma
        return true;
    }

private:
    static void put_id(TextTail& to, std::uint32_t id) noexcept {
        if (id == flow::no_id) {
            to.put("null");
        } else {
            to.put_decimal(id);
        }
    }

    void put_time(TextTail& to, const flow::Event& event) {
        if (!event.has_time) [[unlikely]] {
            to.put("null");
            return;
        }
        to.put('"');
        time_.put(to, event.time());
        to.put('"');
    }

    void head(TextTail& to, const decode::DecodedEvent& decoded) {
        to.room(longest_head);
        to.put(",\"time\":");
        put_time(to, *decoded.event);
        to.put(",\"cpu\":");
        to.put_decimal(decoded.event->buffer->processor);
        to.put(",\"pid\":");
        put_id(to, decoded.header.process_id);
        to.put(",\"tid\":");
        put_id(to, decoded.header.thread_id);
    }

    void chosen_head(TextTail& to, const decode::DecodedEvent& decoded) {
        if (begin(to, Key::time)) {
            to.room(longest_head);
            put_time(to, *decoded.event);
        }
        number(to, Key::cpu, decoded.event->buffer->processor);
        if (begin(to, Key::pid)) {
            put_id(to, decoded.header.process_id);
        }
        if (begin(to, Key::tid)) {
            put_id(to, decoded.header.thread_id);
        }
    }

    // `,"key":` and room for a small value; false: not wanted.
    bool begin(TextTail& to, Key key) {
        if (!selection_.has(key)) {
            return false;
        }
        to.room(longest_small_member);
        to.put(",\"");
        to.put(name(key));
        to.put("\":");
        return true;
    }

    template <std::integral T>
    void number(TextTail& to, Key key, T value) {
        if (begin(to, key)) {
            to.put_decimal(value);
        }
    }

    void hex(TextTail& to, Key key, Bytes bytes) {
        if (begin(to, key)) {
            to.put('"');
            to.hex_bytes(bytes);
            to.text('"');
        }
    }

    void text(TextTail& to, Key key, std::string_view value) {
        if (begin(to, key)) {
            to.lend([&](std::string& string) { append_json_string(string, value); });
        }
    }

    void guid(TextTail& to, Key key, const Guid& value) {
        if (begin(to, key)) {
            to.room(38);
            to.put('"');
            to.put_guid(value);
            to.put('"');
        }
    }

    void activities(TextTail& to, const decode::DecodedEvent& decoded) {
        if (!decoded.header.activity.is_zero()) {
            guid(to, Key::activity_id, decoded.header.activity);
        }
        if (const Bytes related = decoded.items.related_activity; !related.empty()) [[unlikely]] {
            guid(to, Key::related_activity_id, load_le<Guid>(related.data()));
        }
    }

    void body(TextTail& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
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
        } else if (decoded.items.has_stack && begin(to, Key::stack)) [[unlikely]] {
            append_stack(to, decoded.header);
        }
        if (has_ext(decoded) && begin(to, Key::ext)) [[unlikely]] {
            append_ext(to, decoded);
        }
        if (options_.raw || !has_schema || failed) {
            hex(to, Key::payload, decoded.header.payload);
        }
        if (failed) [[unlikely]] {
            error(to, decoded, texts);
        }
        note(to, decoded, texts);
    }

    // True: the payload contradicts its schema.
    bool write_data(TextTail& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        if (begin(to, Key::data)) {
            data_.append(to, decoded, texts);
        } else {
            data_.skip(decoded);
        }
        const decode::FieldWalker& walker = data_.walker();
        if (walker.failed()) {
            return true;
        }
        if (!walker.trailing().empty()) [[unlikely]] {
            hex(to, Key::trailing, walker.trailing());
        }
        if (walker.is_short() && begin(to, Key::is_short)) [[unlikely]] {
            to.put("true");
        }
        return false;
    }

    void message(TextTail& to, const decode::DecodedEvent& decoded) {
        if (decoded.kind->schema->message.empty() || !selection_.has(Key::message)) {
            return;
        }
        scratch_.clear();
        message_.append(scratch_, decoded);
        text(to, Key::message, scratch_);
    }

    // The stack is that of the event's items and what was joined to it.
    void notes(TextTail& to, const KindTexts& texts) {
        if (!notes_->stack.empty() && begin(to, Key::stack)) {
            append_addresses(to, notes_->stack);
        }
        if (!notes_->frames.empty() && begin(to, Key::frames)) {
            append_frames(to, notes_->frames);
        }
        if (has_field_notes(*notes_, texts) && begin(to, Key::enriched)) {
            append_field_notes(to, *notes_, texts);
        }
    }

    void error(TextTail& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        ++errors_;
        if (!texts.error.empty()) {
            to.text(texts.error);
        } else if (decoded.problem != nullptr) {
            text(to, Key::decode_error, decoded.problem);
        } else if (selection_.has(Key::decode_error)) {
            scratch_.clear();
            append_problem(scratch_, *decoded.kind->schema, data_.walker());
            text(to, Key::decode_error, scratch_);
        }
    }

    void note(TextTail& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        if (decoded.header.broken_items) [[unlikely]] {
            text(to, Key::decode_note, "extended items are damaged");
        } else {
            to.text(texts.note);
        }
    }

    void raw(TextTail& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        const flow::Event& event = *decoded.event;
        const flow::EventHeader& header = decoded.header;
        if (event.has_time) {
            number(to, Key::raw_time, event.raw_time);
        } else if (begin(to, Key::raw_time)) {
            to.put("null");
        }
        if (begin(to, Key::header)) {
            to.put('"');
            to.put(format::name(event.kind));
            to.put('"');
        }
        number(to, Key::buffer, event.buffer->number);
        number(to, Key::offset, event.offset());
        number(to, Key::flags, header.flags);
        if (header.has_cpu_times) {
            number(to, Key::kernel_time, header.kernel_time);
            number(to, Key::user_time, header.user_time);
        } else if ((header.flags & format::event_flag::private_session) != 0) {
            number(to, Key::cpu_time, header.cpu_time);
        }
        rest_of_header(to, decoded);
        if (has_traits(decoded) && begin(to, Key::traits)) {
            append_traits(to, decoded);
        }
        if (event_tags(decoded) != 0) [[unlikely]] {
            number(to, Key::event_tags, event_tags(decoded));
        }
        to.text(texts.raw_fields);
    }

    // What no other key says.
    void rest_of_header(TextTail& to, const decode::DecodedEvent& decoded) {
        const flow::EventHeader& header = decoded.header;
        if (header.property != 0) [[unlikely]] {
            number(to, Key::event_property, header.property);
        }
        if (has_own_hook(header)) [[unlikely]] {
            number(to, Key::hook_id, header.hook_id);
        }
        if (decoded.event->kind == format::RecordKind::message) {
            number(to, Key::message_flags, message_flags(*decoded.event));
        }
        if (!header.items.empty() && !header.broken_items && begin(to, Key::items)) {
            append_items(to, header);
        }
        if (is_header_obscure(decoded.event->kind)) [[unlikely]] {
            hex(to, Key::header_bytes, header_bytes(decoded));
        }
    }

    Options options_;
    Selection selection_;
    decode::Decoder decoder_;
    WantedEvents wanted_;
    KindTextCache texts_;
    std::optional<facts::Annotator> annotator_;
    const facts::Notes* notes_ = nullptr; // of the event at hand
    JsonData data_;
    TimeText time_;
    decode::EventMessage message_;
    std::string scratch_;
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
