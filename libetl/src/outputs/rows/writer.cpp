#include "rows/writer.hpp"

#include "base/json_text.hpp"
#include "base/readable_text.hpp"
#include "sink/csv.hpp"

#include <algorithm>
#include <utility>

namespace etl::rows {

namespace {

class Layout {
public:
    explicit Layout(Grid grid) : grid_(std::move(grid)) {
        std::size_t all = measure();
        if (grid_.width != 0 && all > grid_.width) {
            split_heading();
            all = measure();
        }
        shorten(all);
    }

    std::string text() const {
        std::string text;
        for (const auto& line : grid_.lines) {
            text += line_text(line);
        }
        return text;
    }

private:
    /// Two lines make columns of numbers narrower, for the benefit of texts.
    void split_heading() {
        std::vector<std::string> upper;
        for (std::string& heading : grid_.lines.front()) {
            const std::size_t space = heading.rfind(' ');
            upper.push_back(space == heading.npos ? "" : heading.substr(0, space));
            heading.erase(0, space + 1); // npos + 1 is 0
        }
        grid_.lines.insert(grid_.lines.begin(), std::move(upper));
    }

    /// Returns the width of the table.
    std::size_t measure() {
        const std::size_t columns = grid_.is_left.size();
        widths_.assign(columns, 0);
        for (const auto& line : grid_.lines) {
            for (std::size_t i = 0; i < line.size(); ++i) {
                widths_[i] = std::max(widths_[i], width_of(line[i]));
            }
        }
        std::size_t all = 2 * (columns - std::min<std::size_t>(columns, 1));
        for (const std::size_t width : widths_) {
            all += width;
        }
        return all;
    }

    /// Takes what is too much from the widest texts.
    void shorten(std::size_t all) {
        constexpr std::size_t min_width = 12;
        while (grid_.width != 0 && all > grid_.width) {
            std::size_t widest = widths_.size();
            for (std::size_t i = 0; i < widths_.size(); ++i) {
                if (grid_.is_left[i] && widths_[i] > min_width &&
                    (widest == widths_.size() || widths_[i] > widths_[widest])) {
                    widest = i;
                }
            }
            if (widest == widths_.size()) {
                return;
            }
            --widths_[widest];
            --all;
        }
    }

    std::string line_text(const std::vector<std::string>& line) const {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string cell = fitted(line[i], widths_[i]);
            const std::string blanks(widths_[i] - width_of(cell), ' ');
            text += (i > 0 ? "  " : "") + (grid_.is_left[i] ? cell + blanks : blanks + cell);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text + '\n';
    }

    Grid grid_;
    std::vector<std::size_t> widths_; // by column
};

} // namespace

std::string text_of(Grid grid) {
    return Layout(std::move(grid)).text();
}

std::size_t width_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::string fitted(const std::string& text, std::size_t width) {
    const std::size_t all = width_of(text);
    if (all <= width) {
        return text;
    }
    // The end of a path says more than its beginning.
    constexpr std::string_view gap = "...";
    const std::size_t kept = width > gap.size() ? width - gap.size() : 0;
    const std::size_t front = kept / 3;
    std::string head, tail;
    std::size_t at = 0;
    for (const char c : text) {
        at += width_of(std::string_view(&c, 1));
        (at <= front                 ? head
         : at > all - (kept - front) ? tail
                                     : head)
            .append(at <= front || at > all - (kept - front) ? 1 : 0, c);
    }
    return head + std::string(gap.substr(0, width)) + tail;
}

namespace {

using analysis::Unit;
using Style = sink::CsvOptions::Style;

Unit unit_of(const RowColumn& column) noexcept {
    return column.unit.value_or(Unit::id);
}

class CellEncoder final : public RowEncoder {
public:
    CellEncoder(std::vector<RowColumn> columns, Style style)
        : columns_(std::move(columns)), style_(style) {
        add_line(head_, [&](std::size_t i) { sink::append_cell(head_, style_, columns_[i].name); });
    }

    std::unique_ptr<RowEncoder> clone() const override {
        return std::make_unique<CellEncoder>(columns_, style_);
    }

    std::string_view head() const override { return head_; }

    void encode(std::span<const Value> values, std::string& to) override {
        add_line(to, [&](std::size_t i) {
            if (const auto* const text = std::get_if<std::string_view>(&values[i])) {
                sink::append_cell(to, style_, *text);
            } else if (std::holds_alternative<std::span<const std::uint64_t>>(values[i])) {
                scratch_.clear();
                append_plain(scratch_, values[i], unit_of(columns_[i]));
                sink::append_cell(to, style_, scratch_);
            } else { // without characters that need quotes
                append_plain(to, values[i], unit_of(columns_[i]));
            }
        });
    }

private:
    template <typename AppendCell>
    void add_line(std::string& to, AppendCell append_cell) const {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (i > 0) {
                to += style_ == Style::csv ? ',' : '\t';
            }
            append_cell(i);
        }
        to += style_ == Style::csv ? "\r\n" : "\n";
    }

    std::vector<RowColumn> columns_;
    Style style_;
    std::string head_, scratch_;
};

class JsonEncoder final : public RowEncoder {
public:
    JsonEncoder(std::vector<RowColumn> columns, const WriterOptions& how)
        : columns_(std::move(columns)), how_(how), is_array_(how.format == Format::json) {
        for (const RowColumn& column : columns_) {
            std::string& key = keys_.emplace_back(keys_.empty() ? "{" : ",");
            append_json(key, std::string_view(column.name), Unit::text);
            key += ':';
        }
    }

    std::unique_ptr<RowEncoder> clone() const override {
        return std::make_unique<JsonEncoder>(columns_, how_);
    }

