#include <etl/base/text.hpp>
#include <etl/decode/message_text.hpp>
#include <etl/facts/annotator.hpp>
#include <etl/sink/csv.hpp>

#include "sink/display_fields.hpp"
#include "sink/header_cells.hpp"
#include "sink/json_parts.hpp"
#include "sink/notes_json.hpp"
#include "sink/wanted_events.hpp"

#include <algorithm>

namespace etl::sink {

namespace {

constexpr CharacterSet quoted_in_csv(",\"\r\n");
constexpr CharacterSet escaped_in_tsv("\t\n\r\\");

void append_csv(std::string& to, std::string_view text) {
    if (quoted_in_csv.find_in(text) == text.size()) {
        to.append(text);
        return;
    }
    to.push_back('"');
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t quote = std::min(text.find('"', at), text.size());
        to.append(text.substr(at, quote - at));
        if (quote < text.size()) {
            to.append("\"\"");
        }
        at = quote;
    }
    to.push_back('"');
}

void append_tsv(std::string& to, std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t special = escaped_in_tsv.find_in(text, at);
        to.append(text.substr(at, special - at));
        at = special;
        if (at < text.size()) {
            const char c = text[at];
            to.push_back('\\');
            to.push_back(c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : c);
        }
    }
}

void append_cell(std::string& to, CsvOptions::Style style, std::string_view text) {
    if (style == CsvOptions::Style::csv) {
        append_csv(to, text);
    } else {
        append_tsv(to, text);
    }
}

// Columns that hold nothing but digits, letters and dashes.
bool is_tame(Key key) noexcept {
    return key <= Key::tid || (key >= Key::provider_guid && key <= Key::keyword) ||
           key == Key::activity_id || key == Key::related_activity_id || key == Key::payload ||
           key == Key::trailing;
}

// The same for all events of a kind.
bool is_identity(Key key) noexcept {
    return key >= Key::provider && key <= Key::keywords;
}

bool is_of_facts(Key key) noexcept {
    return key == Key::process || key == Key::frames || key == Key::enriched;
}

} // namespace

class Csv::Writer {
public:
    Writer(Options options, CsvOptions csv)
        : options_(std::move(options)), csv_(csv), selection_(options_),
          decoder_(options_.schemas, options_.decoder()), wanted_(options_),
          texts_(selection_, {.raw_fields = options_.raw, .plain_names = csv.wide}),
          data_(options_.json_values()), fields_(options_.display()),
          header_(options_.utc_offset_minutes), message_(options_.display()) {
        choose_columns();
        if (options_.facts) {
            annotator_.emplace(options_.facts);
        }
    }

    std::unique_ptr<Csv> copy() const { return std::make_unique<Csv>(options_, csv_); }

    std::string_view head() const noexcept { return head_; }

    flow::DecodeCounts counts() const noexcept { return {errors_, guesses_}; }

    bool write(const flow::Event& event, std::string& to) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (!wanted_.has(decoded, decoder_.generation())) {
            return false;
        }
        guesses_ += decoded.kind->is_guess ? 1U : 0U;
        const KindTexts& texts = texts_.of(decoded, decoder_.generation());
        notes_ = annotator_ ? &annotator_->of(decoded, decoder_.generation()) : nullptr;
        read_data(decoded, texts);
        const std::size_t begin = to.size();
        cells(to, before_, decoded, texts);
        to.append(identity(decoded, texts));
        cells(to, behind_, decoded, texts);
        const bool has_cells = to.size() > begin;
        if (has_cells) {
            to.pop_back(); // the last separator
        }
        to.append(has_cells || wide_.empty() ? std::string_view(wide_)
                                             : std::string_view(wide_).substr(1));
        to.append(line_end());
        return true;
    }

