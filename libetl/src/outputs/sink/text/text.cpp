#include "base/text.hpp"

#include "base/readable_text.hpp"
#include "base/text_appender.hpp"
#include "decode/decoder.hpp"
#include "decode/message_text.hpp"
#include "facts/annotator.hpp"
#include "flow/event.hpp"
#include "schema/winmeta.hpp"
#include "sink/json_parts.hpp"
#include "sink/options.hpp"
#include "sink/selection.hpp"
#include "sink/text.hpp"
#include "sink/text/display_fields.hpp"
#include "sink/time_text.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etl::sink {

// The front of a line of text, in columns, and what all lines share.
// docs/output.md#text

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

namespace {

// The columns; what is wider pushes the rest of its line on.
constexpr std::size_t plain_time_width = 27;
constexpr std::size_t trace_width = 5;
constexpr std::size_t cpu_width = 5;
constexpr std::size_t plain_ids_width = 13;
constexpr std::size_t named_ids_width = 30;

// A line up to its provider, without names, and a little more.
constexpr std::size_t max = 192;
static_assert(max > TimeText::max + trace_width + cpu_width + named_ids_width + 4 * 20);

/// Fills a column that begins at `begin`, and a blank. Room must have been made.
void pad(TextAppender& to, std::size_t begin, std::size_t width) {
    for (std::size_t size = to.size() - begin; size < width; ++size) {
        to.put(' ');
    }
    to.put(' ');
}

void append_column(std::string& to, std::string_view name, std::size_t width) {
    to.append(name).append(width - std::min(width, name.size()) + 1, ' ');
}

/// Number of a process or thread; `-`: the record stores none. Room must have been made.
void put_id(TextAppender& to, std::uint32_t id) {
    if (id == flow::no_id) {
        to.put('-');
    } else {
        to.put_decimal(id);
    }
}

} // namespace

void append_in_brackets(std::string& to, std::string_view text) {
    to.push_back('(');
    append_escaped(to, text);
    to.push_back(')');
}

LineHead::LineHead(const Options& options, bool has_text)
    : origins_(options.show_origins ? options.origins : nullptr),
      time_width_(has_text ? plain_time_width
                           : plain_time_width + TimeText::zone_size(options.utc_offset_minutes)),
      ids_width_(options.facts ? named_ids_width : plain_ids_width),
      time_(options.utc_offset_minutes,
            has_text ? TimeText::Style::plain : TimeText::Style::rfc3339) {
    if (has_text) {
        describe(options);
    }
}

void LineHead::describe(const Options& options) {
    describe_origins();
    append_column(text_, "time (" + TimeText::zone_name(options.utc_offset_minutes) + ")",
                  time_width_);
    if (origins_) {
        append_column(text_, "trace", trace_width);
    }
    append_column(text_, "cpu", cpu_width);
    append_column(text_, options.facts ? "pid(process).tid" : "pid.tid", ids_width_);
    text_.append("provider event data\n");
}

void LineHead::describe_origins() {
    constexpr std::size_t shown = 50;
    if (!origins_) {
        return;
    }
    const auto& all = origins_->all();
    for (const facts::Origin& origin : std::span(all).first(std::min(shown, all.size()))) {
        text_.push_back('#');
        append_decimal(text_, origin.trace);
        text_.append(" is ");
        append_escaped(text_, origin.file);
        if (!origin.machine.empty()) {
            text_.append(" of ");
            append_escaped(text_, origin.machine);
        }
        text_.push_back('\n');
    }
    if (all.size() > shown) {
        text_.append("and ");
        append_decimal(text_, all.size() - shown);
        text_.append(" more\n");
    }
}

void LineHead::put(TextAppender& to, const decode::DecodedEvent& event, const facts::Notes* notes) {
    to.reserve(max);
    std::size_t begin = to.size();
    if (const auto time = flow::wall_time(*event.event)) {
        time_.put(to, *time);
    } else {
        to.put('-');
    }
    pad(to, begin, time_width_);
    if (origins_) {
        put_origin(to, *event.event);
    }
    begin = to.size();
    to.put('[');
    to.put_decimal(event.event->buffer->processor);
    to.put(']');
    pad(to, begin, cpu_width);
    put_ids(to, event.header, notes);
}

void LineHead::put_origin(TextAppender& to, const flow::Event& event) const {
    const std::size_t begin = to.size();
    const facts::Origin* const origin = origins_->find(event);
    to.put('#');
    put_id(to, origin == nullptr ? flow::no_id : origin->trace);
    pad(to, begin, trace_width);
}

