// TRACE_EVENT_INFO, laid out as merges on Windows leave them.
// docs/format/decoding.md#event-information
#include "base/text.hpp"
#include "schema/binary_xml.hpp"
#include "schema/event_info.hpp"
#include "schema/event_info_layout.hpp"
#include "schema/event_name.hpp"
#include "schema/event_schema.hpp"
#include "schema/limits.hpp"
#include "schema/property_tree.hpp"
#include "schema/winmeta.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::schema {

namespace {

// Texts of TRACE_EVENT_INFO and EVENT_MAP_INFO as they are stored, with what reading takes off
// again.

/// Stands for the line end of the message table.
constexpr std::string_view event_info_message_end = " ";

/// Up to a NUL: it would end the text.
std::u16string units_of(std::string_view text) {
    return to_utf16(text.substr(0, text.find('\0')));
}

/// So that what reading takes off the end is there.
std::string ended(std::string_view name) {
    std::string text(name);
    if (without_message_end(name).size() != name.size()) {
        text += event_info_message_end;
    }
    return text;
}

/// The same for a name that is known to be there, though it be empty.
std::string ended_even_empty(std::string_view name) {
    return name.empty() ? std::string(event_info_message_end) : ended(name);
}

/// Names of tasks and opcodes lose a prefix, too.
std::string dressed(std::string_view name) {
    return std::string(name.substr(0, name.size() - without_win(name).size())) + ended(name);
}

// Where the fields of an event stand among the properties of TRACE_EVENT_INFO: the inverse of
// property_tree.hpp.

/// Fields in the order of TRACE_EVENT_INFO: those of the top level first, then the members of each
/// structure, level by level.
class PropertyOrder {
public:
    explicit PropertyOrder(const EventSchema& schema) : index_(schema.fields.size()) {
        for (const std::uint16_t field : schema.top_level()) {
            push(field);
        }
        top_level_ = fields_.size();
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const std::size_t parent = fields_[i];
            const std::size_t end =
                std::min(schema.fields.size(), parent + 1 + schema.fields[parent].members);
            members_.push_back({fields_.size(), 0});
            for (std::size_t member = parent + 1; member < end;
                 member += 1U + schema.fields[member].members) {
                push(static_cast<std::uint16_t>(member));
                ++members_.back().count;
            }
        }
    }

    struct Members {
        std::size_t first = 0;
        std::size_t count = 0;
    };

    const std::vector<std::uint16_t>& fields() const noexcept { return fields_; }

    std::size_t top_level() const noexcept { return top_level_; }

    /// Of the structure that is property `i`.
    const Members& members(std::size_t i) const noexcept { return members_[i]; }

    /// The property that a field is.
    std::uint16_t index_of(std::size_t field) const noexcept { return index_[field]; }

private:
    void push(std::uint16_t field) {
        index_[field] = static_cast<std::uint16_t>(fields_.size());
        fields_.push_back(field);
    }

    std::vector<std::uint16_t> fields_; // by property
    std::vector<std::uint16_t> index_;  // by field
    std::vector<Members> members_;      // by property
    std::size_t top_level_ = 0;
};

} // namespace

// EVENT_MAP_INFO, laid out as merges on Windows leave it. docs/format/decoding.md#event-information

void write_map_info(const EmbeddedMap& map, ByteWriter& to) {
    namespace info = map_info_layout;
    constexpr std::size_t unused = info::entry_size; // behind the entries
    const ValueMap& values = *map.map;
    const std::size_t begin = to.size();
    to.fill(info::size + values.entries.size() * info::entry_size + unused);
    const auto here = [&] { return static_cast<std::uint32_t>(to.size() - begin - info::origin); };
    const auto put = [&]<typename T>(etl::LayoutField<T> field, T value) {
        to.patch(begin + field.offset, value);
    };
    put(info::provider, map.provider);
    put(info::name, here());
    put(info::flag, values.kind == ValueMap::Kind::bits ? info::bit_map : info::value_map);
    put(info::entries, static_cast<std::uint32_t>(values.entries.size()));
    to.zero_terminated16(units_of(values.name));
    std::size_t entry = begin + info::size;
    for (const auto& [value, text] : values.entries) {
        to.patch(entry, here());
        to.patch(entry + 4, value);
        to.zero_terminated16(units_of(text + std::string(event_info_message_end)));
        entry += info::entry_size;
    }
}