    std::string_view head() const override { return is_array_ ? "[" : ""; }

    std::string_view separator() const override { return is_array_ ? "," : ""; }

    std::string_view tail() const override { return is_array_ ? "\n]\n" : ""; }

    void encode(std::span<const Value> values, std::string& to) override {
        const std::size_t begin = begin_object(to);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            to += keys_[i];
            append_json(to, values[i], unit_of(columns_[i]));
        }
        to += '}';
        end_object(begin, to);
    }

    void encode_object(std::string_view json, std::string& to) override {
        const std::size_t begin = begin_object(to);
        to += json;
        end_object(begin, to);
    }

private:
    /// Returns where the object begins.
    std::size_t begin_object(std::string& to) const {
        to += is_array_ ? "\n" : "";
        return to.size();
    }

    void end_object(std::size_t begin, std::string& to) const {
        if (how_.max_number != UINT64_MAX) {
            quote_large_integers(to, begin, how_.max_number);
        }
        to += is_array_ ? "" : "\n";
    }

    std::vector<RowColumn> columns_;
    WriterOptions how_;
    bool is_array_;
    std::vector<std::string> keys_; // by column, with what precedes them
};

/// One row after the other.
class EncodedWriter final : public Writer {
public:
    EncodedWriter(std::unique_ptr<RowEncoder> encoder, std::string& to)
        : encoder_(std::move(encoder)), to_(&to) {}

    void begin() override { *to_ += encoder_->head(); }

    void add(std::span<const Value> values) override {
        separate();
        encoder_->encode(values, *to_);
    }

    void add_object(std::string_view json) override {
        separate();
        encoder_->encode_object(json, *to_);
    }

    void end() override { *to_ += encoder_->tail(); }

private:
    void separate() {
        *to_ += std::exchange(is_first_, false) ? std::string_view() : encoder_->separator();
    }

    std::unique_ptr<RowEncoder> encoder_;
    std::string* to_;
    bool is_first_ = true;
};

bool is_number(const Value& value) noexcept {
    return std::holds_alternative<std::uint64_t>(value) ||
           std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value) ||
           std::holds_alternative<Digits>(value);
}

bool is_left(Unit unit) noexcept {
    return unit == Unit::text || unit == Unit::histogram || unit == Unit::time;
}

class TextWriter final : public Writer {
public:
    TextWriter(std::vector<RowColumn> columns, const WriterOptions& how, std::string& to)
        : columns_(std::move(columns)), width_(how.width), group_(how.group), to_(&to) {}

    void begin() override { start_group(); }

    void add(std::span<const Value> values) override {
        std::vector<std::string>& line = grid_.lines.emplace_back();
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const bool is_null = std::holds_alternative<std::monostate>(values[i]);
            grid_.is_left[i] =
                grid_.is_left[i] || (!columns_[i].unit && !is_null && !is_number(values[i]));
            line.push_back(shown_of(values[i], unit_of(columns_[i])));
        }
        if (grid_.lines.size() > group_ && group_ != 0) {
            end();
            start_group();
        }
    }

    void end() override {
        const bool is_needed = grid_.lines.size() > 1 || std::exchange(is_first_, false);
        *to_ += is_needed ? text_of(std::move(grid_)) : "";
        is_first_ = false;
    }

private:
    void start_group() {
        grid_ = {.lines = {{}}, .is_left = {}, .width = width_};
        for (const RowColumn& column : columns_) {
            grid_.lines.front().push_back(column.unit ? heading_of(column.name, *column.unit)
                                                      : printable(column.name));
            grid_.is_left.push_back(column.unit && is_left(*column.unit));
        }
    }

    std::vector<RowColumn> columns_;
    std::size_t width_, group_;
    std::string* to_;
    Grid grid_{};
    bool is_first_ = true;
};

template <Style style>
std::unique_ptr<RowEncoder> make_cells(std::vector<RowColumn> columns,
                                       const WriterOptions& /*how*/) {
    return std::make_unique<CellEncoder>(std::move(columns), style);
}

std::unique_ptr<RowEncoder> make_json(std::vector<RowColumn> columns, const WriterOptions& how) {
    return std::make_unique<JsonEncoder>(std::move(columns), how);
}

constexpr FormatTraits all_formats[] = {
    {Format::text, "text", ".txt .log", nullptr},
    {Format::csv, "csv", ".csv", make_cells<Style::csv>},
    {Format::tsv, "tsv", ".tsv", make_cells<Style::tsv>},
    {Format::json, "json", ".json", make_json, true},
    {Format::jsonl, "jsonl", ".jsonl .ndjson", make_json, true},
};

static_assert(std::ranges::all_of(all_formats, [](const FormatTraits& traits) {
    return &all_formats[static_cast<std::size_t>(traits.format)] == &traits;
}));

} // namespace

std::unique_ptr<RowEncoder> make_encoder(std::vector<RowColumn> columns, const WriterOptions& how) {
    const auto make = traits_of(how.format).make;
    return make == nullptr ? nullptr : make(std::move(columns), how);
}

std::unique_ptr<Writer> make_writer(std::vector<RowColumn> columns, const WriterOptions& how,
                                    std::string& to) {
    if (traits_of(how.format).make == nullptr) {
        return std::make_unique<TextWriter>(std::move(columns), how, to);
    }
    return std::make_unique<EncodedWriter>(make_encoder(std::move(columns), how), to);
}

std::span<const FormatTraits> formats() noexcept {
    return all_formats;
}

const FormatTraits& traits_of(Format format) noexcept {
    return all_formats[static_cast<std::size_t>(format)];
}

} // namespace etl::rows