void LineHead::put_ids(TextAppender& to, const flow::EventHeader& header,
                       const facts::Notes* notes) const {
    const std::size_t begin = to.size();
    put_id(to, header.process_id);
    const std::string_view process = notes == nullptr                   ? std::string_view{}
                                     : header.process_id != flow::no_id ? notes->logger
                                                                        : notes->process;
    if (!process.empty()) {
        to.append_with([&](std::string& text) { append_in_brackets(text, process); });
        to.reserve(max);
    }
    to.put('.');
    put_id(to, header.thread_id);
    pad(to, begin, ids_width_);
}

// Provider, event, and level of a line of text. docs/output.md#text

/// Made once for a kind.
class LineNames {
public:
    /// `generation` is that of the decoder of the event.
    void append(TextAppender& to, const decode::DecodedEvent& event, std::uint32_t generation);

private:
    const std::string& of_kind(const decode::DecodedEvent& event, std::uint32_t generation);

    std::vector<std::string> texts_; // by number of the kind
    std::uint32_t generation_ = 0;
};

namespace {

constexpr std::uint8_t level_warning = 3;

// `file:line function level` of a WPP message, as far as its format says them.
void append_site(std::string& to, const schema::EventSchema& message) {
    const schema::TraceSite& site = *message.site;
    if (site.line.empty()) {
        append_readable(to, message.event_name);
    } else {
        append_readable(to, site.file);
        to.push_back(':');
        append_readable(to, site.line);
    }
    for (const std::string* word : {&site.function, &site.level}) {
        if (!word->empty() && *word != message.event_name) {
            to.push_back(' ');
            append_readable(to, *word);
        }
    }
}

void append_names(std::string& to, const decode::DecodedEvent& decoded) {
    const bool is_message = format::is_message(decoded.event->kind);
    if (decoded.kind->provider) {
        append_readable(to, *decoded.kind->provider);
    } else if (decoded.header.has_component_id) {
        to.append("Component(");
        append_decimal(to, decoded.header.component_id);
        to.push_back(')');
    } else {
        to.push_back('{');
        append_guid(to, decoded.header.provider);
        to.push_back('}');
    }
    to.push_back(' ');
    if (decoded.kind->schema != nullptr && decoded.kind->schema->site) {
        append_site(to, *decoded.kind->schema);
    } else if (decoded.kind->event) {
        append_readable(to, *decoded.kind->event);
    } else if (is_message) {
        to.append("Message(");
        append_decimal(to, decoded.header.id);
        to.push_back(')');
    } else {
        to.append("EventID(");
        append_decimal(to, decoded.header.id);
        to.push_back(')');
    }
}

void append_names_and_level(std::string& to, const decode::DecodedEvent& decoded) {
    const flow::EventHeader& header = decoded.header;
    append_names(to, decoded);
    if (header.level != 0 && header.level <= level_warning) {
        to.push_back(' ');
        append_readable(to, decoded.kind->level_name.empty()
                                ? schema::winmeta::level_name(header.level)
                                : decoded.kind->level_name);
    }
}

} // namespace

void LineNames::append(TextAppender& to, const decode::DecodedEvent& event,
                       std::uint32_t generation) {
    if (event.header.has_component_id) { // not part of a kind
        to.append_with([&](std::string& text) { append_names_and_level(text, event); });
    } else {
        to.text(of_kind(event, generation));
    }
}

const std::string& LineNames::of_kind(const decode::DecodedEvent& event, std::uint32_t generation) {
    if (generation != generation_) {
        texts_.clear();
        generation_ = generation;
    }
    const std::size_t number = event.kind->number;
    if (number >= texts_.size()) {
        texts_.resize(number + 1);
    }
    std::string& text = texts_[number];
    if (text.empty()) {
        append_names_and_level(text, event);
    }
    return text;
}

namespace {

// Critical, error, warning, information, verbose: bright red, red, yellow, none, grey.
constexpr std::array<std::string_view, 6> colours{"",         "\x1b[91m", "\x1b[31m",
                                                  "\x1b[33m", "",         "\x1b[90m"};
constexpr std::string_view plain = "\x1b[0m";

} // namespace

