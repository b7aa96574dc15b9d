// The columns of a table. Private to sink. docs/output.md#csv
#pragma once

#include "sink/csv.hpp"
#include "sink/selection.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

struct LayoutColumn {
    static constexpr std::uint32_t whole = 0xFFFFFFFF;

    Key key = Key::data;
    std::uint32_t cell = whole; // of a field: its number among the fields that have a column
};

/// Neighbours that are asked together.
struct Segment {
    std::vector<LayoutColumn> columns;
    bool is_of_kind = false; // the same for all events of a kind
};

/// Immutable but for moving.
class Layout {
public:
    /// `is_raw`: payloads are wanted of every event.
    Layout(std::vector<std::string> names, const CsvOptions& options, bool is_raw);
    Layout(const Layout&) = delete;
    Layout& operator=(const Layout&) = delete;
    Layout(Layout&&) = default;
    Layout& operator=(Layout&&) = default;
    ~Layout() = default;

    const std::vector<Segment>& segments() const noexcept { return segments_; }

    /// The same columns in fewer segments, for plain events: those whose payload matches a schema
    /// to the last byte, without extended data items and facts. Columns about everything else are
    /// the same for all plain events of a kind.
    const std::vector<Segment>& segments_if_plain() const noexcept { return segments_if_plain_; }

    /// Paths of the fields that have a column.
    const std::vector<std::string_view>& fields() const noexcept { return fields_; }

    /// The row of names.
    std::string_view head() const noexcept { return head_; }

    bool has_data() const noexcept { return has_data_; }

private:
    std::vector<std::string> names_;
    std::vector<Segment> segments_, segments_if_plain_;
    std::vector<std::string_view> fields_; // views into names_
    std::string head_;
    bool has_data_ = false;
};

constexpr char separator(CsvOptions::Style style) noexcept {
    return style == CsvOptions::Style::csv ? ',' : '\t';
}

constexpr std::string_view line_end(CsvOptions::Style style) noexcept {
    return style == CsvOptions::Style::csv ? std::string_view("\r\n") : std::string_view("\n");
}

/// Keys that need facts.
constexpr bool is_of_facts(Key key) noexcept {
    return key == Key::process || key == Key::frames || key == Key::enriched;
}

} // namespace etl::sink
