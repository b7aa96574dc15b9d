#include "columnfiles/chunk_values.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "columnfiles/array_values.hpp"
#include "columnfiles/integer_encodings.hpp"
#include "columnfiles/limits.hpp"
#include "columnfiles/parquet.hpp"
#include "columns/batch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace etl::columnfiles {

namespace {

// Values one after the other, and their bounds. Format: parquet-format, Encodings.md, "Plain";
// parquet.thrift, Statistics and ColumnOrder.

/// Appends a text with its length.
void append_plain_text(std::string& to, std::string_view text);

/// Appends the values that are not null. Not for labels, which have a dictionary.
void append_plain(std::string& to, columns::Type type, const columns::Array& array);

/// Returns the bounds of the values of a type other than label: signed, unsigned, or byte by byte.
Bounds bounds_of(columns::Type type, const columns::Array& array);

/// Returns bounds as they are stored: omitted if too long.
Bounds bounds_of(std::string_view min, std::string_view greatest);

using columns::Array;
using columns::Type;

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
    std::optional<T> min, greatest;
    bool is_ordered = true; // NOLINT(misc-const-correctness): floating-point numbers change it
    for_each_valid(array, [&](std::size_t i) {
        const T value = number_at<T>(array, i);
        if constexpr (std::is_floating_point_v<T>) {
            is_ordered = is_ordered && !std::isnan(value);
        }
        min = min ? std::min(*min, value) : value;
        greatest = greatest ? std::max(*greatest, value) : value;
    });
    if (!min || !is_ordered) {
        return {};
    }
    if constexpr (std::is_floating_point_v<T>) { // the format: a zero may have either sign
        *min = *min == 0 ? -T{} : *min;
        *greatest = *greatest == 0 ? T{} : *greatest;
    }
    Bounds bounds{.is_known = true, .min = {}, .greatest = {}};
    append_number(bounds.min, *min);
    append_number(bounds.greatest, *greatest);
    return bounds;
}

template <typename At>
Bounds bounds_of_bytes(const Array& array, At at) {
    std::optional<std::string_view> min, greatest;
    for_each_valid(array, [&](std::size_t i) {
        const std::string_view value = at(array, i);
        min = min ? std::min(*min, value) : value;
        greatest = greatest ? std::max(*greatest, value) : value;
    });
    return min ? bounds_of(*min, *greatest) : Bounds();
}

