#include "sink/wpp.hpp"

#include "base/readable_text.hpp"
#include "decode/message_text.hpp"
#include "sink/json_parts.hpp"
#include "sink/selection.hpp"
#include "sink/text/display_fields.hpp"

namespace etl::sink {

namespace {

// Hex digits; of more than 32 bytes those at the front, and how many there are.
void append_shortened(std::string& to, Bytes bytes) {
    constexpr std::size_t shown = 32; // the JSON output has all of them
    append_hex_bytes(to, clamped(bytes, 0, shown));
    if (bytes.size() > shown) {
        to.append("...(");
        append_decimal(to, bytes.size());
        to.append(" bytes)");
    }
}

} // namespace

class WppLines::Writer {
public:
    Writer(Options options, std::string prefix)
        : options_(std::move(options)), prefix_(std::move(prefix)), selection_(options_),
          decoder_(options_.schemas, options_.decoder()), wanted_(options_),
          texts_(selection_, {.plain_names = true}), fields_(options_.display()),
          message_(options_.display()), wpp_(options_.display()) {}

    std::unique_ptr<WppLines> copy() const { return std::make_unique<WppLines>(options_, prefix_); }

    flow::DecodeCounts counts() const noexcept { return {errors_, guesses_}; }

    bool write(const flow::Event& event, std::string& to) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (!wanted_.has(decoded, decoder_.generation())) {
            return false;
        }
        guesses_ += decoded.kind->is_guess ? 1U : 0U;
        const KindTexts& texts = texts_.of(decoded, decoder_.generation());
        const bool is_message = format::is_message(event.kind);
        if (is_message && decoded.kind->schema == nullptr) {
            unknown(to, decoded);
        } else if (decoded.kind->decoded_by == decode::DecodedBy::mof &&
                   decoded.kind->event == log_file_header) {
            to.append("EventTrace");
        } else {
            prefix(to, decoded);
            content(to, decoded, texts);
        }
        to.push_back('\n');
        return true;
    }

private:
    static constexpr std::string_view log_file_header = "EventTrace/Header";

    static void unknown(std::string& to, const decode::DecodedEvent& decoded) {
        to.append("Unknown( ");
        append_decimal(to, decoded.header.id);
        if (decoded.header.has_component_id) {
            to.append("): Component=");
            append_decimal(to, decoded.header.component_id);
        } else {
            to.append("): GUID=");
            append_guid(to, decoded.header.provider);
        }
        to.append(" (No Format Information found).");
    }

    void prefix(std::string& to, const decode::DecodedEvent& decoded) {
        scratch_.clear();
        wpp_.append_prefix(scratch_, prefix_, decoded);
        append_escaped(to, scratch_);
    }

    void content(std::string& to, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        const schema::EventSchema* schema = decoded.kind->schema;
        if (schema == nullptr) {
            name(to, decoded);
            to.append(" payload=");
            append_shortened(to, decoded.header.payload);
            return;
        }
        scratch_.clear();
        if (!schema->message.empty()) {
            message_.append(scratch_, decoded);
            while (scratch_.ends_with('\n') || scratch_.ends_with('\r')) {
                scratch_.pop_back();
            }
            append_escaped(to, scratch_);
            fields_.skip(decoded);
        } else {
            name(to, decoded);
            TextAppender tail(to);
            fields_.append(tail, decoded, texts, [](TextAppender&, std::size_t) {});
        }
        append_note(to, decoded, &fields_.walker());
        if (fields_.walker().failed() || decoded.problem != nullptr) {
            error(to, decoded);
        }
    }

    static void name(std::string& to, const decode::DecodedEvent& decoded) {
        if (decoded.kind->event) {
            append_readable(to, *decoded.kind->event);
        } else {
            to.append("EventID(");
            append_decimal(to, decoded.header.id);
            to.push_back(')');
        }
    }

    void error(std::string& to, const decode::DecodedEvent& decoded) {
        ++errors_;
        scratch_.clear();
        if (decoded.problem != nullptr) {
            scratch_ = decoded.problem;
        } else {
            append_problem(scratch_, *decoded.kind->schema, fields_.walker());
        }
        to.append(" !");
        append_readable(to, scratch_);
    }

    Options options_;
    std::string prefix_;
    Selection selection_;
    decode::Decoder decoder_;
    WantedEvents wanted_;
    KindTextCache texts_;
    DisplayFields fields_;
    decode::EventMessage message_;
    decode::WppText wpp_;
    std::string scratch_;
    std::uint64_t errors_ = 0;
    std::uint64_t guesses_ = 0;
};

WppLines::WppLines(Options options, std::string prefix)
    : writer_(std::make_unique<Writer>(std::move(options), std::move(prefix))) {}

WppLines::~WppLines() = default;

std::unique_ptr<flow::Encoder> WppLines::clone() const {
    return writer_->copy();
}

bool WppLines::encode(const flow::Event& event, std::string& to) {
    return writer_->write(event, to);
}

flow::DecodeCounts WppLines::decode_counts() const {
    return writer_->counts();
}

} // namespace etl::sink
