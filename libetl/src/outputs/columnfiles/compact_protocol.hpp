// Structures in the compact protocol of Apache Thrift, as Parquet uses it. Private to columnfiles.
// Format: github.com/apache/thrift, doc/specs/thrift-compact-protocol.md.
#pragma once

#include "base/varint.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etl::columnfiles {

/// Appends one structure. Fields are in ascending order of their numbers; enumerations are i32.
class CompactWriter {
public:
    explicit CompactWriter(std::string& to) : to_(&to) {}

    void boolean(unsigned field, bool value) { begin(field, value ? Kind::yes : Kind::no); }

    void byte(unsigned field, std::int8_t value) {
        begin(field, Kind::byte);
        to_->push_back(static_cast<char>(value));
    }

    void i32(unsigned field, std::int32_t value) { number(field, Kind::i32, value); }

    void i64(unsigned field, std::uint64_t value) {
        number(field, Kind::i64, static_cast<std::int64_t>(value));
    }

    void text(unsigned field, std::string_view value) {
        begin(field, Kind::binary);
        text_element(value);
    }

    void structure(unsigned field) {
        begin(field, Kind::structure);
        element();
    }

    void structures(unsigned field, std::size_t count) { list(field, count, Kind::structure); }

    void numbers(unsigned field, std::size_t count) { list(field, count, Kind::i32); }

    void texts(unsigned field, std::size_t count) { list(field, count, Kind::binary); }

    /// Begins a structure that is an element of a list.
    void element() { last_.push_back(0); }

    void number_element(std::int32_t value) { append_varint(*to_, zigzag(value)); }

    void text_element(std::string_view value) {
        append_varint(*to_, value.size());
        to_->append(value);
    }

    /// Ends the innermost structure, at last the outermost one.
    void end() {
        to_->push_back('\0');
        last_.pop_back();
    }

private:
    enum class Kind : std::uint8_t {
        yes = 1,
        no = 2,
        byte = 3,
        i32 = 5,
        i64 = 6,
        binary = 8,
        list = 9,
        structure = 12,
    };

    void begin(unsigned field, Kind kind) {
        const unsigned distance = field - last_.back();
        if (distance <= 15) {
            to_->push_back(static_cast<char>(distance << 4U | static_cast<unsigned>(kind)));
        } else {
            to_->push_back(static_cast<char>(kind));
            append_varint(*to_, zigzag(field));
        }
        last_.back() = field;
    }

    void number(unsigned field, Kind kind, std::int64_t value) {
        begin(field, kind);
        append_varint(*to_, zigzag(value));
    }

    void list(unsigned field, std::size_t count, Kind of) {
        begin(field, Kind::list);
        if (count < 15) {
            to_->push_back(static_cast<char>(count << 4U | static_cast<unsigned>(of)));
        } else {
            to_->push_back(static_cast<char>(0xF0U | static_cast<unsigned>(of)));
            append_varint(*to_, count);
        }
    }

    std::string* to_;
    std::vector<unsigned> last_{0}; // number of the last field of each open structure
};

} // namespace etl::columnfiles
