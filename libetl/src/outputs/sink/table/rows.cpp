#include "sink/table/rows.hpp"

#include "base/text.hpp"
#include "decode/decode_note.hpp"
#include "sink/event_kinds.hpp"
#include "sink/json/json_members.hpp"

namespace etl::sink {

namespace {

// Columns that hold nothing but digits, letters and dashes.
bool is_tame(Key key) noexcept {
    return key <= Key::tid || (key >= Key::provider_guid && key <= Key::keyword) ||
           key == Key::activity_id || key == Key::related_activity_id || key == Key::payload ||
           key == Key::trailing;
}

} // namespace

RowWriter::RowWriter(Options options, CsvOptions csv, std::vector<CsvTable> tables)
    : options_(std::move(options)), csv_(csv), tables_(std::move(tables)), selection_(options_),
      decoder_(options_.schemas, options_.decoder()), wanted_(options_),
      texts_(selection_, {.raw_fields = options_.raw}), data_(options_.json_values()),
      fields_(options_.json_values()), header_(options_.utc_offset_minutes),
      message_(options_.display()) {
    for (const CsvTable& table : tables_) {
        table_numbers_.emplace(table.key, static_cast<std::uint32_t>(layouts_.size()));
        layouts_.emplace_back(table.columns, csv_, options_.raw);
    }
    if (options_.facts) {
        annotator_.emplace(options_.facts, options_.frame_names);
    }
}

std::optional<std::size_t> RowWriter::write(const flow::Event& event, std::string& to) {
    const decode::DecodedEvent& decoded = decoder_.decode(event);
    if (!wanted_.has(decoded, decoder_.generation())) {
        return std::nullopt;
    }
    KindColumns& columns = columns_of_kind(decoded);
    if (columns.table == no_table) {
        return std::nullopt;
    }
    guesses_ += decoded.kind->is_guess ? 1U : 0U;
    const KindTexts& texts = texts_.of(decoded, decoder_.generation());
    notes_ = annotator_ ? &annotator_->annotate(decoded, decoder_.generation()) : nullptr;
    read_data(decoded, texts, columns);
    const Layout& layout = layouts_[columns.table];
    if (is_plain(decoded)) {
        row(to, decoded, texts, layout.segments_if_plain(), columns.texts_if_plain);
    } else {
        row(to, decoded, texts, layout.segments(), columns.texts);
    }
    return columns.table;
}

RowWriter::KindColumns& RowWriter::columns_of_kind(const decode::DecodedEvent& decoded) {
    if (decoder_.generation() != generation_) {
        kinds_.clear();
        generation_ = decoder_.generation();
    }
    const std::size_t number = decoded.kind->number;
    if (number >= kinds_.size()) {
        kinds_.resize(number + 1);
    }
    KindColumns& columns = kinds_[number];
    if (columns.is_known) [[likely]] {
        return columns;
    }
    columns.is_known = true;
    const bool is_all = tables_.size() == 1 && tables_.front().key.empty();
    const auto found = is_all ? table_numbers_.begin() : table_numbers_.find(key_of_kind(decoded));
    if (found == table_numbers_.end()) {
        return columns;
    }
    columns.table = found->second;
    const Layout& layout = layouts_[columns.table];
    columns.texts.resize(layout.segments().size());
    columns.texts_if_plain.resize(layout.segments_if_plain().size());
    if (decoded.kind->schema != nullptr) {
        columns.slots = FieldSlots(*decoded.kind->schema, layout.fields());
    }
    return columns;
}

// Walks the payload; the columns ask what came of it.
void RowWriter::read_data(const decode::DecodedEvent& decoded, const KindTexts& texts,
                          const KindColumns& columns) {
    const Layout& layout = layouts_[columns.table];
    json_.clear();
    walker_ = nullptr;
    failed_ = !decoded.kind->problem.empty() || decoded.problem != nullptr;
    if (decoded.kind->schema == nullptr) {
        fields_.clear(layout.fields().size());
    } else {
        if (layout.has_data()) {
            TextAppender tail(json_);
            data_.append(tail, decoded, texts);
            walker_ = &data_.walker();
        }
        if (!layout.has_data() || !layout.fields().empty()) {
            fields_.read(decoded, texts, columns.slots, layout.fields().size());
            walker_ = &fields_.walker();
        }
        failed_ |= walker_->failed();
    }
    errors_ += failed_ ? 1 : 0;
}

bool RowWriter::is_plain(const decode::DecodedEvent& decoded) const {
    return walker_ != nullptr && !failed_ && notes_ == nullptr && decoded.header.items.empty() &&
           !decoded.header.has_invalid_items && walker_->consumed_exactly() &&
           walker_->doubt() == decode::Doubt::none;
}

void RowWriter::row(std::string& to, const decode::DecodedEvent& decoded, const KindTexts& texts,
                    const std::vector<Segment>& segments, std::vector<std::string>& texts_of_kind) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (!segments[i].is_of_kind) {
            cells(to, segments[i], decoded, texts);
            continue;
        }
        std::string& text = texts_of_kind[i];
        if (text.empty()) {
            cells(text, segments[i], decoded, texts);
        }
        to.append(text);
    }
    if (!segments.empty()) {
        to.pop_back(); // the last separator
    }
    to.append(line_end(csv_.style));
}