namespace {

namespace info = event_info_layout;
namespace property = property_layout;

// What TRACE_EVENT_INFO says as kind of template.
constexpr std::uint32_t event_data = 1;
constexpr std::uint32_t user_data = 2;

// Physical addresses have no out type of their own: they are binary, or a number.
OutType tdh_out_type(const Field& field) noexcept {
    return field.out_type == OutType::mac_address          ? OutType::hex_binary
           : field.out_type == OutType::padded_mac_address ? default_out_type(field.in_type)
                                                           : field.out_type;
}

/// A count or a length as a property has it.
struct Number {
    std::uint16_t value = 0;
    std::uint32_t flag = 0;
};

Result<Number> number_of(const Extent& extent, const PropertyOrder& order, std::size_t fields,
                         std::uint32_t by_field, std::uint32_t fixed) {
    constexpr std::uint16_t nowhere = 0xFFFF;
    switch (extent.kind) {
    case Extent::Kind::natural:
        return Number{};
    case Extent::Kind::fixed:
        if (extent.value > 0xFFFF) {
            return fail(ErrorCode::limit, "constant count or length of a property", {}, 0xFFFF,
                        extent.value);
        }
        return Number{static_cast<std::uint16_t>(extent.value), fixed};
    case Extent::Kind::field:
        return Number{extent.value < fields ? order.index_of(extent.value) : nowhere, by_field};
    case Extent::Kind::unknown:
        return Number{nowhere, by_field};
    case Extent::Kind::prefixed:
    case Extent::Kind::rest:
        break;
    }
    return fail(ErrorCode::unsupported, "count not representable in TRACE_EVENT_INFO");
}

class Writer {
public:
    explicit Writer(const EmbeddedEvent& event)
        : event_(event), schema_(event.schema), order_(event.schema) {}

    Result<std::vector<std::byte>> write() {
        if (auto possible = check(); !possible) {
            return std::unexpected(possible.error());
        }
        const std::size_t count = order_.fields().size();
        out_.fill(info::size + count * property::size);
        for (std::size_t i = 0; i < count; ++i) {
            if (auto done = write_property(i); !done) {
                return std::unexpected(done.error());
            }
        }
        write_numbers();
        write_names();
        write_template();
        return out_.take();
    }

private:
    static Result<void> unsupported(const char* what) { return fail(ErrorCode::unsupported, what); }

    Result<void> check() const {
        if (schema_.origin == Origin::tracelogging || schema_.origin == Origin::wpp ||
            schema_.origin == Origin::mof) {
            return unsupported("event information of WPP, TraceLogging, or classes");
        }
        if (schema_.fields.size() > limits::fields) {
            return fail(ErrorCode::limit, "properties of an event", {}, limits::fields,
                        schema_.fields.size());
        }
        for (const Field& field : schema_.fields) {
            if (static_cast<std::uint16_t>(tdh_out_type(field)) >= format::first_private_out_type) {
                return unsupported("out type not supported by TDH");
            }
        }
        return {};
    }

    template <auto field>
    void put(std::size_t base, typename decltype(field)::type value) {
        out_.patch(base + field.offset, value);
    }

    /// Where it lies; 0 for an empty one.
    std::uint32_t add(std::string_view text) { return text.empty() ? 0 : add_even_empty(text); }

