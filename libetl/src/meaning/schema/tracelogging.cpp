#include "schema/tracelogging.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/limits.hpp"

#include <array>

namespace etl::schema {

namespace {

// Bits of the in byte. docs/format/decoding.md#tracelogging
constexpr std::uint8_t type_bits = 0x1F;
constexpr std::uint8_t count_bits = 0x60;
constexpr std::uint8_t constant_count = 0x20;
constexpr std::uint8_t variable_count = 0x40;
constexpr std::uint8_t custom_count = 0x60;
constexpr std::uint8_t chained = 0x80; // an out byte, or a tag, follows

// 28 bits, the high ones first; bytes that would be zero at the end are left out.
std::uint32_t read_tags(Cursor& in) noexcept {
    constexpr unsigned bits = 28;
    std::uint32_t tags = 0;
    std::uint8_t byte = chained;
    for (unsigned shift = bits - 7; in && (byte & chained) != 0; shift -= 7) {
        byte = in.u8("tag");
        tags |= shift < bits ? (byte & 0x7FU) << shift : 0U;
    }
    return tags;
}

InType in_type_of(std::uint8_t code) noexcept {
    // `binary` has a u16 length on the wire here, unlike in manifests.
    const auto type = static_cast<InType>(code & type_bits);
    return type == InType::binary ? InType::counted_binary : type;
}

// Picks by the size of an integer type; sizes of pointers vary with the event, so those count as 8.
OutType by_size(InType type, const std::array<OutType, 4>& sizes) noexcept {
    switch (fixed_size(type, 8)) {
    case 1:
        return sizes[0];
    case 2:
        return sizes[1];
    case 4:
        return sizes[2];
    case 8:
        return sizes[3];
    default:
        return OutType::none;
    }
}

OutType hexadecimal(InType type) noexcept {
    return by_size(type,
                   {OutType::hex_int8, OutType::hex_int16, OutType::hex_int32, OutType::hex_int64});
}

OutType out_type_of(std::uint8_t code, InType type) noexcept {
    switch (code) {
    case 1:
        return OutType::no_print;
    case 2:
        return OutType::string;
    case 3:
        return OutType::boolean;
    case 4:
        return hexadecimal(type);
    case 5:
        return OutType::pid;
    case 6:
        return OutType::tid;
    case 7:
        return OutType::port;
    case 8:
        return OutType::ipv4;
    case 9:
        return OutType::ipv6;
    case 10:
        return OutType::socket_address;
    case 11:
        return OutType::xml;
    case 12:
        return OutType::json;
    case 13:
        return OutType::win32_error;
    case 14:
        return OutType::ntstatus;
    case 15:
        return OutType::hresult;
    case 16:
        return OutType::date_time;
    case 17:
        return by_size(type, {OutType::int8, OutType::int16, OutType::int32, OutType::int64});
    case 18:
        return by_size(type, {OutType::uint8, OutType::uint16, OutType::uint32, OutType::uint64});
    default:
        break;
    }
    constexpr std::uint8_t first_of_tdh = 35; // from here on the codes are those of OutType
    return code >= first_of_tdh ? static_cast<OutType>(code) : OutType::none;
}

// The structures that are being filled. A nested structure is one member of the structure around
// it.
class OpenStructures {
public:
    // Announces a structure at `index` with `members` direct members. False: nested too deep.
    bool open(std::size_t index, std::uint32_t members) noexcept {
        if (depth_ == stack_.size()) {
            return false;
        }
        stack_[depth_++] = {index, members};
        return true;
    }

    // Counts the field just added as a member, and closes what is complete.
    void add_member(std::vector<Field>& fields) noexcept {
        while (depth_ > 0 && --stack_[depth_ - 1].missing == 0) {
            close(fields);
        }
    }

    bool empty() const noexcept { return depth_ == 0; }

    std::uint32_t missing() const noexcept { return depth_ > 0 ? stack_[depth_ - 1].missing : 0; }

private:
    struct Open {
        std::size_t index;
        std::uint32_t missing;
    };

    void close(std::vector<Field>& fields) noexcept {
        const std::size_t index = stack_[--depth_].index;
        fields[index].members = static_cast<std::uint16_t>(fields.size() - index - 1);
    }

