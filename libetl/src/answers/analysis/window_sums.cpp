#include "analysis/window_sums.hpp"

#include "analysis/limits.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>

namespace etl::analysis {

namespace {

constexpr std::int64_t no_cut = std::numeric_limits<std::int64_t>::max();

bool contains(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// Cells of keys as one text.
std::string key_of(const Row& row, std::span<const std::uint32_t> keys) {
    std::string key;
    for (const std::uint32_t column : keys) {
        const Cell& cell = row.cells[column];
        key += static_cast<char>('0' + cell.index());
        if (const auto* const number = std::get_if<std::uint64_t>(&cell)) {
            key += std::to_string(*number);
        } else if (const auto* const text = std::get_if<std::string>(&cell)) {
            key += *text;
        }
        key += '\0';
    }
    return key;
}

/// Limits of slices of the same length, times as files have them.
std::vector<SliceLimit> limits_of(const flow::Clock& clock, std::int64_t begin, std::int64_t end,
                                  std::size_t slices) {
    const Filetime first = clock.to_filetime(begin), last = clock.to_filetime(end);
    const auto length = last.ticks - first.ticks;
    std::vector<SliceLimit> limits{{first, begin}};
    for (std::size_t i = 1; i < slices; ++i) {
        const auto part = static_cast<std::int64_t>(i), all = static_cast<std::int64_t>(slices);
        const Filetime time{first.ticks + length / all * part + length % all * part / all};
        limits.push_back({time, clock.to_raw(time)});
    }
    limits.push_back({last, end});
    return limits;
}

} // namespace

void WindowSums::begin(const flow::Clock& clock, std::int64_t begin, std::int64_t end) {
    *this = WindowSums(*form_, slices_);
    limits_ = limits_of(clock, begin, std::max(begin, end), slices_);
    const bool is_ascending =
        std::ranges::is_sorted(limits_, std::less_equal<>{}, &SliceLimit::raw);
    if (!is_ascending) {
        give_up();
        return;
    }
    last_cut_ = std::numeric_limits<std::int64_t>::min();
    next_cut_ = slices_ > 1 ? limits_[1].raw : no_cut;
}

void WindowSums::give_up() noexcept {
    is_given_up_ = true;
    next_cut_ = no_cut;
    last_cut_ = std::numeric_limits<std::int64_t>::min();
    rows_.clear();
}

void WindowSums::find_columns(const Table& table) {
    for (std::uint32_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].adding == Adding::key) {
            keys_.push_back(i);
        }
        if (contains(form_->window_sums, table.columns[i].name)) {
            columns_.push_back(i);
            in_ticks_.push_back(table.columns[i].in_ticks);
        }
    }
    recorded_from_.assign(columns_.size(), static_cast<std::uint32_t>(slices_));
    total_.before.assign(columns_.size(), 0);
}

void WindowSums::add_values(Sums& to, std::span<const std::uint64_t> values) const {
    to.before.resize(values.size());
    if (std::ranges::equal(to.before, values)) {
        return;
    }
    SliceValues& more = to.slices.emplace_back(slice_, std::vector<std::uint64_t>(values.size()));
    std::ranges::transform(values, to.before, more.values.begin(), std::minus<>{});
    std::ranges::copy(values, to.before.begin());
}

void WindowSums::add(const Table& table) {
    taken_ += table.rows.size();
    if (is_given_up_ || taken_ > limits::analysis_window_rows) {
        give_up();
        return;
    }
    if (slice_ == 0) {
        find_columns(table);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const bool is_missing =
            std::ranges::any_of(table.coverage.not_recorded, [&](const NotRecorded& one) {
                return contains(one.columns, table.columns[columns_[i]].name);
            });
        recorded_from_[i] = is_missing ? recorded_from_[i] : std::min(recorded_from_[i], slice_);
    }
    std::vector<std::uint64_t> values(columns_.size()), total(columns_.size());
    std::size_t unchanged = rows_.size(); // rows that have to be in the table again
    for (const Row& row : table.rows) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const auto* const value = std::get_if<std::uint64_t>(&row.cells[columns_[i]]);
            values[i] = value != nullptr ? *value : 0;
            total[i] += row.in_total ? values[i] : 0;
        }
        const auto [place, is_new] = rows_.try_emplace(key_of(row, keys_));
        Sums& sums = place->second;
        sums.is_double = sums.is_double || sums.seen == slice_ + 1;
        unchanged -= !is_new && sums.seen != slice_ + 1 ? 1 : 0;
        sums.seen = slice_ + 1;
        if (!sums.is_double) {
            add_values(sums, values);
        }
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) { // the total of one column can be another's
        const auto of = table.columns[columns_[i]].total_of;
        const auto place = of ? std::ranges::find(columns_, *of) : columns_.end();
        total[i] = place != columns_.end()
                       ? total[static_cast<std::size_t>(place - columns_.begin())]
                       : total[i];
    }
    add_values(total_, total);
    if (unchanged != 0) { // rows have other keys than before
        give_up();
        return;
    }
    ++slice_;
    last_cut_ = next_cut_;
    next_cut_ = slice_ + 1 < slices_ ? limits_[slice_ + 1].raw : no_cut;
}

void WindowSums::end(const Table& table) {
    const bool has_all = std::ranges::none_of(table.coverage.remainders, [](const Remainder& one) {
        return one.value != 0 && (one.name.starts_with("dropped") || one.name == "untimed_events");
    });
    if (!has_all || limits_.empty() || next_cut_ != no_cut) {
        give_up();
        return;
    }
    add(table);
    is_complete_ = !is_given_up_ && slice_ == slices_;
}

const std::vector<SliceValues>* WindowSums::row(const Row& row) const {
    const auto found = rows_.find(key_of(row, keys_));
    return found == rows_.end() || found->second.is_double ? nullptr : &found->second.slices;
}

} // namespace etl::analysis
