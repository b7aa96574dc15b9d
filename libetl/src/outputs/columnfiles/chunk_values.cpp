#include "columnfiles/chunk_values.hpp"

#include "columnfiles/array_values.hpp"
#include "columnfiles/delta.hpp"
#include "columnfiles/dictionary.hpp"
#include "columnfiles/hybrid.hpp"
#include "columnfiles/plain.hpp"

#include <algorithm>
#include <bit>

namespace etl::columnfiles {

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
    const auto [least, greatest] = std::ranges::minmax(dictionary.values);
    encoded.bounds = bounds_of(least, greatest);
    return encoded;
}

/// Numbers that are all equal: a dictionary of one value, and one run.
ChunkValues repeated(Bounds bounds, std::size_t count) {
    ChunkValues encoded;
    encoded.encoding = Encoding::dictionary;
    encoded.dictionary = bounds.least;
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
    if (is_number(type) && count > 1 && bounds.least == bounds.greatest) {
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