// A cell and a separator for each column; a column that has nothing to say stays empty.
void RowWriter::cells(std::string& to, const Segment& segment, const decode::DecodedEvent& decoded,
                      const KindTexts& texts) {
    for (const LayoutColumn& column : segment.columns) {
        if (column.cell != LayoutColumn::whole) {
            append_cell(to, csv_.style, fields_.cell(column.cell));
        } else if (column.key == Key::data) {
            data(to);
        } else if (is_tame(column.key)) {
            fill(to, column.key, decoded, texts);
        } else {
            cell_.clear();
            fill(cell_, column.key, decoded, texts);
            append_cell(to, csv_.style, cell_);
        }
        to.push_back(separator(csv_.style));
    }
}

void RowWriter::data(std::string& to) const {
    constexpr std::string_view no_members = "{}";
    if (csv_.style == CsvOptions::Style::csv && json_.size() > no_members.size()) {
        append_csv_quoted(to, json_); // the names of members are in quotes
    } else {
        append_cell(to, csv_.style, json_);
    }
}

void RowWriter::fill(std::string& cell, Key key, const decode::DecodedEvent& decoded,
                     const KindTexts& texts) {
    if (is_of_facts(key)) {
        fill_notes(cell, key, texts);
    } else if (decode::is_origin_key(key)) {
        fill_origin(cell, key, *decoded.event);
    } else if (key < Key::data || is_raw_key(key)) {
        header_.fill(cell, key, decoded, texts);
    } else {
        fill_body(cell, key, decoded);
    }
}

void RowWriter::fill_body(std::string& cell, Key key, const decode::DecodedEvent& decoded) {
    const bool has_schema = decoded.kind->schema != nullptr;
    if (key == Key::trailing && walker_ != nullptr && !failed_) {
        append_hex_bytes(cell, walker_->trailing());
    } else if (key == Key::is_short && walker_ != nullptr && walker_->is_short()) {
        cell.append("true");
    } else if (key == Key::message && has_schema) {
        message_.append(cell, decoded);
    } else if (key == Key::stack && notes_ != nullptr) {
        stack(cell);
    } else if (key == Key::stack && decoded.items.has_stack) {
        TextAppender tail(cell);
        append_stack(tail, decoded.header);
    } else if (key == Key::ext && has_ext(decoded)) {
        TextAppender tail(cell);
        append_ext(tail, decoded);
    } else if (key == Key::payload && (options_.raw || !has_schema || failed_)) {
        append_hex_bytes(cell, decoded.header.payload);
    } else if (key == Key::decode_error && failed_) {
        problem(cell, decoded);
    } else if (key == Key::decode_note) {
        decode::append_decode_note(cell, decoded, walker_);
    }
}

void RowWriter::fill_notes(std::string& cell, Key key, const KindTexts& texts) const {
    if (notes_ == nullptr) {
        return;
    }
    if (key == Key::process) {
        cell.append(notes_->process);
    } else if (key == Key::frames && !notes_->frames.empty()) {
        TextAppender tail(cell);
        append_frames(tail, notes_->frames);
    } else if (key == Key::enriched && has_field_notes(*notes_, texts)) {
        TextAppender tail(cell);
        append_field_notes(tail, *notes_, texts);
    }
}

void RowWriter::fill_origin(std::string& cell, Key key, const flow::Event& event) const {
    const facts::Origin* const origin = options_.origins ? options_.origins->find(event) : nullptr;
    if (origin == nullptr) {
        return;
    }
    if (key == Key::trace) {
        append_decimal(cell, origin->trace);
    } else if (key == Key::file) {
        cell.append(origin->file);
    } else if (key == Key::machine) {
        cell.append(origin->machine);
    } else if (origin->boot) {
        append_rfc3339(cell, *origin->boot);
    }
}

void RowWriter::stack(std::string& cell) const {
    if (!notes_->stack.empty()) {
        TextAppender tail(cell);
        append_addresses(tail, notes_->stack);
    }
}

void RowWriter::problem(std::string& cell, const decode::DecodedEvent& decoded) const {
    if (!decoded.kind->problem.empty()) {
        cell.append(decoded.kind->problem);
    } else if (decoded.problem != nullptr) {
        cell.append(decoded.problem);
    } else {
        append_problem(cell, *decoded.kind->schema, *walker_);
    }
}

} // namespace etl::sink