    std::array<Open, format::max_struct_depth> stack_{};
    std::size_t depth_ = 0;
};

struct WireField {
    Field field;
    std::uint32_t members = 0; // direct ones
    Bytes name, custom_type;
};

// One field without its members.
WireField read_field(Cursor& in) {
    WireField result;
    Field& field = result.field;
    result.name = in.zero_terminated8("field name");
    append_utf8(field.name, result.name);
    field.raw_in = in.u8("in type");
    field.in_type = in_type_of(field.raw_in);
    if ((field.raw_in & chained) != 0) {
        field.raw_out = in.u8("out type");
        if ((field.raw_out & chained) != 0) {
            field.tags = read_tags(in);
        }
    }
    const auto out = static_cast<std::uint8_t>(field.raw_out & 0x7FU);
    switch (field.raw_in & count_bits) {
    case constant_count:
        field.count = {Extent::Kind::fixed, in.u16("constant count")};
        break;
    case variable_count:
        field.count = {Extent::Kind::prefixed, 0};
        break;
    case custom_count:
        // A serializer's data: the value is a counted blob, whatever its description says.
        result.custom_type =
            in.bytes("description of a custom type", in.u16("size of a custom type"));
        field.in_type = InType::counted_binary;
        return result;
    default:
        break;
    }
    if (field.in_type == InType::structure) {
        result.members = out;
    } else {
        field.out_type = out_type_of(out, field.in_type);
    }
    return result;
}

Result<void> read_fields(Cursor& in, EventSchema& schema, std::vector<Bytes>* texts) {
    std::vector<Field>& fields = schema.fields;
    OpenStructures structures;
    while (in && !in.is_at_end()) {
        if (fields.size() == limits::fields) {
            return fail(ErrorCode::limit, "fields of an event", FileOffset{in.position()},
                        limits::fields, fields.size() + 1);
        }
        WireField next = read_field(in);
        if (texts != nullptr) {
            texts->push_back(next.name);
            texts->push_back(next.custom_type);
        }
        if (!next.custom_type.empty()) {
            schema.custom_types.emplace_back(
                static_cast<std::uint16_t>(fields.size()),
                std::vector(next.custom_type.begin(), next.custom_type.end()));
        }
        fields.push_back(std::move(next.field));
        if (next.members == 0) {
            structures.add_member(fields);
        } else if (!structures.open(fields.size() - 1, next.members)) {
            return fail(ErrorCode::limit, "nesting of structures", FileOffset{in.position()},
                        format::max_struct_depth, format::max_struct_depth + 1);
        }
    }
    if (!in) {
        return std::unexpected(in.error());
    }
    if (!structures.empty()) {
        return fail(ErrorCode::truncated, "members of a structure", FileOffset{in.position()},
                    structures.missing(), 0);
    }
    return {};
}

Result<void> read_metadata(Bytes metadata, EventSchema& schema, std::vector<Bytes>* texts) {
    Cursor head(metadata);
    const std::size_t size = head.u16("size of event metadata");
    if (!head) {
        return std::unexpected(head.error());
    }
    if (size < 2) {
        return fail(ErrorCode::malformed, "size of event metadata", {}, 2, size);
    }
    if (size > metadata.size()) {
        return fail(ErrorCode::truncated, "event metadata", {}, size, metadata.size());
    }
    // The item may be padded behind `size`. Offsets in errors count from the front of the metadata.
    Cursor in(metadata.first(size));
    in.u16("size of event metadata");
    schema.tags = read_tags(in);
    const Bytes name = in.zero_terminated8("event name");
    append_utf8(schema.event_name, name);
    if (texts != nullptr) {
        texts->push_back(name);
    }
    return read_fields(in, schema, texts);
}

} // namespace

Result<EventSchema> parse_tracelogging(Bytes metadata, std::shared_ptr<const ProviderNames> names) {
    EventSchema schema;
    schema.origin = Origin::tracelogging;
    schema.provider = std::move(names);
    if (const auto read = read_metadata(metadata, schema, nullptr); !read) {
        return std::unexpected(read.error());
    }
    return schema;
}

Result<std::vector<Bytes>> texts_of_tracelogging(Bytes metadata) {
    EventSchema schema;
    std::vector<Bytes> texts;
    if (const auto read = read_metadata(metadata, schema, &texts); !read) {
        return std::unexpected(read.error());
    }
    return texts;
}

} // namespace etl::schema
