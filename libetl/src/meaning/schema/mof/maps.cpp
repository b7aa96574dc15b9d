// Names of values: Values, ValueMap, BitValues, BitMap and their kin.
// docs/format/decoding.md#mof-maps
#include "base/text.hpp"
#include "schema/mof/fields.hpp"

#include <algorithm>
#include <bit>

namespace etl::schema {

namespace {

using Values = std::vector<MofValue>;

const Values* values_of(const MofProperty& property, std::string_view name) noexcept {
    const MofQualifier* qualifier = find(property.qualifiers, name);
    return qualifier != nullptr && !qualifier->values.empty() ? &qualifier->values : nullptr;
}

bool is_hexadecimal(const MofValue& value) noexcept {
    return value.text.starts_with("0x") || value.text.starts_with("0X");
}

// BitMap lists positions, as in all of WMI, or masks, as some event classes do: masks are written
// in hexadecimal, or are powers of two without the 0 and the 3 that positions have.
bool holds_positions(const Values& bits) noexcept {
    return std::ranges::none_of(bits, is_hexadecimal) &&
           std::ranges::all_of(bits,
                               [](const MofValue& bit) {
                                   const auto number = integer_of(bit);
                                   return number && *number >= 0 && *number < 32;
                               }) &&
           std::ranges::any_of(bits, [](const MofValue& bit) {
               return !std::has_single_bit(static_cast<std::uint64_t>(*integer_of(bit)));
           });
}

std::uint32_t bit_at(std::size_t position) noexcept {
    return position < 32 ? std::uint32_t{1} << position : 0;
}

// Entries without a number of their own go by their place in the list.
std::shared_ptr<const ValueMap> build(const MofProperty& property, ValueMap::Kind kind,
                                      const Values& texts, const Values* numbers) {
    const bool by_position = numbers == nullptr;
    const bool positions = kind == ValueMap::Kind::bits && !by_position &&
                           find(property.qualifiers, "BitMap") != nullptr &&
                           holds_positions(*numbers);
    auto map = std::make_shared<ValueMap>();
    map->name = property.name;
    map->kind = kind;
    const std::size_t count = by_position ? texts.size() : std::min(texts.size(), numbers->size());
    for (std::size_t i = 0; i < count; ++i) {
        const auto given = by_position ? std::optional<std::int64_t>(static_cast<std::int64_t>(i))
                                       : integer_of((*numbers)[i]);
        if (!given) {
            continue; // a range such as "16..31"
        }
        const bool is_position = positions || (by_position && kind == ValueMap::Kind::bits);
        const std::uint32_t value = is_position ? bit_at(static_cast<std::size_t>(*given))
                                                : static_cast<std::uint32_t>(*given);
        map->entries.emplace_back(value, texts[i].text);
    }
    return map->entries.empty() ? nullptr : map;
}

} // namespace

std::shared_ptr<const ValueMap> map_of(const MofProperty& property) {
    if (const Values* texts = values_of(property, "BitValues")) {
        return build(property, ValueMap::Kind::bits, *texts, values_of(property, "BitMap"));
    }
    const Values* texts = nullptr;
    for (const std::string_view name : {"Values", "ValueDescriptions", "DefineValues"}) {
        texts = texts != nullptr ? texts : values_of(property, name);
    }
    if (texts == nullptr) {
        return nullptr;
    }
    const bool is_flag = equals_ignoring_case(text_of(property.qualifiers, "ValueType"), "flag");
    return build(property, is_flag ? ValueMap::Kind::bits : ValueMap::Kind::value, *texts,
                 values_of(property, "ValueMap"));
}

} // namespace etl::schema
