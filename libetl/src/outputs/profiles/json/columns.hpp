// Objects whose members are lists of equal length, written as they come. Private to profiles.
#pragma once

#include "base/json_text.hpp"
#include "profiles/output/batches.hpp"

#include <string>
#include <string_view>

namespace etl::profiles {

/// Writes an object, member by member.
class Columns {
public:
    explicit Columns(Batches& to) : to_(&to) {}

    void begin() {
        to_->text() += '{';
        is_first_ = true;
    }

    void end() {
        to_->text() += '}';
        is_first_ = false;
    }

    void key(std::string_view key) {
        to_->text() += is_first_ ? "" : ",";
        is_first_ = false;
        append_json_string(to_->text(), key);
        to_->text() += ':';
    }

    /// A member that is already JSON.
    void value(std::string_view name, std::string_view json) {
        key(name);
        to_->text() += json;
    }

    /// A list whose elements `append(i)` appends.
    template <typename Append>
    void list(std::size_t size, Append append) {
        to_->text() += '[';
        for (std::size_t i = 0; i < size; ++i) {
            to_->text() += i == 0 ? "" : ",";
            append(i);
            to_->write_batch();
        }
        to_->text() += ']';
    }

    /// A member that is an object of columns.
    class Table {
    public:
        Table(Columns& of, std::size_t size) : of_(&of), size_(size) {}

        /// `json(i)` returns an element.
        template <typename Json>
        Table& column(std::string_view name, Json json) {
            of_->key(name);
            of_->list(size_, [&](std::size_t i) { of_->to_->text() += json(i); });
            return *this;
        }

        Table& all(std::string_view name, std::string_view json) {
            return column(name, [json](std::size_t) { return json; });
        }

        Table& zeros(std::string_view name) { return all(name, "0"); }

        Table& nulls(std::string_view name) { return all(name, "null"); }

        Table& member(std::string_view name, std::string_view json) {
            of_->value(name, json);
            return *this;
        }

        void end() {
            of_->value("length", std::to_string(size_));
            of_->end();
        }

    private:
        Columns* of_;
        std::size_t size_;
    };

    Table table(std::string_view name, std::size_t size) {
        key(name);
        begin();
        return {*this, size};
    }

private:
    Batches* to_;
    bool is_first_ = true;
};

} // namespace etl::profiles
