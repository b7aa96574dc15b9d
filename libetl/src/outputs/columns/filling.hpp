// Columns and dictionaries of a batch in the making. Private to columns.
#pragma once

#include "columns/array_builder.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::columns {

/// The texts of a label column in one batch.
class Labels {
public:
    /// A text that probably comes again: it is compared, not looked up.
    struct Recent {
        std::uint32_t batch = 0; // 0: none
        std::int32_t number = 0;
        std::string_view text{};
    };

    std::int32_t number_of(std::string_view text, Recent& recent) {
        if (recent.batch != batch_ || recent.text != text) {
            const auto next = static_cast<std::int32_t>(numbers_.size());
            const auto [known, is_new] = numbers_.try_emplace(std::string(text), next);
            if (is_new) {
                texts_.add_text([&](std::string& to) { to.append(text); });
            }
            recent = {batch_, known->second, known->first};
        }
        return recent.number;
    }

    /// Most labels repeat the one before.
    std::int32_t number_of(std::string_view text) { return number_of(text, last_); }

    Array take() {
        numbers_.clear();
        ++batch_;
        return texts_.take();
    }

private:
    std::unordered_map<std::string, std::int32_t> numbers_;
    ArrayBuilder texts_{Type::text};
    std::uint32_t batch_ = 1;
    Recent last_;
};

/// A column in the making. Rows that have no value are added as nulls when a later row has one, or
/// at the end: most columns of many kinds are null in most rows.
struct Filling {
    ArrayBuilder values; // of lists: the elements
    bool is_list = false;
    bool is_open = false; // the current row has a list
    std::vector<std::int32_t> offsets{};
    std::vector<bool> is_null{}; // of lists, by row
    std::size_t nulls = 0;
    std::unique_ptr<Labels> labels{}; // of the type label

    void start() {
        offsets.assign(is_list ? 1 : 0, 0);
        is_null.clear();
        nulls = 0;
    }

    /// Returns where to add a value of a row.
    ArrayBuilder& at(std::size_t row) {
        if (!is_list) {
            values.pad(row);
        }
        return values;
    }

    void add_label(std::size_t row, std::string_view text) { at(row).add(labels->number_of(text)); }

    void add_label(std::size_t row, std::string_view text, Labels::Recent& recent) {
        at(row).add(labels->number_of(text, recent));
    }

    void open_list(std::size_t row) {
        pad_lists(row);
        is_open = true;
    }

    void close_list() {
        if (std::exchange(is_open, false)) {
            is_null.push_back(false);
            offsets.push_back(static_cast<std::int32_t>(values.size()));
        }
    }

    Array take(std::size_t rows) {
        if (!is_list) {
            values.pad(rows);
            return take_values();
        }
        pad_lists(rows);
        Array lists{.size = rows, .nulls = nulls, .validity = {}, .offsets = std::move(offsets)};
        if (nulls > 0) {
            lists.validity.assign((rows + 7) / 8, 0);
            for (std::size_t i = 0; i < rows; ++i) {
                std::uint8_t& byte = lists.validity[i / 8];
                byte = static_cast<std::uint8_t>(byte | (is_null[i] ? 0U : 1U) << i % 8);
            }
        }
        lists.elements = std::make_unique<Array>(take_values());
        start();
        return lists;
    }

private:
    Array take_values() {
        Array taken = values.take();
        if (labels) {
            taken.dictionary = std::make_unique<Array>(labels->take());
        }
        return taken;
    }

    void pad_lists(std::size_t rows) {
        const std::size_t missing = rows - is_null.size();
        nulls += missing;
        is_null.insert(is_null.end(), missing, true);
        offsets.insert(offsets.end(), missing, static_cast<std::int32_t>(values.size()));
    }
};

} // namespace etl::columns