    std::uint32_t add_even_empty(std::string_view text) {
        const auto at = static_cast<std::uint32_t>(out_.size());
        out_.zero_terminated16(units_of(text));
        return at;
    }

    Result<void> write_property(std::size_t i) {
        const std::uint16_t number = order_.fields()[i];
        const Field& field = schema_.fields[number];
        const std::size_t base = info::size + i * property::size;
        put<property::name>(base, add(field.name));
        const auto count = number_of(field.count, order_, schema_.fields.size(),
                                     property_flags::count_by_field, property_flags::fixed_count);
        if (!count) {
            return std::unexpected(count.error());
        }
        std::uint32_t flags = count->flag;
        put<property::count>(base, count->flag == 0 ? std::uint16_t{1} : count->value);
        // A structure without members that is used as a value is one by its type alone.
        const bool is_structure =
            field.in_type == InType::structure &&
            (field.members != 0 || (field.out_type == OutType::none && map_of(number) == nullptr));
        if (is_structure) {
            flags |= property_flags::is_structure;
            put<property::in_type>(base, static_cast<std::uint16_t>(order_.members(i).first));
            put<property::out_type>(base, static_cast<std::uint16_t>(order_.members(i).count));
        } else if (auto done = write_value(base, number, flags); !done) {
            return done;
        }
        const std::uint32_t tags = field.tags & 0x0FFFFFFFU;
        put<property::tags>(base, tags);
        put<property::flags>(base, tags != 0 ? flags | property_flags::has_tags : flags);
        return {};
    }

    Result<void> write_value(std::size_t base, std::uint16_t number, std::uint32_t& flags) {
        const Field& field = schema_.fields[number];
        put<property::in_type>(base, static_cast<std::uint16_t>(field.in_type));
        put<property::out_type>(base, static_cast<std::uint16_t>(tdh_out_type(field)));
        if (const std::string* map = map_of(number)) {
            put<property::map_name>(base, add_even_empty(*map));
        }
        const auto length =
            number_of(field.length, order_, schema_.fields.size(), property_flags::length_by_field,
                      property_flags::fixed_length);
        if (!length) {
            return std::unexpected(length.error());
        }
        flags |= length->flag;
        constexpr std::uint32_t pointer_size = 4; // whatever its size in the event
        put<property::length>(base, length->flag != 0 ? length->value
                                                      : static_cast<std::uint16_t>(fixed_size(
                                                            field.in_type, pointer_size)));
        return {};
    }

    const std::string* map_of(std::uint16_t field) const noexcept {
        for (const auto& [number, name] : event_.map_of_field) {
            if (number == field) {
                return &name;
            }
        }
        return nullptr;
    }

    void write_numbers() {
        put<info::event_class>(0, schema_.task_guid);
        put<info::id>(0, schema_.id);
        put<info::version>(0, schema_.version);
        put<info::channel>(0, schema_.channel);
        put<info::level>(0, schema_.level);
        put<info::opcode>(0, schema_.opcode);
        put<info::task>(0, schema_.task);
        put<info::keyword>(0, schema_.keyword);
        put<info::properties>(0, static_cast<std::uint32_t>(order_.fields().size()));
        put<info::top_level>(0, static_cast<std::uint32_t>(order_.top_level()));
    }

    void write_names() {
        static const ProviderNames nobody;
        const ProviderNames& names = schema_.provider ? *schema_.provider : nobody;
        put<info::provider>(0, names.guid);
        put<info::provider_name>(0, add(names.name));
        put<info::level_name>(0, add(level_name(names)));
        put<info::channel_name>(0, add(channel_name(names)));
        put<info::keywords_name>(0, add_keywords(names));
        put<info::task_name>(0, add(dressed(schema_.task_name)));
        put<info::opcode_name>(0, add(opcode_name()));
        put<info::message>(0, add_message(schema_.message));
        put<info::provider_message>(0, add_message(names.message));
        if (schema_.event_name !=
            compose_event_name(schema_.task_name, schema_.opcode, schema_.opcode_name, {})) {
            put<info::event_name>(0, add(schema_.event_name));
        }
    }