Bounds bounds_of_booleans(const Array& array) {
    bool has_false = false, has_true = false;
    for_each_valid(array, [&](std::size_t i) {
        const bool value = boolean_at(array, i);
        has_true = has_true || value;
        has_false = has_false || !value;
    });
    return {.is_known = has_false || has_true,
            .min = std::string(1, has_false ? '\0' : '\1'),
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

Bounds bounds_of(std::string_view min, std::string_view greatest) {
    if (min.size() > limits::bound_bytes || greatest.size() > limits::bound_bytes) {
        return {};
    }
    return {.is_known = true, .min = std::string(min), .greatest = std::string(greatest)};
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

// Distinct values of a chunk. Format: parquet-format, Encodings.md, "Dictionary Encoding".

/// Values in the order of their first use.
struct Dictionary {
    std::vector<std::string_view> values; // of texts, binary values, and GUIDs: views of the array
    std::vector<std::uint32_t> indices;   // of the values that are not null
};

/// Returns the labels in use.
Dictionary dictionary_of_labels(const columns::Array& labels);

/// Returns the distinct texts, binary values, or GUIDs; nothing if fewer than half of the values
/// are repetitions.
std::optional<Dictionary> find_dictionary(columns::Type type, const columns::Array& array);

using columns::Array;
using columns::Type;

constexpr std::uint32_t unused = 0xFFFFFFFF;

/// Numbers distinct values: an open hash table, at most half full.
class DistinctValues {
public:
    explicit DistinctValues(std::vector<std::string_view>& values)
        : values_(&values), places_(64, unused) {}

    std::uint32_t number_of(std::string_view value) {
        const std::size_t hash = std::hash<std::string_view>()(value);
        std::uint32_t& place = places_[find(value, hash)];
        if (place != unused) {
            return place;
        }
        const auto number = static_cast<std::uint32_t>(values_->size());
        place = number;
        values_->push_back(value);
        hashes_.push_back(hash);
        if (values_->size() * 2 > places_.size()) {
            grow();
        }
        return number;
    }

private:
    std::size_t find(std::string_view value, std::size_t hash) const {
        std::size_t at = hash & (places_.size() - 1);
        while (places_[at] != unused &&
               (hashes_[places_[at]] != hash || (*values_)[places_[at]] != value)) {
            at = (at + 1) & (places_.size() - 1);
        }
        return at;
    }

    void grow() {
        places_.assign(places_.size() * 4, unused);
        for (std::uint32_t i = 0; i < hashes_.size(); ++i) {
            std::size_t at = hashes_[i] & (places_.size() - 1);
            while (places_[at] != unused) {
                at = (at + 1) & (places_.size() - 1);
            }
            places_[at] = i;
        }
    }

    std::vector<std::string_view>* values_;
    std::vector<std::size_t> hashes_; // of the values
    std::vector<std::uint32_t> places_;
};

Dictionary dictionary_of_labels(const Array& labels) {
    Dictionary dictionary;
    dictionary.indices.reserve(labels.size - labels.nulls);
    std::vector<std::uint32_t> numbers(labels.dictionary->size, unused);
    for_each_valid(labels, [&](std::size_t i) {
        const auto label = number_at<std::uint32_t>(labels, i);
        if (numbers[label] == unused) {
            numbers[label] = static_cast<std::uint32_t>(dictionary.values.size());
            dictionary.values.push_back(text_at(*labels.dictionary, label));
        }
        dictionary.indices.push_back(numbers[label]);
    });
    return dictionary;
}

std::optional<Dictionary> find_dictionary(Type type, const Array& array) {
    constexpr std::size_t sample = 1024; // values before the first decision
    Dictionary dictionary;
    dictionary.indices.reserve(array.size - array.nulls);
    DistinctValues distinct(dictionary.values);
    bool is_worth = true;
    for (std::size_t i = 0; i < array.size && is_worth; ++i) {
        if (is_valid(array, i)) {
            dictionary.indices.push_back(
                distinct.number_of(type == Type::guid ? guid_at(array, i) : text_at(array, i)));
            is_worth = dictionary.values.size() <= limits::dictionary_values &&
                       (dictionary.indices.size() % sample != 0 ||
                        dictionary.values.size() * 2 <= dictionary.indices.size());
        }
    }
    if (!is_worth || dictionary.values.empty() ||
        dictionary.values.size() * 2 > dictionary.indices.size()) {
        return std::nullopt;
    }
    return dictionary;
}

} // namespace

using columns::Array;
using columns::Type;

namespace {

/// Every reader handles an index of at least one bit, also if there is only one value.
unsigned index_width(std::size_t values) noexcept {
    return std::max(1U, static_cast<unsigned>(std::bit_width(values - 1)));
}

ChunkValues with_dictionary(Type type, const Dictionary& dictionary) {
    ChunkValues encoded;
    encoded.encoding = Encoding::dictionary;
    encoded.dictionary_values = static_cast<std::uint32_t>(dictionary.values.size());
    for (const std::string_view value : dictionary.values) {
        if (type == Type::guid) {
            encoded.dictionary.append(value);
        } else {
            append_plain_text(encoded.dictionary, value);
        }
    }
    const unsigned width = index_width(dictionary.values.size());
    encoded.data.push_back(static_cast<char>(width));
    append_hybrid<std::uint32_t>(encoded.data, dictionary.indices, width);
    const auto [min, greatest] = std::ranges::minmax(dictionary.values);
    encoded.bounds = bounds_of(min, greatest);
    return encoded;
}

/// Numbers that are all equal: a dictionary of one value, and one run.
ChunkValues repeated(Bounds bounds, std::size_t count) {
    ChunkValues encoded;
    encoded.encoding = Encoding::dictionary;
    encoded.dictionary = bounds.min;
    encoded.dictionary_values = 1;
    encoded.data.push_back('\1');
    append_run(encoded.data, count, 0, 1);
    encoded.bounds = std::move(bounds);
    return encoded;
}

ChunkValues encode_times(const Array& array, Bounds bounds) {
    std::vector<std::int64_t> times;
    times.reserve(array.size - array.nulls);
    for_each_valid(array,
                   [&](std::size_t i) { times.push_back(number_at<std::int64_t>(array, i)); });
    ChunkValues encoded;
    encoded.encoding = Encoding::delta_binary_packed;
    append_deltas(encoded.data, times);
    encoded.bounds = std::move(bounds);
    return encoded;
}

bool is_number(Type type) noexcept {
    return (type >= Type::int8 && type <= Type::uint64) || type == Type::time;
}

bool may_repeat(Type type) noexcept {
    return type == Type::text || type == Type::guid || type == Type::binary;
}

/// Yields what the same values in an array that does not repeat yield.
ChunkValues encode_repeating(Type type, const Array& array) {
    const std::size_t count = array.size;
    if (type == Type::label || (type == Type::guid && count > 1)) {
        const std::string_view value =
            type == Type::guid ? std::string_view(array.bytes)
                               : text_at(*array.dictionary, number_at<std::uint32_t>(array, 0));
        return with_dictionary(type,
                               {.values = {value}, .indices = std::vector<std::uint32_t>(count)});
    }
    if (is_number(type) && count > 1) {
        return repeated(bounds_of(type, {.size = 1, .bytes = array.bytes}), count);
    }
    Array expanded{.size = count, .repeats = true, .bytes = array.bytes};
    columns::expand(type, expanded);
    return encode_values(type, expanded);
}

} // namespace

ChunkValues encode_values(Type type, const Array& array) {
    const std::size_t count = array.size - array.nulls;
    if (count == 0) {
        return {};
    }
    if (array.repeats) {
        return encode_repeating(type, array);
    }
    if (type == Type::label) {
        return with_dictionary(type, dictionary_of_labels(array));
    }
    if (may_repeat(type)) {
        if (const auto dictionary = find_dictionary(type, array)) {
            return with_dictionary(type, *dictionary);
        }
    }
    Bounds bounds = bounds_of(type, array);
    if (is_number(type) && count > 1 && bounds.min == bounds.greatest) {
        return repeated(std::move(bounds), count);
    }
    if (type == Type::time) {
        return encode_times(array, std::move(bounds));
    }
    ChunkValues encoded;
    append_plain(encoded.data, type, array);
    encoded.bounds = std::move(bounds);
    return encoded;
}

} // namespace etl::columnfiles
