#include "schema/wpp/tmf_items.hpp"

#include "base/text.hpp"
#include "base/trimmed.hpp"
#include "schema/limits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace etl::schema {

namespace {

// No type of TDH's: the plan makes of it a field at which decoding stops.
constexpr auto unknown_type = static_cast<InType>(0xFFFF);

enum class List : std::uint8_t {
    none,
    values, // names count up from 0
    bits,   // names of the bits, from the lowest on
    value_type,
    bit_type, // an enumeration of the program, by its name
};

struct Item {
    std::string_view name;
    InType in;
    OutType out = OutType::none;
    List list = List::none;
    std::uint8_t length = 0; // characters or bytes, where fixed
};

constexpr std::array items = std::to_array<Item>({
    {"Char", InType::int8},
    {"UChar", InType::uint8},
    {"Short", InType::int16},
    {"UShort", InType::uint16},
    {"Long", InType::int32},
    {"ULong", InType::uint32},
    {"ULongX", InType::uint32, OutType::hex_int32},
    {"LongLong", InType::int64},
    {"ULongLong", InType::uint64},
    {"LongLongX", InType::int64, OutType::hex_int64},
    {"LongLongXX", InType::int64, OutType::hex_int64},
    {"LongLongO", InType::int64, OutType::uint64},
    {"Float", InType::float32},
    {"Double", InType::float64},
    {"LongDouble", InType::float64},
    {"Ptr", InType::pointer},
    {"WChar", InType::uint16, OutType::string},
    {"Char4", InType::ansi_string, OutType::none, List::none, 4},
    {"String", InType::ansi_string},
    {"WString", InType::unicode_string},
    {"RString", InType::ansi_string, OutType::text_line},
    {"RWString", InType::unicode_string, OutType::text_line},
    {"MLString", InType::ansi_string},
    {"PString", InType::counted_ansi_string},
    {"PWString", InType::counted_unicode_string},
    {"Guid", InType::guid},
    {"CLSID", InType::guid},
    {"IID", InType::guid},
    {"LIBID", InType::guid},
    {"Sid", InType::sid},
    {"NTSTATUS", InType::uint32, OutType::ntstatus},
    {"HRESULT", InType::uint32, OutType::hresult},
    {"WINERROR", InType::uint32, OutType::win32_error},
    {"NDIS_STATUS", InType::hex_int32},
    {"NDIS_OID", InType::hex_int32},
    {"IPAddr", InType::uint32, OutType::ipv4},
    {"IPV6Addr", InType::binary, OutType::ipv6},
    {"Port", InType::uint16, OutType::port},
    {"MACAddr", InType::binary, OutType::mac_address, List::none, 6},
    {"Timestamp", InType::filetime},
    {"TimeDelta", InType::int64, OutType::time_delta},
    {"WaitTime", InType::int64, OutType::time_delta},
    {"DueTime", InType::int64, OutType::time_delta},
    {"ListByte", InType::uint8, OutType::none, List::values},
    {"ListShort", InType::uint16, OutType::none, List::values},
    {"ListLong", InType::uint32, OutType::none, List::values},
    {"SetByte", InType::uint8, OutType::hex_int8, List::bits},
    {"SetShort", InType::uint16, OutType::hex_int16, List::bits},
    {"SetLong", InType::uint32, OutType::hex_int32, List::bits},
    {"Enum", InType::uint32, OutType::none, List::value_type},
    {"FlagsEnum", InType::uint32, OutType::hex_int32, List::bit_type},
    {"HEXDump", InType::counted_binary},
    {"HEXBytes", InType::counted_binary},
});

const Item* find_item(std::string_view name) noexcept {
    constexpr std::string_view prefix = "Item";
    if (name.size() <= prefix.size() ||
        !equals_ignoring_case(name.substr(0, prefix.size()), prefix)) {
        return nullptr;
    }
    name.remove_prefix(prefix.size());
    for (const Item& item : items) {
        if (equals_ignoring_case(item.name, name)) {
            return &item;
        }
    }
    return nullptr;
}

// `5`, `0x10`, `-1`
std::optional<std::int64_t> parse_value(std::string_view text) noexcept {
    const bool is_negative = text.starts_with('-');
    text.remove_prefix(is_negative ? 1 : 0);
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    text.remove_prefix(is_hex ? 2 : 0);
    std::uint32_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return is_negative ? -std::int64_t{value} : std::int64_t{value};
}

void add_entry(ValueMap& map, std::string_view name, std::int64_t value, unsigned size) {
    const std::uint32_t mask = size == 4 ? 0xFFFFFFFFU : (1U << (8 * size)) - 1;
    map.entries.emplace_back(static_cast<std::uint32_t>(value) & mask, name);
}

std::size_t names_in(std::string_view list) noexcept {
    return static_cast<std::size_t>(std::ranges::count(list, ',')) + 1;
}

// `a,b=5,c`: a is 0, b is 5, c is 6. In a set a is bit 0 and b the bits of the number.
// Takes the names that are kept.
std::shared_ptr<const ValueMap> parse_list(const Item& item, std::string_view& list) {
    auto map = std::make_shared<ValueMap>();
    const bool has_bits = item.list == List::bits || item.list == List::bit_type;
    map->kind = has_bits ? ValueMap::Kind::bits : ValueMap::Kind::value;
    if (item.list == List::value_type || item.list == List::bit_type) {
        map->name = trimmed(std::exchange(list, {}));
        return map;
    }
    map->entries.reserve(
        list.empty() ? 0 : std::min<std::size_t>(names_in(list), limits::schema_fields));
    const unsigned size = fixed_size(item.in, 8);
    std::int64_t next = has_bits ? 1 : 0;
    while (!list.empty() && map->entries.size() < limits::schema_fields) {
        const std::string_view part = list.substr(0, list.find(','));
        list.remove_prefix(std::min(part.size() + 1, list.size()));
        std::string_view name = trimmed(part);
        const std::size_t equals = name.rfind('=');
        const auto value =
            equals == name.npos ? std::nullopt : parse_value(trimmed(name.substr(equals + 1)));
        if (value) {
            name = trimmed(name.substr(0, equals));
            next = *value;
        }
        add_entry(*map, name, next, size);
        next = has_bits ? (next << 1) & 0xFFFFFFFF : next + 1;
    }
    return map;
}

bool is_plain_number(const Item& item) noexcept {
    return item.list == List::none && item.out == OutType::none &&
           ((item.in >= InType::int8 && item.in <= InType::uint64) || item.in == InType::pointer);
}

// The out type of a value of `size` bytes whose like for one byte is `smallest`; TDH's codes have
// the signed and unsigned ones in turn.
OutType sized(OutType smallest, unsigned size) noexcept {
    const unsigned step = smallest == OutType::hex_int8 ? 1 : 2;
    const unsigned doublings = size == 1 ? 0U : size == 2 ? 1U : size == 4 ? 2U : 3U;
    return static_cast<OutType>(static_cast<unsigned>(smallest) + step * doublings);
}

OutType shown_as(const Item& item, char conversion) noexcept {
    if (!is_plain_number(item)) {
        return item.out;
    }
    const unsigned size = fixed_size(item.in, 8);
    switch (conversion) {
    case 'd':
    case 'i':
        return sized(OutType::int8, size);
    case 'u':
    case 'o':
        return sized(OutType::uint8, size);
    case 'x':
    case 'X':
    case 'p':
        return sized(OutType::hex_int8, size);
    case 'c':
        return size <= 2 ? OutType::string : OutType::none;
    default:
        return OutType::none;
    }
}

} // namespace

