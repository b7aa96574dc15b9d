#include "fromjson/draft.hpp"

#include "format/limits.hpp"
#include "format/set_field.hpp"
#include "fromjson/member_values.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace etl::fromjson {

namespace {

using namespace etl::format;

// A header that was dumped, with the size and the time of the draft.
LineResult<void> encode_obscure(const Draft& draft, etl::ByteWriter& to) {
    const RecordTraits& traits = traits_of(draft.kind);
    if (traits.identity != EventIdentity::none) {
        return std::unexpected(LineError{"header_bytes", "unsupported for this kind of record"});
    }
    const etl::Bytes header = draft.header_bytes;
    if (header.size() < traits.header_size || header.size() < payload_offset(draft.kind, header)) {
        return std::unexpected(
            LineError{"header_bytes", "shorter than the header of this kind of record"});
    }
    const std::size_t size = header.size() + draft.payload.size();
    if (size > max_record_size) {
        return std::unexpected(LineError{"payload", "too long for a record"});
    }
    to.bytes(header).bytes(draft.payload);
    to.patch<std::uint16_t>(0, static_cast<std::uint16_t>(size));
    const auto time = time_offset(draft.kind, header);
    if (draft.time && time) {
        to.patch<std::int64_t>(*time, *draft.time);
    }
    const RecordShape shape = record_at(to.view());
    if (shape.kind != draft.kind || shape.size != to.size()) {
        return std::unexpected(LineError{"header_bytes", "not of this kind of record"});
    }
    return {};
}

} // namespace

LineResult<void> encode(const Draft& draft, etl::ByteWriter& to) {
    to.clear();
    if (!draft.header_bytes.empty()) {
        return encode_obscure(draft, to);
    }
    if (const auto encoded = etl::format::encode(draft.kind, draft, draft.time, to); !encoded) {
        return std::unexpected(LineError{"", etl::describe(encoded.error())});
    }
    return {};
}

namespace {

using etl::encode::InputValue;
using etl::encode::InputValueList;
using etl::format::ItemType;
using etl::format::Width;
using Values = std::span<const InputValue>;

/// Items whose data are one number of 64 bits.
constexpr std::pair<std::string_view, ItemType> number_items[] = {
    {"process_start_key", ItemType::process_start_key},
    {"event_key", ItemType::event_key},
    {"psm_key", ItemType::psm_key},
    {"qpc_delta", ItemType::qpc_delta},
    {"pebs_index", ItemType::pebs_index},
};

bool read_numbers(Values array, std::vector<std::uint64_t>& to) {
    to.clear();
    if (array.front().kind != InputValue::Kind::array) {
        return false;
    }
    for (InputValueList at(array); !at.empty(); at.pop_front()) {
        const auto number = whole(at.front().front());
        if (!number) {
            return false;
        }
        to.push_back(*number);
    }
    return true;
}

struct Instance {
    std::uint32_t id = 0, parent_id = 0;
    etl::Guid parent_class;
};

std::optional<Instance> read_instance(Values object) {
    Instance instance;
    const auto number = [&](std::string_view name, std::uint32_t& to) {
        const Values found = member(object, name);
        const auto value = found.empty() ? std::optional<std::uint64_t>(0) : whole(found.front());
        if (!value || !std::in_range<std::uint32_t>(*value)) {
            return false;
        }
        to = static_cast<std::uint32_t>(*value);
        return true;
    };
    if (!number("instance_id", instance.id) || !number("parent_instance_id", instance.parent_id)) {
        return std::nullopt;
    }
    if (const Values found = member(object, "parent_guid"); !found.empty()) {
        const auto parent = guid(found.front());
        if (!parent) {
            return std::nullopt;
        }
        instance.parent_class = *parent;
    }
    return instance;
}

// One field: a text as Windows writes it, its bytes as they lie in a payload.
const etl::schema::EventSchema& sid_schema() {
    static const etl::schema::EventSchema schema = [] {
        etl::schema::EventSchema one;
        etl::schema::Field& field = one.fields.emplace_back();
        field.name = "sid";
        field.in_type = etl::schema::InType::sid;
        return one;
    }();
    return schema;
}

bool append_container(std::string_view container, ItemList& to) {
    etl::ByteWriter& out = to.begin(ItemType::container_id);
    if (const auto id = etl::parse_guid(container)) {
        out.guid(*id);
    } else {
        out.text8(container);
    }
    return true;
}

} // namespace