    std::uint32_t add_message(const std::string& text) {
        return text.empty() ? 0 : add(text + std::string(event_info_message_end));
    }

    // Windows' own levels by the names that manifests give them.
    std::string level_name(const ProviderNames& names) const {
        constexpr std::array<std::string_view, 6> predefined{"win:LogAlways",     "win:Critical",
                                                             "win:Error",         "win:Warning",
                                                             "win:Informational", "win:Verbose"};
        const auto own = std::ranges::find(names.levels, schema_.level,
                                           &std::pair<std::uint8_t, std::string>::first);
        const bool is_windows_own = schema_.origin != Origin::event_info &&
                                    own != names.levels.end() &&
                                    own->second == winmeta::level_name(schema_.level);
        if (own != names.levels.end() && !is_windows_own) {
            return ended_even_empty(own->second);
        }
        return schema_.level < predefined.size() ? std::string(predefined[schema_.level])
                                                 : std::string();
    }

    std::string channel_name(const ProviderNames& names) const {
        const auto own = std::ranges::find(names.channels, schema_.channel,
                                           &std::pair<std::uint8_t, std::string>::first);
        return own != names.channels.end() ? ended_even_empty(own->second) : std::string();
    }

    std::string opcode_name() const {
        const bool is_predefined = !schema_.opcode_name.empty() &&
                                   schema_.opcode_name == winmeta::opcode_name(schema_.opcode);
        return is_predefined ? "win:" + schema_.opcode_name : dressed(schema_.opcode_name);
    }

    // In ascending order of the provider's own bits.
    std::uint32_t add_keywords(const ProviderNames& names) {
        constexpr unsigned own_bits = 48;
        const auto at = static_cast<std::uint32_t>(out_.size());
        for (unsigned bit = 0; bit < own_bits; ++bit) {
            const std::uint64_t mask = std::uint64_t{1} << bit;
            const auto known = std::ranges::find(names.keywords, mask,
                                                 &std::pair<std::uint64_t, std::string>::first);
            if ((schema_.keyword & mask) != 0 && known != names.keywords.end()) {
                add(ended_even_empty(known->second));
            }
        }
        if (out_.size() == at) {
            return 0;
        }
        out_.u16(0); // an empty one ends them
        return at;
    }

    void write_template() {
        const std::size_t at = out_.size();
        std::uint32_t kind = 0;
        if (!schema_.user_data.empty() && write_user_data(schema_.user_data, schema_, out_)) {
            kind = user_data;
        } else if (!schema_.fields.empty()) {
            write_event_data(schema_, out_);
            kind = event_data;
        }
        put<info::flags_and_tags>(0, schema_.tags << 4U | kind);
        if (kind != 0) {
            put<info::binary_xml>(0, static_cast<std::uint32_t>(at));
            put<info::binary_xml_size>(0, static_cast<std::uint32_t>(out_.size() - at));
        }
    }

    const EmbeddedEvent& event_;
    const EventSchema& schema_;
    PropertyOrder order_;
    ByteWriter out_;
};

} // namespace

Result<void> write_event_info(const EmbeddedEvent& event, ByteWriter& to) {
    const auto blob = Writer(event).write();
    if (!blob) {
        return std::unexpected(blob.error());
    }
    to.bytes(*blob);
    return {};
}

EmbeddedEvent to_embedded_event(const EventSchema& schema) {
    EmbeddedEvent event{schema, {}};
    event.schema.maps.clear();
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        Field& field = event.schema.fields[i];
        if (field.map < schema.maps.size()) {
            event.map_of_field.emplace_back(static_cast<std::uint16_t>(i),
                                            schema.maps[field.map]->name);
        }
        field.map = Field::no_map;
    }
    return event;
}

} // namespace etl::schema
