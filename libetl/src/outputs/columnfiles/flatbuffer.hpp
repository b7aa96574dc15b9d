// Messages as FlatBuffers: tables with their fields, written from the front. Private to
// columnfiles. Format: flatbuffers.dev/internals ("FlatBuffers binary format").
#pragma once

#include "base/layout.hpp"
#include "base/text.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::columnfiles {

/// A table in the making. Fields have the numbers of their schema and are in any order; absent ones
/// have their default.
class FlatTable {
public:
    template <std::integral T>
    FlatTable& number(unsigned field, T value) {
        fields_.push_back(
            {.number = field, .size = sizeof(T), .value = static_cast<std::uint64_t>(value)});
        return *this;
    }

    FlatTable& text(unsigned field, std::string_view value);
    FlatTable& table(unsigned field, FlatTable value);
    FlatTable& tables(unsigned field, std::vector<FlatTable> values);

    /// A vector of structures, or of numbers, whose alignment is 8.
    FlatTable& structures(unsigned field, std::size_t count, std::string bytes);

    /// A union: its type, and in the next field its table.
    FlatTable& choice(unsigned field, std::uint8_t type, FlatTable value);

    /// Returns a buffer with this table as its root. Its size is a multiple of 8.
    std::string buffer() const;

private:
    enum class Kind : std::uint8_t { number, text, table, tables, structures };

    struct Field {
        unsigned number = 0;
        std::size_t size = 4;    // in the table: of the number, or of the reference
        std::uint64_t value = 0; // of the number; of structures: their count
        Kind kind = Kind::number;
        std::string bytes{};             // of the text or the structures
        std::vector<FlatTable> tables{}; // of the table: one
    };

    void refer(Field field);
    std::size_t append_to(std::string& to) const;
    static std::size_t append_value(std::string& to, const Field& field);

    std::vector<Field> fields_;
};

// Numbers, little-endian, at the end of a text of bytes.

template <typename T>
void append_le(std::string& to, T value) {
    std::byte bytes[sizeof value];
    store_le(bytes, value);
    to.append(as_text(bytes));
}

} // namespace etl::columnfiles
