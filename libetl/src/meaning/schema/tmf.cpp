#include "schema/tmf.hpp"

#include "base/text.hpp"
#include "schema/event_schema.hpp"
#include "schema/file_reading.hpp"
#include "schema/file_text.hpp"
#include "schema/limits.hpp"
#include "schema/tmf_entry.hpp"
#include "schema/wpp_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace etl::schema {

namespace {

/// The types of WPP arguments as fields. docs/format/wpp.md#items
struct TmfItem {
    Field field;                         // without name and map
    std::shared_ptr<const ValueMap> map; // of a list or set; null: none
    bool is_known = true;                // else the field can only stop the decoder
    bool is_cut = false;                 // its list has more names than are kept
};

/// `type` is what a TMF says behind the expression: `ItemLong`, `ItemListLong(a,b=5,c)`. For plain
/// numbers `conversion`, the letter that the format string shows the argument with, decides between
/// signed, unsigned, hexadecimal and character.
TmfItem parse_tmf_item(std::string_view type, char conversion);

/// Memory that the map of this type will occupy, at most.
std::size_t bytes_of_map(std::string_view type) noexcept;

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
    map->entries.reserve(list.empty() ? 0 : std::min<std::size_t>(names_in(list), limits::fields));
    const unsigned size = fixed_size(item.in, 8);
    std::int64_t next = has_bits ? 1 : 0;
    while (!list.empty() && map->entries.size() < limits::fields) {
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
           sizeof(Entry) * std::min<std::size_t>(names_in(type.substr(open)), limits::fields);
}

struct MessageKey {
    Guid guid;
    std::uint16_t number = 0;

    bool operator==(const MessageKey&) const = default;
};

struct MessageHash {
    std::size_t operator()(const MessageKey& key) const noexcept {
        return std::hash<Guid>{}(key.guid) ^ (key.number * std::size_t{0x9E3779B1U});
    }
};

bool is_same(const Extent& a, const Extent& b) noexcept {
    return a.kind == b.kind && a.value == b.value;
}

bool is_same(const ValueMap& a, const ValueMap& b) noexcept {
    return a.kind == b.kind && a.name == b.name && a.entries == b.entries;
}

// `map` counts the fields before that have one.
bool is_same(const Field& a, const Field& b) noexcept {
    return a.name == b.name && a.in_type == b.in_type && a.out_type == b.out_type &&
           is_same(a.count, b.count) && is_same(a.length, b.length) && a.map == b.map;
}

bool is_same(const EventSchema& a, const EventSchema& b) noexcept {
    return a.symbol == b.symbol && a.message == b.message &&
           std::ranges::equal(a.fields, b.fields,
                              [](const Field& x, const Field& y) { return is_same(x, y); }) &&
           std::ranges::equal(a.maps, b.maps,
                              [](const auto& x, const auto& y) { return is_same(*x, *y); });
}

// Memory that the schema of this entry will occupy, roughly, and rather too much than too little.
std::size_t bytes_of_schema(const TmfEntry& entry, const TmfGuidLine& line) noexcept {
    constexpr std::size_t of_indices = 256; // what finds and counts it, and the heap's own
    std::size_t bytes = sizeof(EventSchema) + sizeof(TraceSite) + of_indices +
                        line.component.size() + line.source.size() + 3 * entry.tag.size() +
                        4 * entry.format.size() + 2 * entry.trailer.size();
    for (const TmfArgument& argument : entry.arguments) {
        bytes += sizeof(Field) + argument.expression.size() +
                 2 * sizeof(std::shared_ptr<ValueMap>) + bytes_of_map(argument.type);
    }
    return bytes;
}

/// Turns entries into schemas.
class Collector {
public:
    explicit Collector(std::string_view text) : lines_(text), text_(text) {}

    void guid_line(const TmfGuidLine& line) {
        is_full_ = is_full_ || bytes_ > limits::manifest_schema_bytes;
        if (is_full_) {
            return;
        }
        constexpr std::size_t of_indices = 192;
        auto& provider = providers_[line.guid];
        if (!provider) {
            bytes_ += sizeof(ProviderNames) + line.component.size() + of_indices;
            auto names = std::make_shared<ProviderNames>();
            names->guid = line.guid;
            names->name = line.component;
            provider = std::move(names);
            set_.providers.push_back(provider);
        }
        provider_ = provider;
        line_ = line;
    }

    void entry(const TmfEntry& entry) {
        if (!provider_) {
            return note(entry.where, "message before any GUID");
        }
        const std::size_t bytes = bytes_of_schema(entry, line_);
        is_full_ = is_full_ || bytes_ + bytes > limits::manifest_schema_bytes;
        if (is_full_) {
            return;
        }
        auto schema = schema_of(entry);
        auto& known = by_key_[{line_.guid, schema->id}];
        if (std::ranges::any_of(known, [&](const auto& one) { return is_same(*one, *schema); })) {
            return; // an inlined function has its messages at every place where it went
        }
        if (known.size() == limits::wpp_variants) {
            return note(entry.where, "too many variants of a message");
        }
        bytes_ += bytes;
        known.push_back(schema);
        set_.events.push_back(std::move(schema));
    }