private:
    char separator() const noexcept { return csv_.style == CsvOptions::Style::csv ? ',' : '\t'; }

    std::string_view line_end() const noexcept {
        return csv_.style == CsvOptions::Style::csv ? std::string_view("\r\n")
                                                    : std::string_view("\n");
    }

    // A cell and a separator for each column.
    void cells(std::string& to, const std::vector<Key>& columns,
               const decode::DecodedEvent& decoded, const KindTexts& texts) {
        for (const Key key : columns) {
            cell_.clear();
            fill(key, decoded, texts);
            if (is_tame(key)) {
                to.append(cell_);
            } else {
                append_cell(to, csv_.style, cell_);
            }
            to.push_back(separator());
        }
    }

    // The cells that all events of a kind share.
    const std::string& identity(const decode::DecodedEvent& decoded, const KindTexts& texts) {
        if (decoder_.generation() != generation_) {
            identities_.clear();
            generation_ = decoder_.generation();
        }
        const std::size_t number = decoded.kind->number;
        if (number >= identities_.size()) {
            identities_.resize(number + 1);
        }
        std::string& text = identities_[number];
        if (text.empty() && !identity_.empty()) {
            cells(text, identity_, decoded, texts);
        }
        return text;
    }

    void choose_columns() {
        for (const Key key : all_keys()) {
            const bool is_moot =
                (is_raw_key(key) && !options_.raw) || (key == Key::message && !options_.message) ||
                (is_of_facts(key) && !options_.facts) || (key == Key::data && csv_.wide) ||
                (key == Key::wpp && options_.fields.empty());
            if (selection_.has(key) && !is_moot) {
                (key < Key::provider ? before_
                 : is_identity(key)  ? identity_
                                     : behind_)
                    .push_back(key);
                head_.append(name(key)).push_back(separator());
            }
        }
        if (csv_.wide && selection_.has(Key::data)) {
            head_.append(name(Key::data)).push_back(separator());
        }
        if (!head_.empty()) {
            head_.pop_back();
        }
        head_.append(line_end());
    }

    // Walks the payload once; the columns ask what came of it.
    void read_data(const decode::DecodedEvent& decoded, const KindTexts& texts) {
        json_.clear();
        wide_.clear();
        walker_ = nullptr;
        failed_ = !decoded.kind->problem.empty() || decoded.problem != nullptr;
        if (decoded.kind->schema != nullptr) {
            if (csv_.wide) {
                fields_.walk(decoded, texts, [&](std::string_view name, std::string_view text) {
                    cell_.assign(name).append("=").append(text);
                    wide_.push_back(separator());
                    append_cell(wide_, csv_.style, cell_);
                });
                walker_ = &fields_.walker();
            } else {
                TextTail tail(json_);
                data_.append(tail, decoded, texts);
                walker_ = &data_.walker();
            }
            failed_ |= walker_->failed();
        }
        errors_ += failed_ ? 1 : 0;
    }

    // A column at a time; a column that has nothing to say stays empty.
    void fill(Key key, const decode::DecodedEvent& decoded, const KindTexts& texts) {
        if (is_of_facts(key)) {
            fill_notes(key, texts);
        } else if (key < Key::data || is_raw_key(key)) {
            header_.fill(cell_, key, decoded, texts);
        } else {
            fill_body(key, decoded);
        }
    }

    void fill_body(Key key, const decode::DecodedEvent& decoded) {
        const bool has_schema = decoded.kind->schema != nullptr;
        if (key == Key::data) {
            cell_ = json_;
        } else if (key == Key::trailing && walker_ != nullptr && !failed_) {
            append_hex_bytes(cell_, walker_->trailing());
        } else if (key == Key::is_short && walker_ != nullptr && walker_->is_short()) {
            cell_ = "true";
        } else if (key == Key::message && has_schema) {
            message_.append(cell_, decoded);
        } else if (key == Key::stack && notes_ != nullptr) {
            stack();
        } else if (key == Key::stack && decoded.items.has_stack) {
            TextTail tail(cell_);
            append_stack(tail, decoded.header);
        } else if (key == Key::ext && has_ext(decoded)) {
            TextTail tail(cell_);
            append_ext(tail, decoded);
        } else if (key == Key::payload && (options_.raw || !has_schema || failed_)) {
            append_hex_bytes(cell_, decoded.header.payload);
        } else if (key == Key::decode_error && failed_) {
            problem(decoded);
        } else if (key == Key::decode_note) {
            cell_ = decoded.header.broken_items ? std::string_view("extended items are damaged")
                                                : std::string_view(decoded.kind->note);
        }
    }

    void fill_notes(Key key, const KindTexts& texts) {
        if (key == Key::process) {
            cell_ = notes_->process;
        } else if (key == Key::frames && !notes_->frames.empty()) {
            TextTail tail(cell_);
            append_frames(tail, notes_->frames);
        } else if (key == Key::enriched && has_field_notes(*notes_, texts)) {
            TextTail tail(cell_);
            append_field_notes(tail, *notes_, texts);
        }
    }

    void stack() {
        if (!notes_->stack.empty()) {
            TextTail tail(cell_);
            append_addresses(tail, notes_->stack);
        }
    }

    void problem(const decode::DecodedEvent& decoded) {
        if (!decoded.kind->problem.empty()) {
            cell_ = decoded.kind->problem;
        } else if (decoded.problem != nullptr) {
            cell_ = decoded.problem;
        } else {
            append_problem(cell_, *decoded.kind->schema, *walker_);
        }
    }

    Options options_;
    CsvOptions csv_;
    Selection selection_;
    decode::Decoder decoder_;
    WantedEvents wanted_;
    KindTextCache texts_;
    std::optional<facts::Annotator> annotator_;
    const facts::Notes* notes_ = nullptr; // of the event at hand
    JsonData data_;
    DisplayFields fields_;
    HeaderCells header_;
    decode::EventMessage message_;
    std::vector<Key> before_, identity_, behind_; // columns: those between belong to the kind
    std::vector<std::string> identities_;         // by number of the kind
    std::uint32_t generation_ = 0;
    std::string head_;
    std::string cell_, json_, wide_;
    const decode::FieldWalker* walker_ = nullptr; // the one that read the event at hand
    bool failed_ = false;
    std::uint64_t errors_ = 0;
    std::uint64_t guesses_ = 0;
};

Csv::Csv(Options options, CsvOptions csv)
    : writer_(std::make_unique<Writer>(std::move(options), csv)) {}

Csv::~Csv() = default;

std::unique_ptr<flow::Encoder> Csv::clone() const {
    return writer_->copy();
}

std::string_view Csv::head() const {
    return writer_->head();
}

bool Csv::encode(const flow::Event& event, std::string& to) {
    return writer_->write(event, to);
}

flow::DecodeCounts Csv::decode_counts() const {
    return writer_->counts();
}

} // namespace etl::sink
