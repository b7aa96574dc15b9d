// The cells of a row: those of the header of an event, and those of its fields. Private to sink.
// docs/output.md#csv
#pragma once

#include "sink/json_parts.hpp"
#include "sink/kind_texts.hpp"
#include "sink/time_text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

class HeaderCells {
public:
    explicit HeaderCells(std::optional<int> utc_offset_minutes) : time_(utc_offset_minutes) {}

    /// Appends the text of a column to `cell`; one that has nothing to say appends nothing. `key`:
    /// up to `wpp`, or a raw one; those of facts are none of these.
    void fill(std::string& cell, Key key, const decode::DecodedEvent& decoded,
              const KindTexts& texts);

private:
    void fill_head(std::string& cell, Key key, const decode::DecodedEvent& decoded);

    TimeText time_;
};

// The fields of an event as cells of a table. docs/output.md#csv

/// Which cell each field of a schema goes to.
class FieldSlots {
public:
    FieldSlots() = default;
    /// `paths`: of the cells.
    FieldSlots(const schema::EventSchema& schema, const std::vector<std::string_view>& paths);

    static constexpr std::uint32_t none = 0xFFFFFFFF;

    std::uint32_t of(std::uint32_t field) const noexcept { return slots_[field]; }

    /// No field goes anywhere.
    bool empty() const noexcept { return slots_.empty(); }

private:
    std::vector<std::uint32_t> slots_; // by field, or empty
};

/// Reads the fields that have a cell: texts as they are, numbers and the like as in JSON, arrays
/// and structures as JSON. Members of structures in an array become an array.
class FieldCells {
public:
    explicit FieldCells(decode::JsonValueOptions values) : values_(values) {}

    /// Walks the payload of a kind that has a schema. What the walk found is then in walker().
    void read(const decode::DecodedEvent& event, const KindTexts& texts, const FieldSlots& slots,
              std::size_t cells);

    /// For an event without fields.
    void clear(std::size_t cells);

    /// Empty: the event has no such field.
    std::string_view cell(std::size_t number) const noexcept { return cells_[number]; }

    const decode::FieldWalker& walker() const noexcept { return walker_; }

private:
    /// An array or structure on its way into a cell.
    struct Capture {
        std::uint32_t cell = 0;
        std::uint32_t field = 0;
        Nesting open{};
    };

    void begin(decode::Step step, std::uint32_t cell);
    void go_on(decode::Step step, const KindTexts& texts);
    bool is_captured(std::uint32_t field) const noexcept;

    decode::JsonValueOptions values_;
    decode::FieldWalker walker_;
    std::vector<std::string> cells_;
    std::vector<Capture> captures_;    // those that are open
    std::vector<std::uint32_t> lists_; // cells of members in arrays
    std::string value_;
    unsigned arrays_ = 0; // that are open
};

} // namespace etl::sink
