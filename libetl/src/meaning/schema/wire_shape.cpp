#include "schema/wire_shape.hpp"

namespace etl::schema {

namespace {

bool takes_length(InType type) noexcept {
    return type == InType::unicode_string || type == InType::ansi_string || type == InType::binary;
}

WireShape natural_shape(const Field& field) noexcept {
    switch (field.in_type) {
    case InType::null:
        return WireShape::empty;
    case InType::unicode_string:
    case InType::ansi_string:
        return WireShape::terminated;
    case InType::binary:
        return field.out_type == OutType::ipv6 ? WireShape::fixed : WireShape::rest;
    case InType::sid:
        return WireShape::sid;
    case InType::wbem_sid:
        return WireShape::wbem_sid;
    case InType::counted_unicode_string:
    case InType::counted_ansi_string:
    case InType::counted_binary:
    case InType::counted_string:
    case InType::counted_ansi:
        return WireShape::counted;
    case InType::reversed_counted_string:
    case InType::reversed_counted_ansi:
        return WireShape::counted_big_endian;
    case InType::non_terminated_string:
    case InType::non_terminated_ansi:
        return WireShape::rest;
    case InType::hex_dump:
        return WireShape::counted32;
    case InType::structure:
        return WireShape::structure;
    case InType::int8:
    case InType::uint8:
    case InType::int16:
    case InType::uint16:
    case InType::int32:
    case InType::uint32:
    case InType::int64:
    case InType::uint64:
    case InType::float32:
    case InType::float64:
    case InType::boolean:
    case InType::guid:
    case InType::pointer:
    case InType::filetime:
    case InType::systemtime:
    case InType::hex_int32:
    case InType::hex_int64:
    case InType::unicode_char:
    case InType::ansi_char:
    case InType::pointer_sized:
        return WireShape::fixed;
    }
    return WireShape::unknown;
}

} // namespace

WireShape shape_of(const Field& field) noexcept {
    if (!takes_length(field.in_type)) {
        return natural_shape(field);
    }
    switch (field.length.kind) {
    case Extent::Kind::natural:
        return natural_shape(field);
    case Extent::Kind::prefixed:
        return WireShape::counted;
    case Extent::Kind::rest:
        return WireShape::rest;
    case Extent::Kind::fixed:
    case Extent::Kind::field:
    case Extent::Kind::unknown:
        break;
    }
    return WireShape::sized;
}

std::uint8_t wire_size(InType type, std::uint32_t pointer_size) noexcept {
    constexpr std::uint8_t ipv6_bytes = 16; // the one binary value of fixed shape
    const InType sized = type == InType::wbem_sid ? InType::pointer : type;
    return type == InType::binary ? ipv6_bytes
                                  : static_cast<std::uint8_t>(fixed_size(sized, pointer_size));
}

} // namespace etl::schema
