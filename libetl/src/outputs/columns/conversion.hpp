// From the bytes of a value to the type of its column. Private to columns.
#pragma once

#include "base/layout.hpp"
#include "columns/array_builder.hpp"
#include "columns/layout.hpp"
#include "decode/decoder.hpp"
#include "decode/display_value.hpp"

#include <string>

namespace etl::columns {

/// How values of a form become values of a type; found once per field of a kind.
enum class Conversion : std::uint8_t {
    none, // no column
    copy8,
    copy16,
    copy32,
    copy64,
    widen, // integers and floating point into larger ones
    boolean,
    port,
    guid,
    filetime,
    ticks,
    systemtime,
    bytes,
    text,
    label, // the text as an index
};

Conversion conversion_of(decode::Form form, Type to) noexcept;

/// Whether values are stored as their column needs them, as most are: copy() takes their bytes.
constexpr bool is_copy(Conversion how) noexcept {
    return how >= Conversion::copy8 && how <= Conversion::copy64;
}

/// Appends such a value, or null if it has another size.
inline void copy(Conversion how, Bytes bytes, ArrayBuilder& to) {
    const auto add = [&]<typename T>(T) {
        bytes.size() == sizeof(T) ? to.add(load_le<T>(bytes.data())) : to.add_null();
    };
    how == Conversion::copy32   ? add(std::uint32_t{})
    : how == Conversion::copy64 ? add(std::uint64_t{})
    : how == Conversion::copy16 ? add(std::uint16_t{})
                                : add(std::uint8_t{});
}

/// Converts values of one event.
struct Converter {
    decode::DisplayOptions display;
    const flow::Clock* clock = nullptr;
    std::uint64_t unrepresentable = 0; // times
    std::uint64_t unset = 0;           // times whose bytes are all 0
    bool json_texts = false;           // as LayoutOptions

    /// Appends a value, or null if the type cannot hold it.
    void add(Conversion how, const decode::Value& value, ArrayBuilder& to);

    void add_time(Filetime time, ArrayBuilder& to);

    /// The same for a field: what is all zeros is not a time, but none.
    void add_time(Filetime time, Bytes stored, ArrayBuilder& to);

private:
    void add_systemtime(const decode::Value& value, ArrayBuilder& to);
    void add_widened(const decode::Value& value, ArrayBuilder& to);
    void add_text(const decode::Value& value, ArrayBuilder& to);

    std::string scratch_;
};

} // namespace etl::columns
