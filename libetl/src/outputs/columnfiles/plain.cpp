#include "columnfiles/plain.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "columnfiles/array_values.hpp"
#include "columnfiles/bit_packer.hpp"
#include "columnfiles/limits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <type_traits>

namespace etl::columnfiles {

using columns::Array;
using columns::Type;

namespace {

/// The smallest integer of the format has 32 bits.
template <typename T>
using Stored =
    std::conditional_t<(sizeof(T) < 4),
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>, T>;

template <typename T>
void append_number(std::string& to, T value) {
    std::byte bytes[sizeof(Stored<T>)];
    store_le(bytes, static_cast<Stored<T>>(value));
    to.append(as_text(bytes));
}

template <typename T>
void append_numbers(std::string& to, const Array& array) {
    if (sizeof(T) >= 4 && array.validity.empty() && std::endian::native == std::endian::little) {
        to.append(array.bytes);
        return;
    }
    to.reserve(to.size() + array.size * sizeof(Stored<T>));
    for_each_valid(array, [&](std::size_t i) { append_number(to, number_at<T>(array, i)); });
}

void append_booleans(std::string& to, const Array& array) {
    BitPacker packer(to);
    for_each_valid(array, [&](std::size_t i) { packer.add(boolean_at(array, i) ? 1 : 0, 1); });
    packer.end();
}

template <typename T>
Bounds bounds_of_numbers(const Array& array) {
    std::optional<T> least, greatest;
    bool is_ordered = true; // NOLINT(misc-const-correctness): floating-point numbers change it
    for_each_valid(array, [&](std::size_t i) {
        const T value = number_at<T>(array, i);
        if constexpr (std::is_floating_point_v<T>) {
            is_ordered = is_ordered && !std::isnan(value);
        }
        least = least ? std::min(*least, value) : value;
        greatest = greatest ? std::max(*greatest, value) : value;
    });
    if (!least || !is_ordered) {
        return {};
    }
    if constexpr (std::is_floating_point_v<T>) { // the format: a zero may have either sign
        *least = *least == 0 ? -T{} : *least;
        *greatest = *greatest == 0 ? T{} : *greatest;
    }
    Bounds bounds{.is_known = true, .least = {}, .greatest = {}};
    append_number(bounds.least, *least);
    append_number(bounds.greatest, *greatest);
    return bounds;
}

template <typename At>
Bounds bounds_of_bytes(const Array& array, At at) {
    std::optional<std::string_view> least, greatest;
    for_each_valid(array, [&](std::size_t i) {
        const std::string_view value = at(array, i);
        least = least ? std::min(*least, value) : value;
        greatest = greatest ? std::max(*greatest, value) : value;
    });
    return least ? bounds_of(*least, *greatest) : Bounds();
}

Bounds bounds_of_booleans(const Array& array) {
    bool has_false = false, has_true = false;
    for_each_valid(array, [&](std::size_t i) {
        const bool value = boolean_at(array, i);
        has_true = has_true || value;
        has_false = has_false || !value;
    });
    return {.is_known = has_false || has_true,
            .least = std::string(1, has_false ? '\0' : '\1'),
            .greatest = std::string(1, has_true ? '\1' : '\0')};
}

/// Calls `use` with a value of a type of numbers.
template <typename Use>
auto with_number_type(Type type, Use&& use) {
    return type == Type::int8      ? use(std::int8_t{})
           : type == Type::int16   ? use(std::int16_t{})
           : type == Type::int32   ? use(std::int32_t{})
           : type == Type::uint8   ? use(std::uint8_t{})
           : type == Type::uint16  ? use(std::uint16_t{})
           : type == Type::uint32  ? use(std::uint32_t{})
           : type == Type::uint64  ? use(std::uint64_t{})
           : type == Type::float32 ? use(float{})
           : type == Type::float64 ? use(double{})
                                   : use(std::int64_t{}); // int64, time
}

bool is_bytes(Type type) noexcept {
    return type == Type::text || type == Type::binary;
}

} // namespace

void append_plain_text(std::string& to, std::string_view text) {
    append_number(to, static_cast<std::uint32_t>(text.size()));
    to.append(text);
}

void append_plain(std::string& to, Type type, const Array& array) {
    if (type == Type::boolean) {
        append_booleans(to, array);
    } else if (type == Type::guid) {
        for_each_valid(array, [&](std::size_t i) { to.append(guid_at(array, i)); });
    } else if (is_bytes(type)) {
        to.reserve(to.size() + array.bytes.size() + array.size * sizeof(std::uint32_t));
        for_each_valid(array, [&](std::size_t i) { append_plain_text(to, text_at(array, i)); });
    } else {
        with_number_type(type, [&]<typename T>(T) { append_numbers<T>(to, array); });
    }
}

Bounds bounds_of(std::string_view least, std::string_view greatest) {
    if (least.size() > limits::bound_bytes || greatest.size() > limits::bound_bytes) {
        return {};
    }
    return {.is_known = true, .least = std::string(least), .greatest = std::string(greatest)};
}

Bounds bounds_of(Type type, const Array& array) {
    if (type == Type::boolean) {
        return bounds_of_booleans(array);
    }
    if (type == Type::guid) {
        return bounds_of_bytes(array, guid_at);
    }
    return is_bytes(type)
               ? bounds_of_bytes(array, text_at)
               : with_number_type(type, [&]<typename T>(T) { return bounds_of_numbers<T>(array); });
}

} // namespace etl::columnfiles
