#include "columnfiles/levels.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "columnfiles/array_values.hpp"
#include "columnfiles/hybrid.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace etl::columnfiles {

using columns::Array;

namespace {

// Definition levels of a list.
constexpr std::uint8_t null_list = 0;
constexpr std::uint8_t empty_list = 1;
constexpr std::uint8_t null_element = 2;
constexpr std::uint8_t element = 3;
constexpr unsigned list_width = 2;

void append_sized(std::string& to, std::string_view levels) {
    std::byte size[4];
    store_le(size, static_cast<std::uint32_t>(levels.size()));
    to.append(as_text(size)).append(levels);
}

/// Single values: the levels are the validity of the array, bit by bit.
Levels flat_levels(const Array& array) {
    Levels levels{.bytes = {}, .entries = array.size, .nulls = array.nulls};
    std::string defined;
    if (array.nulls == 0 || array.nulls == array.size) {
        append_run(defined, array.size, array.nulls == 0 ? 1 : 0, 1);
    } else {
        append_varint(defined, (array.size + packed_group - 1) / packed_group << 1U | 1U);
        defined.append(
            as_text(std::as_bytes(std::span(array.validity).first((array.size + 7) / 8))));
    }
    append_sized(levels.bytes, defined);
    return levels;
}

Levels list_levels(const Array& lists) {
    std::vector<std::uint8_t> repeated, defined;
    const Array& elements = *lists.elements;
    const auto add = [&](std::uint8_t repetition, std::uint8_t definition) {
        repeated.push_back(repetition);
        defined.push_back(definition);
    };
    for (std::size_t row = 0; row < lists.size; ++row) {
        const auto begin = static_cast<std::size_t>(lists.offsets[row]);
        const auto end = static_cast<std::size_t>(lists.offsets[row + 1]);
        if (!is_valid(lists, row)) {
            add(0, null_list);
        } else if (begin == end) {
            add(0, empty_list);
        }
        for (std::size_t i = begin; i < end; ++i) {
            add(i == begin ? 0 : 1, is_valid(elements, i) ? element : null_element);
        }
    }
    Levels levels{.bytes = {},
                  .entries = defined.size(),
                  .nulls = defined.size() - (elements.size - elements.nulls)};
    std::string encoded;
    append_hybrid<std::uint8_t>(encoded, repeated, 1);
    append_sized(levels.bytes, encoded);
    encoded.clear();
    append_hybrid<std::uint8_t>(encoded, defined, list_width);
    append_sized(levels.bytes, encoded);
    return levels;
}

} // namespace

Levels levels_of(const columns::Column& column, const Array& array) {
    return column.is_list ? list_levels(array) : flat_levels(array);
}

} // namespace etl::columnfiles