class Text::Writer {
public:
    Writer(Options options, TextOptions text)
        : options_(std::move(options)), text_options_(std::move(text)), selection_(options_),
          decoder_(options_.schemas, options_.decoder()), wanted_(options_),
          texts_(selection_, {.plain_names = true}), fields_(options_.display()),
          head_(options_, text_options_.head), message_(options_.display()) {
        if (options_.facts) {
            annotator_.emplace(options_.facts, options_.frame_names);
        }
    }

    std::unique_ptr<Text> copy() const { return std::make_unique<Text>(options_, text_options_); }

    std::string_view head() const noexcept { return head_.text(); }

    flow::DecodeCounts counts() const noexcept { return {errors_, guesses_}; }

    bool write(const flow::Event& event, std::string& to) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (!wanted_.has(decoded, decoder_.generation())) {
            return false;
        }
        guesses_ += decoded.kind->is_guess ? 1U : 0U;
        const KindTexts& texts = texts_.of(decoded, decoder_.generation());
        notes_ = annotator_ ? &annotator_->annotate(decoded, decoder_.generation()) : nullptr;
        const std::uint8_t level = decoded.header.level;
        const std::string_view color =
            text_options_.color && level < colours.size() ? colours[level] : std::string_view{};
        to.append(color);
        head(to, decoded);
        payload(to, decoded, texts);
        to.append(color.empty() ? color : plain).push_back('\n');
        if (notes_ != nullptr) {
            stack(to);
        }
        return true;
    }

    void write_payload(const decode::DecodedEvent& decoded, std::uint32_t generation,
                       std::string& to) {
        notes_ = nullptr;
        payload(to, decoded, texts_.of(decoded, generation));
    }

