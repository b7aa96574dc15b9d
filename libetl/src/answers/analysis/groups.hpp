// Sums by key, and texts by number. Private to analysis.
#pragma once

#include "analysis/key_numbers.hpp"
#include "analysis/limits.hpp"
#include "analysis/owners.hpp"
#include "analysis/table.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// Rows of sums, at most limits::analysis_rows, fewer if they have many columns. The last row is
/// for all others.
class Groups {
public:
    explicit Groups(std::size_t columns)
        : columns_(columns),
          most_(std::min(limits::analysis_rows, limits::analysis_values / columns)) {}

    /// Returns the values of the row with this key; new ones are 0. Valid until the next call.
    /// `events`: how many add to them.
    std::uint64_t* find(const GroupKey& key, std::uint64_t events = 1) {
        const std::uint32_t row = rows_.find(key);
        return row != rows_.none ? &values_[row * columns_] : add(key, events);
    }

    std::size_t size() const noexcept { return rows_.size() + (dropped_ != 0 ? 1 : 0); }

    const GroupKey& key(std::size_t row) const noexcept {
        static constexpr GroupKey others{no_part, no_part, no_part};
        return row < rows_.size() ? rows_.keys()[row] : others;
    }

    const std::uint64_t* values(std::size_t row) const noexcept { return &values_[row * columns_]; }

    /// Whether this row has the values of all keys beyond the limit.
    bool is_other(std::size_t row) const noexcept { return row == rows_.size(); }

    /// Values that were added to that row.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    std::uint64_t* add(const GroupKey& key, std::uint64_t events) {
        if (rows_.size() < most_) {
            rows_.add(key);
        } else {
            dropped_ += events; // to the row of all others, which no key finds
        }
        values_.resize(size() * columns_);
        return &values_[(size() - 1) * columns_];
    }

    std::size_t columns_;
    std::size_t most_; // rows
    KeyNumbers<GroupKey, GroupKeyHash> rows_;
    std::vector<std::uint64_t> values_; // by row, then column
    std::uint64_t dropped_ = 0;
};

/// Distinct texts; number 0 is null.
class Texts {
public:
    std::uint64_t number_of(std::string_view text) {
        const auto found = numbers_.find(text);
        if (found != numbers_.end()) {
            return found->second;
        }
        if (texts_.size() > limits::analysis_rows || bytes_ >= limits::analysis_text_bytes) {
            return 0;
        }
        bytes_ += text.size();
        const auto added = numbers_.emplace(std::string(text), texts_.size() + 1).first;
        texts_.push_back(&added->first);
        return added->second;
    }

    Cell cell(std::uint64_t number) const {
        return number == 0 || number > texts_.size() ? Cell{} : Cell{*texts_[number - 1]};
    }

    /// Returns the text, which is valid as long as this object; empty for null.
    std::string_view text(std::uint64_t number) const noexcept {
        return number == 0 || number > texts_.size() ? std::string_view()
                                                     : std::string_view(*texts_[number - 1]);
    }

private:
    /// Looks up views without a copy.
    struct Hash {
        using is_transparent = void;

        std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>{}(text);
        }
    };

    std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> numbers_;
    std::vector<const std::string*> texts_; // keys of numbers_
    std::size_t bytes_ = 0;
};

inline Cell number_cell(std::uint64_t part) {
    return part == no_part ? Cell{} : Cell{part};
}

inline Cell name_cell(const Owner& owner) {
    return owner.name ? Cell{*owner.name} : Cell{};
}

inline Cell pid_cell(const Owner& owner) {
    return owner.pid ? Cell{std::uint64_t{*owner.pid}} : Cell{};
}

/// Columns of keys.
inline Column key_column(std::string_view name, Unit unit) {
    return {.name = name, .unit = unit, .adding = Adding::key};
}

/// Columns that are neither keys nor added.
inline Column plain_column(std::string_view name, Unit unit) {
    return {.name = name, .unit = unit, .adding = Adding::none};
}

inline Column ticks_column(std::string_view name, Adding adding = Adding::sum) {
    return {.name = name, .unit = Unit::nanoseconds, .adding = adding, .in_ticks = true};
}

inline Column sum_column(std::string_view name, Unit unit = Unit::count) {
    return {.name = name, .unit = unit};
}

// Tables from groups.

/// What a part of a group key is, and the columns that it becomes.
enum class KeyPart : std::uint8_t {
    owner,      // `process`, `pid`
    waker,      // the same, as `waker`, `waker_pid`
    number,     // an ID
    text,       // of Texts
    everything, // no column: the table has one row
};

struct KeyColumn {
    KeyPart part = KeyPart::number;
    std::string_view name; // of `number` and `text`
};

/// Returns a table with a row for each group that has a value. Groups of the owner Idle are not
/// part of the total.
Table table_of(std::string_view name, const Groups& groups, const Owners& owners,
               const Texts& texts, std::span<const KeyColumn> keys,
               std::span<const Column> columns);

/// Lists a source that is missing: Table::blank_missing() sets its columns to null. `columns` are
/// names of the table.
void set_missing(Table& table, std::string_view source, std::vector<std::string_view> columns,
                 std::string_view record);

/// Adds the column `cpu_percent`, of a column in nanoseconds, and sorts by that one.
void add_percent(Table& table, std::string_view of);

// Keys of groups in archives.

/// Writes a text, or reads it into other texts.
inline void visit_text(Archive& archive, Texts& texts, std::uint64_t& number) {
    std::optional<std::string> text;
    if (!archive.is_reading() && number != 0) {
        text = texts.text(number);
    }
    archive.optional(text, [&](std::string& one) { archive.text(one); });
    if (archive.is_reading()) {
        number = text ? texts.number_of(*text) : 0;
    }
}

/// Writes part of a key, or reads it into other owners and texts.
inline void visit_key_part(Archive& archive, KeyPart part, Owners& owners, Texts& texts,
                           std::uint64_t& value) {
    if (part == KeyPart::text) {
        visit_text(archive, texts, value);
    } else if (part == KeyPart::owner || part == KeyPart::waker) {
        auto owner = static_cast<OwnerRef>(value);
        visit_owner(archive, owners, owner);
        value = owner;
    } else {
        archive.number(value);
    }
}

} // namespace etl::analysis