LineResult<void> ExtReader::append_items(Values items, ItemList& to) {
    for (InputValueList at(items); !at.empty(); at.pop_front()) {
        InputValueList item(at.front());
        const auto type = item.empty() ? std::nullopt : whole(item.front().front());
        if (!type || !std::in_range<std::uint16_t>(*type)) {
            return line_error("items", "not an array of [type, hex]");
        }
        item.pop_front();
        const auto digits = item.empty() ? std::nullopt : text(item.front().front());
        if (!digits || !read_hex(*digits, bytes_)) {
            return line_error("items", "not an array of [type, hex]");
        }
        to.begin(static_cast<ItemType>(*type)).bytes(bytes_);
    }
    return {};
}

LineResult<void> ExtReader::append_ext(Values ext, Width width, ItemList& to) {
    for (InputValueList at(ext); !at.empty(); at.pop_front()) {
        if (auto appended = append_member(at.front(), to); !appended) {
            return appended;
        }
    }
    return append_stack_key(ext, width, to);
}

LineResult<void> ExtReader::append_stack_key(Values ext, Width width, ItemList& to) {
    const Values match = member(ext, "stack_match_id");
    const Values key = member(ext, "stack_key");
    if (match.empty() && key.empty()) {
        return {};
    }
    const auto match_id = match.empty() ? std::optional<std::uint64_t>(0) : whole(match.front());
    const auto value = key.empty() ? std::optional<std::uint64_t>(0) : whole(key.front());
    if (!match_id || !value) {
        return line_error(match_id ? "ext.stack_key" : "ext.stack_match_id", "not a number");
    }
    if (width == Width::bits64) {
        to.begin(ItemType::stack_key64).u64(*match_id).u64(*value);
    } else if (std::in_range<std::uint32_t>(*value)) {
        to.begin(ItemType::stack_key32).u64(*match_id).u32(static_cast<std::uint32_t>(*value));
    } else {
        return line_error("ext.stack_key", "exceeds the pointer size of the record");
    }
    return {};
}

LineResult<void> ExtReader::append_member(Values member, ItemList& to) {
    const InputValue& given = member.front();
    const auto number = whole(given);
    for (const auto& [name, type] : number_items) {
        if (given.name == name) {
            if (!number) {
                return line_error("ext." + std::string(name), "not a number");
            }
            to.begin(type).u64(*number);
            return {};
        }
    }
    bool is_good = true;
    if (given.name == "session_id") {
        is_good = number && std::in_range<std::uint32_t>(*number);
        to.begin(ItemType::terminal_session_id).u32(static_cast<std::uint32_t>(number.value_or(0)));
    } else if (given.name == "sid") {
        is_good = append_sid(member, to);
    } else if (given.name == "control_guid") {
        const auto id = guid(given);
        is_good = id.has_value();
        to.begin(ItemType::control_guid).guid(id.value_or(etl::Guid{}));
    } else if (given.name == "container_id") {
        is_good = text(given) && append_container(given.text, to);
    } else if (given.name == "pmc") {
        is_good = read_numbers(member, numbers_);
        etl::ByteWriter& out = to.begin(ItemType::pmc_counters);
        std::ranges::for_each(numbers_, [&](std::uint64_t value) { out.u64(value); });
    } else if (given.name == "instance_info") {
        const auto instance = read_instance(member);
        is_good = instance.has_value();
        const Instance value = instance.value_or(Instance{});
        to.begin(ItemType::instance_info)
            .u32(value.id)
            .u32(value.parent_id)
            .guid(value.parent_class);
    } else if (given.name.starts_with("type_")) {
        is_good = append_unknown(member, to);
    } else if (given.name != "stack_match_id" && given.name != "stack_key") {
        return line_error("ext." + std::string(given.name), "unsupported extended data item");
    }
    return is_good ? LineResult<void>{}
                   : line_error("ext." + std::string(given.name), "invalid value");
}

