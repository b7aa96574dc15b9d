#include "sink/text.hpp"

#include "base/readable_text.hpp"
#include "base/text.hpp"
#include "base/text_appender.hpp"
#include "decode/message_text.hpp"
#include "facts/annotator.hpp"
#include "sink/json_parts.hpp"
#include "sink/text/display_fields.hpp"
#include "sink/text/line_head.hpp"
#include "sink/text/line_names.hpp"
#include "sink/wanted_events.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace etl::sink {

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

flow::DecodeCounts Text::decode_counts() const {
    return writer_->counts();
}

} // namespace etl::sink