private:
    void head(std::string& to, const decode::DecodedEvent& decoded) {
        TextAppender tail(to);
        head_.put(tail, decoded, notes_);
        names_.append(tail, decoded, decoder_.generation());
    }

    void payload(std::string& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        const bool has_schema = decoded.kind->schema != nullptr;
        bool failed = !decoded.kind->problem.empty() || decoded.problem != nullptr;
        const decode::FieldWalker* walked = nullptr;
        if (decoded.kind->decoded_by == decode::DecodedBy::wpp && selection_.has(Key::message)) {
            failed |= wpp_message(to, decoded);
            walked = &fields_.walker();
        } else if (has_schema && selection_.has(Key::data)) {
            fields(to, decoded, texts);
            walked = &fields_.walker();
            failed |= walked->failed();
            remarks(to, *walked);
            message(to, decoded);
        }
        if (decoded.kind->log) [[unlikely]] {
            log_origin(to, decoded);
        }
        append_note(to, decoded, walked);
        if (options_.raw || !has_schema || failed) {
            to.append(" payload=");
            raw_bytes(to, decoded.header.payload);
        }
        if (failed) {
            error(to, decoded);
        }
        if (options_.raw) {
            place(to, *decoded.event);
        }
    }

    // `(record 12, channel System, computer KITCHEN, user S-1-5-18)`
    void log_origin(std::string& to, const decode::DecodedEvent& decoded) {
        std::string_view before = " (";
        const auto part = [&](Key key, std::string_view word, std::string_view text) {
            if (!text.empty() && selection_.has(key)) {
                to.append(std::exchange(before, ", ")).append(word).push_back(' ');
                append_escaped(to, text);
            }
        };
        const auto record = decode::record_id(decoded.header);
        part(Key::record_id, "record", record ? std::to_string(*record) : std::string());
        part(Key::channel_name, "channel", decoded.kind->log->channel);
        part(Key::computer, "computer", decoded.kind->log->computer);
        scratch_.clear();
        if (const Bytes sid = decode::user_sid(decoded.header); !sid.empty()) {
            decode::append_display(scratch_, {.bytes = sid, .form = decode::Form::sid});
        }
        part(Key::user, "user", scratch_);
        to.append(before == ", " ? ")" : "");
    }

    // The message says what the fields are. True: the payload contradicts its format.
    bool wpp_message(std::string& to, const decode::DecodedEvent& decoded) {
        scratch_.clear();
        message_.append(scratch_, decoded);
        to.append(": ");
        append_escaped(to, scratch_);
        fields_.skip(decoded);
        remarks(to, fields_.walker());
        return fields_.walker().failed();
    }

    void fields(std::string& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        const std::size_t most =
            text_options_.max_value_bytes == 0 ? to.max_size() : text_options_.max_value_bytes;
        TextAppender tail(to);
        fields_.append(tail, decoded, texts, [&](TextAppender& line, std::size_t begin) {
            if (line.size() - begin > most) {
                line.append_with([&](std::string& text) { shorten(text, begin, most); });
            }
            if (notes_ != nullptr) {
                line.append_with(
                    [&](std::string& text) { field_note(text, fields_.walker().field()); });
            }
        });
    }

    void shorten(std::string& to, std::size_t begin, std::size_t most) {
        const std::string_view value = std::string_view(to).substr(begin);
        to.resize(begin + whole_characters(value, most).size());
        to.append("\xE2\x80\xA6");
        note_cut();
    }

    void raw_bytes(std::string& to, Bytes bytes) {
        const std::size_t size = text_options_.max_value_bytes / 2;
        if (size == 0 || bytes.size() <= size) {
            append_hex_bytes(to, bytes);
            return;
        }
        append_hex_bytes(to, bytes.first(size));
        to.append("\xE2\x80\xA6(");
        append_decimal(to, bytes.size());
        to.append(" bytes)");
        note_cut();
    }

    void note_cut() noexcept {
        if (text_options_.has_truncated) {
            text_options_.has_truncated->store(true, std::memory_order_relaxed);
        }
    }

    void field_note(std::string& to, std::uint32_t field) const {
        const auto note = std::ranges::find(notes_->fields, field, &facts::FieldNote::field);
        if (note != notes_->fields.end()) {
            append_in_brackets(to, note->text);
        }
    }

    // A line for each frame.
    void stack(std::string& to) const {
        for (std::size_t i = 0; i < notes_->stack.size(); ++i) {
            to.append("    ");
            if (notes_->frames.empty()) {
                append_hex(to, notes_->stack[i]);
            } else {
                append_escaped(to, notes_->frames[i]);
            }
            to.push_back('\n');
        }
    }

    static void remarks(std::string& to, const decode::FieldWalker& walker) {
        if (walker.is_short()) {
            to.append(" (short)");
        } else if (!walker.failed() && !walker.trailing().empty()) {
            to.append(" (");
            append_decimal(to, walker.trailing().size());
            to.append(walker.trailing().size() == 1 ? " more byte)" : " more bytes)");
        }
    }

    void message(std::string& to, const decode::DecodedEvent& decoded) {
        if (!options_.message || decoded.kind->schema->message.empty()) {
            return;
        }
        scratch_.clear();
        message_.append(scratch_, decoded);
        to.append(" : ");
        append_readable(to, scratch_);
    }

    void error(std::string& to, const decode::DecodedEvent& decoded) {
        ++errors_;
        scratch_.clear();
        if (!decoded.kind->problem.empty()) {
            scratch_ = decoded.kind->problem;
        } else if (decoded.problem != nullptr) {
            scratch_ = decoded.problem;
        } else {
            append_problem(scratch_, *decoded.kind->schema, fields_.walker());
        }
        to.append(" !");
        append_readable(to, scratch_);
    }

    static void place(std::string& to, const flow::Event& event) {
        to.push_back(' ');
        to.append(format::name(event.kind)).push_back('@');
        append_decimal(to, event.buffer->number);
        to.push_back('+');
        append_decimal(to, event.offset());
    }

    Options options_;
    TextOptions text_options_;
    Selection selection_;
    decode::Decoder decoder_;
    WantedEvents wanted_;
    KindTextCache texts_;
    std::optional<facts::Annotator> annotator_;
    const facts::Notes* notes_ = nullptr; // of the event at hand
    DisplayFields fields_;
    LineHead head_;
    LineNames names_;
    decode::EventMessage message_;
    std::string scratch_;
    std::uint64_t errors_ = 0;
    std::uint64_t guesses_ = 0;
};

Text::Text(Options options, TextOptions text)
    : writer_(std::make_unique<Writer>(std::move(options), std::move(text))) {}

Text::~Text() = default;

std::unique_ptr<flow::Encoder> Text::clone() const {
    return writer_->copy();
}

std::string_view Text::head() const {
    return writer_->head();
}

bool Text::encode(const flow::Event& event, std::string& to) {
    return writer_->write(event, to);
}

void Text::append_payload(const decode::DecodedEvent& event, std::uint32_t generation,
                          std::string& to) {
    writer_->write_payload(event, generation, to);
}

flow::DecodeCounts Text::decode_counts() const {
    return writer_->counts();
}

} // namespace etl::sink