TmfItem parse_tmf_item(std::string_view type, char conversion) {
    TmfItem result;
    const std::size_t open = type.find('(');
    const Item* item = find_item(trimmed(type.substr(0, open)));
    if (item == nullptr) {
        result.is_known = false;
        result.field.in_type = unknown_type;
        return result;
    }
    result.field.in_type = item->in;
    result.field.out_type = shown_as(*item, conversion);
    if (item->length > 0) {
        result.field.length = {Extent::Kind::fixed, item->length};
    }
    if (item->list != List::none) {
        std::string_view list = open == type.npos ? std::string_view{} : type.substr(open + 1);
        list = list.substr(0, list.rfind(')'));
        result.map = parse_list(*item, list);
        result.is_cut = !list.empty();
    }
    return result;
}

std::size_t bytes_of_map(std::string_view type) noexcept {
    const std::size_t open = type.find('(');
    const Item* item = find_item(trimmed(type.substr(0, open)));
    if (item == nullptr || item->list == List::none) {
        return 0;
    }
    constexpr std::size_t of_map = sizeof(ValueMap) + 32; // and of what counts its users
    if (open == type.npos || item->list == List::value_type || item->list == List::bit_type) {
        return of_map + type.size();
    }
    using Entry = decltype(ValueMap::entries)::value_type;
    // The heap takes up to 32 bytes for a name of 16, which is too long to lie in the entry.
    return of_map + 2 * type.size() +
           sizeof(Entry) *
               std::min<std::size_t>(names_in(type.substr(open)), limits::schema_fields);
}

} // namespace etl::schema