bool ExtReader::append_sid(Values member, ItemList& to) {
    // A named copy: the encoder takes members of an object.
    const InputValue object[] = {{.kind = InputValue::Kind::object, .descendants = 1},
                                 member.front()};
    sid_.clear();
    const bool is_good = encoder_.encode(sid_schema(), object, {}, sid_).has_value();
    to.begin(ItemType::sid).bytes(sid_.view());
    return is_good;
}

bool ExtReader::append_unknown(Values member, ItemList& to) {
    constexpr std::string_view prefix = "type_";
    const std::string_view digits = member.front().name.substr(prefix.size());
    std::uint16_t type = 0;
    const char* const end = digits.data() + digits.size();
    const auto [at, code] = std::from_chars(digits.data(), end, type);
    const auto hex = text(member.front());
    if (code != std::errc{} || at != end || !hex || !read_hex(*hex, bytes_)) {
        return false;
    }
    to.begin(static_cast<ItemType>(type)).bytes(bytes_);
    return true;
}

LineResult<void> ExtReader::append_stack(Values stack, Width width, ItemList& to) {
    if (!read_numbers(stack, numbers_)) {
        return line_error("stack", "not an array of addresses");
    }
    constexpr std::uint64_t no_match_id = 0;
    const bool is_wide = width == Width::bits64 || std::ranges::any_of(numbers_, [](auto address) {
                             return !std::in_range<std::uint32_t>(address);
                         });
    etl::ByteWriter& out =
        to.begin(is_wide ? ItemType::stack_trace64 : ItemType::stack_trace32).u64(no_match_id);
    for (const std::uint64_t address : numbers_) {
        is_wide ? out.u64(address) : out.u32(static_cast<std::uint32_t>(address));
    }
    return {};
}

LineResult<void> ExtReader::read(Values ext, Draft& draft) {
    numbers_.clear();
    for (InputValueList at(ext); !at.empty(); at.pop_front()) {
        const InputValue& given = at.front().front();
        const auto number = whole(given);
        const bool is_u32 = number && std::in_range<std::uint32_t>(*number);
        bool is_good = true;
        if (given.name == "pebs_index") {
            is_good = number.has_value();
            pebs_.clear();
            draft.pebs = pebs_.u64(number.value_or(0)).view();
        } else if (given.name == "pmc") {
            is_good = read_numbers(at.front(), numbers_);
            counters_.clear();
            for (const std::uint64_t value : numbers_) {
                counters_.u64(value);
            }
            draft.counters = counters_.view();
        } else if (given.name == "instance_info") {
            const auto instance = read_instance(at.front());
            is_good = instance.has_value();
            const Instance value = instance.value_or(Instance{});
            draft.instance_id = value.id;
            draft.parent_instance_id = value.parent_id;
            draft.parent_guid = value.parent_class;
        } else if (given.name == "sequence") {
            is_good = is_u32;
            draft.sequence = static_cast<std::uint32_t>(number.value_or(0));
        } else if (given.name == "component_id") {
            is_good = is_u32;
            draft.component_id = static_cast<std::uint32_t>(number.value_or(0));
        } else {
            return line_error("ext." + std::string(given.name),
                              "unsupported for this kind of record");
        }
        if (!is_good) {
            return line_error("ext." + std::string(given.name), "invalid value");
        }
    }
    return {};
}

} // namespace etl::fromjson
