#include "sink/table/layout.hpp"

#include "base/readable_text.hpp"
#include "base/text.hpp"

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
    append_csv_quoted(to, text);
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

bool is_of_kind(Key key) noexcept {
    return (key >= Key::provider && key <= Key::keywords) || key == Key::source ||
           key == Key::schema_from;
}

bool is_of_kind_if_plain(Key key, bool is_raw) noexcept {
    return is_of_kind(key) || key == Key::related_activity_id || key == Key::user ||
           key == Key::trailing || key == Key::is_short || key == Key::stack || key == Key::ext ||
           (key == Key::payload && !is_raw) || key == Key::decode_error || key == Key::decode_note;
}

void add(std::vector<Segment>& segments, const LayoutColumn& column, bool is_of_kind) {
    if (segments.empty() || segments.back().is_of_kind != is_of_kind) {
        segments.push_back({.columns = {}, .is_of_kind = is_of_kind});
    }
    segments.back().columns.push_back(column);
}

} // namespace

void append_cell(std::string& to, CsvOptions::Style style, std::string_view text) {
    if (style == CsvOptions::Style::csv) {
        append_csv(to, text);
    } else {
        append_tsv(to, text);
    }
}

Layout::Layout(std::vector<std::string> names, const CsvOptions& options, bool is_raw)
    : names_(std::move(names)), head_(options.byte_order_mark ? "\xEF\xBB\xBF" : "") {
    const std::size_t begin = head_.size();
    for (const std::string& name : names_) {
        const Wanted wanted = Wanted::of(name);
        LayoutColumn column{.key = wanted.key};
        if (!wanted.field.empty()) {
            const auto known = std::ranges::find(fields_, wanted.field);
            column.cell = static_cast<std::uint32_t>(known - fields_.begin());
            if (known == fields_.end()) {
                fields_.push_back(wanted.field);
            }
        }
        has_data_ |= column.key == Key::data && column.cell == LayoutColumn::whole;
        add(segments_, column, is_of_kind(column.key));
        add(segments_if_plain_, column, is_of_kind_if_plain(column.key, is_raw));
        if (head_.size() > begin) {
            head_.push_back(separator(options.style));
        }
        append_cell(head_, options.style, name);
    }
    head_.append(line_end(options.style));
}

std::vector<std::string> columns_of(const Options& options) {
    std::vector<std::string> names;
    if (!options.fields.empty()) {
        for (const std::string& field : options.fields) {
            if (std::ranges::find(names, field) == names.end()) {
                names.push_back(field);
            }
        }
        return names;
    }
    for (const Key key : decode::all_keys) {
        const bool is_moot =
            (is_raw_key(key) && !options.raw) || (key == Key::message && !options.message) ||
            (is_of_facts(key) && !options.facts) ||
            (decode::is_origin_key(key) && !options.show_origins) || key == Key::wpp ||
            ((decode::is_log_key(key) || key == Key::user) && !options.show_event_logs);
        if (!is_moot) {
            names.emplace_back(name(key));
        }
    }
    return names;
}

std::string column_of_field(std::string_view path) {
    const bool is_ambiguous =
        decode::find_key(path).has_value() || path.starts_with(decode::field_prefix);
    return std::string(is_ambiguous ? decode::field_prefix : std::string_view{}).append(path);
}

} // namespace etl::sink
