#include "columns/batch.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace etl::columns {

namespace {

/// Appends bits after `size` bits; the rest of the last byte is zero.
template <typename Buffer>
void append_bits(Buffer& to, std::size_t size, const Buffer& from, std::size_t count) {
    using Unit = typename Buffer::value_type;
    const auto shift = static_cast<unsigned>(size % 8);
    to.resize((size + count + 7) / 8);
    if (shift == 0) {
        std::copy_n(from.begin(), (count + 7) / 8,
                    to.begin() + static_cast<std::ptrdiff_t>(size / 8));
        return;
    }
    for (std::size_t i = 0; i < (count + 7) / 8; ++i) {
        const unsigned bits = static_cast<unsigned char>(from[i]);
        auto& low = to[size / 8 + i];
        low = static_cast<Unit>(static_cast<unsigned char>(low) | (bits << shift & 0xFFU));
        if (size / 8 + i + 1 < to.size()) {
            to[size / 8 + i + 1] = static_cast<Unit>(bits >> (8 - shift));
        }
    }
}

/// All values are valid, but for the padding.
std::vector<std::uint8_t> all_valid(std::size_t size) {
    std::vector<std::uint8_t> bits((size + 7) / 8, 0xFF);
    if (size % 8 != 0) {
        bits.back() = static_cast<std::uint8_t>((1U << size % 8) - 1);
    }
    return bits;
}

void append_validity(Array& to, const Array& from) {
    if (to.validity.empty() && from.nulls == 0) {
        return;
    }
    if (to.validity.empty()) {
        to.validity = all_valid(to.size);
    }
    if (from.repeats && from.nulls > 0) {
        to.validity.resize((to.size + from.size + 7) / 8);
        return;
    }
    append_bits(to.validity, to.size, from.validity.empty() ? all_valid(from.size) : from.validity,
                from.size);
}

void append_offsets(Array& to, const Array& from) {
    if (to.offsets.empty()) {
        to.offsets.push_back(0);
    }
    const std::int32_t base = to.offsets.back();
    if (from.repeats) {
        to.offsets.insert(to.offsets.end(), from.size, base);
        return;
    }
    to.offsets.reserve(to.offsets.size() + from.size);
    for (std::size_t i = 1; i <= from.size; ++i) {
        to.offsets.push_back(base + from.offsets[i]);
    }
}

std::string_view text_at(const Array& texts, std::size_t i) noexcept {
    const auto begin = static_cast<std::size_t>(texts.offsets[i]);
    return std::string_view(texts.bytes)
        .substr(begin, static_cast<std::size_t>(texts.offsets[i + 1]) - begin);
}

/// Adds the texts that a dictionary does not have. Returns the new number of each text.
std::vector<std::int32_t> join_texts(Array& to, const Array& from) {
    std::unordered_map<std::string, std::int32_t> known;
    for (std::size_t i = 0; i < to.size; ++i) {
        known.emplace(text_at(to, i), static_cast<std::int32_t>(i));
    }
    std::vector<std::int32_t> numbers;
    for (std::size_t i = 0; i < from.size; ++i) {
        const std::string_view text = text_at(from, i);
        const auto next = static_cast<std::int32_t>(to.size);
        const auto [place, is_new] = known.try_emplace(std::string(text), next);
        if (is_new) {
            to.bytes.append(text);
            to.offsets.push_back(static_cast<std::int32_t>(to.bytes.size()));
            ++to.size;
        }
        numbers.push_back(place->second);
    }
    return numbers;
}

/// Whether the texts of `from` are the first ones of `to`, so their numbers stay. Most dictionaries
/// contain one text, always the same.
bool begins_with(const Array& to, const Array& from) noexcept {
    return from.size <= to.size && to.bytes.starts_with(from.bytes) &&
           std::ranges::equal(std::span(to.offsets).first(from.offsets.size()), from.offsets);
}

/// Of a value that repeats: each copy.
void append_bytes(std::size_t width, Array& to, const Array& from) {
    if (!from.repeats) {
        to.bytes.append(from.bytes);
    } else if (from.bytes.empty()) {
        to.bytes.append(from.size * width, '\0');
    } else {
        for (std::size_t i = 0; i < from.size; ++i) {
            to.bytes.append(from.bytes);
        }
    }
}

/// A dictionary of its own.
std::unique_ptr<Array> copy_of(const Array& texts) {
    return std::make_unique<Array>(
        Array{.size = texts.size, .offsets = texts.offsets, .bytes = texts.bytes});
}

/// Without a dictionary, labels are those of a file already.
void append_labels(Array& to, const Array& from) {
    const std::size_t before = to.bytes.size();
    append_bytes(width_of(Type::label), to, from);
    if (from.dictionary == nullptr) {
        return;
    }
    if (to.dictionary == nullptr) {
        to.dictionary = copy_of(*from.dictionary);
        return;
    }
    if (begins_with(*to.dictionary, *from.dictionary)) {
        return;
    }
    const std::vector<std::int32_t> numbers = join_texts(*to.dictionary, *from.dictionary);
    for (std::size_t i = 0; i < from.size && !numbers.empty(); ++i) {
        char* const place = to.bytes.data() + before + i * sizeof(std::int32_t);
        std::int32_t label = 0;
        std::memcpy(&label, place, sizeof label);
        label = numbers[static_cast<std::size_t>(label)]; // of a null: 0
        std::memcpy(place, &label, sizeof label);
    }
}

void append_values(Type type, Array& to, const Array& from) {
    append_validity(to, from);
    if (type == Type::text || type == Type::binary) {
        append_offsets(to, from);
    }
    if (type == Type::boolean) {
        from.repeats ? to.bytes.resize((to.size + from.size + 7) / 8)
                     : append_bits(to.bytes, to.size, from.bytes, from.size);
    } else if (type == Type::label) {
        append_labels(to, from);
    } else {
        append_bytes(width_of(type), to, from);
    }
    to.size += from.size;
    to.nulls += from.nulls;
}

void append_lists(Type type, Array& to, const Array& from) {
    append_validity(to, from);
    append_offsets(to, from);
    append_values(type, *to.elements, *from.elements);
    to.size += from.size;
    to.nulls += from.nulls;
}

void append_array(const BatchColumn& column, Array& to, const Array& from) {
    const auto append_one = column.is_list ? append_lists : append_values;
    append_one(column.type, to, from);
}

/// Whether both repeat the same value, or null.
bool repeat_alike(const Array& a, const Array& b) noexcept {
    if (!a.repeats || !b.repeats || (a.nulls > 0) != (b.nulls > 0) || a.bytes != b.bytes) {
        return false;
    }
    if (a.dictionary == nullptr || b.dictionary == nullptr) {
        return a.dictionary == b.dictionary;
    }
    return a.dictionary->offsets == b.dictionary->offsets &&
           a.dictionary->bytes == b.dictionary->bytes;
}

/// The sizes of the buffers of arrays that are joined.
struct Sizes {
    std::size_t values = 0, bytes = 0, offsets = 0;
    bool has_nulls = false;