    void note(const char* where, std::string what) {
        if (set_.notes.size() < limits::manifest_notes) {
            set_.notes.push_back(
                {lines_.line_of(static_cast<std::size_t>(where - text_.data())), std::move(what)});
        }
    }

    std::expected<SchemaSet, FileError> finish() {
        if (set_.events.empty()) {
            return std::unexpected(FileError{0, "no messages"});
        }
        if (is_full_) {
            set_.notes.push_back({0, "too many messages; the rest is omitted"});
        }
        return std::move(set_);
    }

private:
    std::shared_ptr<const EventSchema> schema_of(const TmfEntry& entry) {
        auto schema = std::make_shared<EventSchema>();
        schema->origin = Origin::wpp;
        schema->provider = provider_;
        schema->id = entry.number;
        schema->symbol = entry.tag;
        schema->site = site_of(entry, line_);
        schema->event_name = name_of(*schema);
        schema->message = with_arguments_counted(entry);
        const auto conversions = conversions_of(entry);
        schema->fields.reserve(entry.arguments.size());
        for (std::size_t i = 0; i < entry.arguments.size(); ++i) {
            add_field(*schema, entry.arguments[i], conversions[i]);
        }
        return schema;
    }

    void add_field(EventSchema& schema, const TmfArgument& argument, char conversion) {
        TmfItem item = parse_tmf_item(argument.type, conversion);
        item.field.name = argument.expression;
        if (item.map) {
            item.field.map = static_cast<std::uint16_t>(schema.maps.size());
            schema.maps.push_back(std::move(item.map));
        }
        if (!item.is_known) {
            note(argument.type.data(),
                 "unknown type of argument: " +
                     std::string(argument.type.substr(0, argument.type.find('('))));
        }
        if (item.is_cut) {
            note(argument.type.data(), "too many names in a list; the rest is omitted");
        }
        schema.fields.push_back(std::move(item.field));
    }

    // In public PDBs all tags are one and the same.
    static std::string name_of(const EventSchema& schema) {
        const bool says_nothing = schema.symbol.empty() || schema.symbol.starts_with("Unknown_");
        return says_nothing && !schema.site->function.empty() ? schema.site->function
                                                              : schema.symbol;
    }

    LineIndex lines_;
    std::string_view text_;
    SchemaSet set_;
    std::unordered_map<Guid, std::shared_ptr<const ProviderNames>> providers_;
    std::unordered_map<MessageKey, std::vector<std::shared_ptr<const EventSchema>>, MessageHash>
        by_key_;
    std::shared_ptr<const ProviderNames> provider_;
    TmfGuidLine line_;
    std::size_t bytes_ = 0; // of what has been collected, roughly
    bool is_full_ = false;
};

std::expected<SchemaSet, FileError> parse_text(Bytes text) {
    const DecodedText decoded = decode_text(text);
    TmfReader reader(decoded.utf8);
    Collector collector(decoded.utf8);
    for (TmfReader::Found found = reader.next(); found != TmfReader::Found::end;
         found = reader.next()) {
        switch (found) {
        case TmfReader::Found::guid_line:
            collector.guid_line(reader.guid_line());
            break;
        case TmfReader::Found::entry:
            collector.entry(reader.entry());
            break;
        case TmfReader::Found::broken:
            collector.note(reader.where(), reader.problem());
            break;
        case TmfReader::Found::end:
            break;
        }
    }
    return collector.finish();
}

std::vector<Guid> scan_lines(Bytes text) {
    // Looking for the word is much cheaper than making UTF-8 of every file that is no TMF.
    if (!looks_like_utf16(text) && as_text(text).find("#type") == std::string_view::npos) {
        return {};
    }
    const DecodedText decoded = decode_text(text);
    if (decoded.utf8.find("#type") == std::string::npos) {
        return {};
    }
    std::vector<Guid> guids;
    std::unordered_set<Guid> seen;
    TmfReader reader(decoded.utf8);
    for (TmfReader::Found found = reader.next(); found != TmfReader::Found::end;
         found = reader.next()) {
        if (found == TmfReader::Found::guid_line && seen.insert(reader.guid_line().guid).second) {
            guids.push_back(reader.guid_line().guid);
        }
    }
    return guids;
}

} // namespace

std::expected<SchemaSet, FileError> parse_tmf(Bytes text) {
    return guarded([&] { return parse_text(text); });
}

std::vector<Guid> scan_tmf(Bytes text) {
    return guarded_scan([&] { return scan_lines(text); });
}

} // namespace etl::schema
