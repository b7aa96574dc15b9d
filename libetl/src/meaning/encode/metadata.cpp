#include "encode/metadata.hpp"

#include "base/hex_pairs.hpp"
#include "format/limits.hpp"

namespace etl::encode {

namespace {

using Count = MetadataField::Count;

// Bits of the in byte, the out byte and of tags. docs/format/decoding.md#tracelogging
constexpr std::uint8_t last_type = 0x1F;
constexpr std::uint8_t last_out_type = 0x7F;
constexpr std::uint8_t structure_type = 24;
constexpr std::uint8_t chained = 0x80;
constexpr std::uint32_t last_tags = 0x0FFFFFFF;

std::uint8_t count_bits(Count count) noexcept {
    switch (count) {
    case Count::one:
        return 0;
    case Count::fixed:
        return 0x20;
    case Count::variable:
        return 0x40;
    case Count::custom:
        break;
    }
    return 0x60;
}

// 28 bits, seven a byte, the high ones first; no zeros at the end.
void put_tags(ByteWriter& to, std::uint32_t tags) {
    constexpr unsigned first_shift = 21;
    constexpr std::uint32_t behind_first = (1U << first_shift) - 1;
    while ((tags & behind_first) != 0) {
        to.u8(static_cast<std::uint8_t>(chained | (tags >> first_shift & 0x7FU)));
        tags <<= 7U;
    }
    to.u8(static_cast<std::uint8_t>(tags >> first_shift & 0x7FU));
}

Result<void> put_custom_type(ByteWriter& to, std::string_view hex) {
    const std::size_t size = hex.size() / 2;
    if (size > limits::metadata_bytes) {
        return fail(ErrorCode::limit, "description of a custom type", {}, limits::metadata_bytes,
                    size);
    }
    std::vector<std::byte> bytes(size + 1);
    if (put_bytes_of_hex(bytes.data(), hex) == nullptr) {
        return fail(ErrorCode::malformed, "description of a custom type");
    }
    to.u16(static_cast<std::uint16_t>(size)).bytes(Bytes(bytes).first(size));
    return {};
}

Result<void> put_field(ByteWriter& to, const MetadataField& field) {
    if (field.name.contains('\0')) {
        return fail(ErrorCode::malformed, "name of a field");
    }
    if (field.in > last_type) {
        return fail(ErrorCode::malformed, "type of a field", {}, last_type, field.in);
    }
    if (field.out > last_out_type) {
        return fail(ErrorCode::malformed, "out type of a field", {}, last_out_type, field.out);
    }
    if (field.tags > last_tags) {
        return fail(ErrorCode::malformed, "tags of a field", {}, last_tags, field.tags);
    }
    const bool has_tags = field.tags != 0;
    const bool has_out = field.out != 0 || has_tags;
    to.zero_terminated8(field.name);
    to.u8(static_cast<std::uint8_t>(field.in | count_bits(field.count) | (has_out ? chained : 0U)));
    if (has_out) {
        to.u8(static_cast<std::uint8_t>(field.out | (has_tags ? chained : 0U)));
    }
    if (has_tags) {
        put_tags(to, field.tags);
    }
    if (field.count == Count::fixed) {
        to.u16(field.fixed);
    }
    return field.count == Count::custom ? put_custom_type(to, field.custom_type) : Result<void>{};
}

// Fields that structures up to the last field still lack. A structure is one member of the one
// around it.
std::size_t missing_members(std::span<const MetadataField> fields) noexcept {
    std::size_t open[limits::struct_depth] = {};
    std::size_t depth = 0;
    for (const MetadataField& field : fields) {
        // The value of a custom field is a blob, whatever its type.
        if (field.in == structure_type && field.count != Count::custom && field.out != 0) {
            if (depth == limits::struct_depth) {
                return fields.size(); // nobody can read it
            }
            open[depth++] = field.out;
            continue;
        }
        while (depth > 0 && --open[depth - 1] == 0) {
            --depth;
        }
    }
    return depth > 0 ? open[depth - 1] : 0;
}

Result<void> put_event(ByteWriter& to, std::string_view name, std::uint32_t tags,
                       std::span<const MetadataField> fields) {
    if (name.contains('\0')) {
        return fail(ErrorCode::malformed, "name of an event");
    }
    if (tags > last_tags) {
        return fail(ErrorCode::malformed, "tags of an event", {}, last_tags, tags);
    }
    if (const std::size_t missing = missing_members(fields); missing > 0) {
        return fail(ErrorCode::malformed, "members of a structure", {}, missing, 0);
    }
    to.u16(0);
    put_tags(to, tags);
    to.zero_terminated8(name);
    for (const MetadataField& field : fields) {
        if (const auto put = put_field(to, field); !put) {
            return put;
        }
        if (to.size() > limits::metadata_bytes) {
            return fail(ErrorCode::limit, "event metadata", {}, limits::metadata_bytes, to.size());
        }
    }
    if (to.size() > limits::metadata_bytes) {
        return fail(ErrorCode::limit, "event metadata", {}, limits::metadata_bytes, to.size());
    }
    to.patch(0, static_cast<std::uint16_t>(to.size()));
    return {};
}

void put_trait(ByteWriter& to, std::uint8_t type, const std::optional<Guid>& guid) {
    constexpr std::uint16_t size = sizeof(std::uint16_t) + sizeof type + sizeof(Guid);
    if (guid) {
        to.u16(size).u8(type).guid(*guid);
    }
}

} // namespace

Result<void> encode_metadata(std::string_view event_name, std::uint32_t tags,
                             std::span<const MetadataField> fields, ByteWriter& to) {
    ByteWriter whole;
    const auto put = put_event(whole, event_name, tags, fields);
    if (put) {
        to.bytes(whole.view());
    }
    return put;
}

Result<void> encode_traits(std::string_view provider_name, const std::optional<Guid>& group,
                           const std::optional<Guid>& decode, ByteWriter& to) {
    if (provider_name.contains('\0')) {
        return fail(ErrorCode::malformed, "name of a provider");
    }
    ByteWriter whole;
    whole.u16(0).zero_terminated8(provider_name);
    put_trait(whole, 1, group);
    put_trait(whole, 2, decode);
    if (whole.size() > limits::metadata_bytes) {
        return fail(ErrorCode::limit, "provider traits", {}, limits::metadata_bytes, whole.size());
    }
    whole.patch(0, static_cast<std::uint16_t>(whole.size()));
    to.bytes(whole.view());
    return {};
}

} // namespace etl::encode