    void add(Type type, const Array& array) noexcept {
        values += array.size;
        bytes += array.repeats ? array.size * width_of(type) : array.bytes.size();
        offsets += array.offsets.size();
        has_nulls = has_nulls || array.nulls > 0;
    }

    /// Empties an array, and reserves memory for as many values.
    void prepare(Array& array) const {
        array.size = array.nulls = 0;
        array.repeats = false;
        array.validity.clear();
        array.offsets.clear();
        array.bytes.clear();
        array.dictionary.reset();
        array.bytes.reserve(bytes);
        array.offsets.reserve(offsets);
        array.validity.reserve(has_nulls ? (values + 7) / 8 : 0);
    }
};

void join_repeating(std::span<const Batch> batches, std::size_t index, Array& to) {
    const Array& first = batches.front().columns[index];
    Sizes().prepare(to);
    to.repeats = true;
    to.bytes = first.bytes;
    to.dictionary = first.dictionary ? copy_of(*first.dictionary) : nullptr;
    for (const Batch& batch : batches) {
        to.size += batch.columns[index].size;
        to.nulls += batch.columns[index].nulls;
    }
}

std::size_t memory_of(const Array& array) noexcept {
    return sizeof array + array.validity.size() + array.offsets.size() * sizeof(std::int32_t) +
           array.bytes.size() + (array.elements ? memory_of(*array.elements) : 0) +
           (array.dictionary ? memory_of(*array.dictionary) : 0);
}

} // namespace

void expand(Type type, Array& array) {
    if (array.repeats) {
        const Array repeating = std::exchange(array, {});
        append_values(type, array, repeating);
    }
}

void append(std::span<const BatchColumn> columns, Batch& to, Batch&& from) {
    to.columns.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (to.columns[i].size == 0) {
            to.columns[i] = std::move(from.columns[i]);
        } else if (repeat_alike(to.columns[i], from.columns[i])) {
            to.columns[i].size += from.columns[i].size;
            to.columns[i].nulls += from.columns[i].nulls;
        } else {
            expand(columns[i].type, to.columns[i]);
            append_array(columns[i], to.columns[i], from.columns[i]);
        }
    }
    to.rows += from.rows;
}

void join(const BatchColumn& column, std::size_t index, std::span<const Batch> batches, Array& to) {
    const auto array_of = [&](const Batch& batch) -> const Array& { return batch.columns[index]; };
    const Array& first = array_of(batches.front());
    if (std::ranges::all_of(
            batches, [&](const Array& array) { return repeat_alike(first, array); }, array_of)) {
        return join_repeating(batches, index, to);
    }
    Sizes sizes, element_sizes;
    for (const Batch& batch : batches) {
        sizes.add(column.type, array_of(batch));
        if (column.is_list) {
            element_sizes.add(column.type, *array_of(batch).elements);
        }
    }
    sizes.prepare(to);
    if (!column.is_list) {
        to.elements.reset();
    } else {
        to.elements = to.elements ? std::move(to.elements) : std::make_unique<Array>();
        element_sizes.prepare(*to.elements);
    }
    for (const Batch& batch : batches) {
        append_array(column, to, array_of(batch));
    }
}

std::size_t memory_of(const Batch& batch) noexcept {
    std::size_t bytes = sizeof batch;
    for (const Array& array : batch.columns) {
        bytes += memory_of(array);
    }
    return bytes;
}

} // namespace etl::columns
