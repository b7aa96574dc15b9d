#include "schema/value_form.hpp"

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

namespace {

// The integer forms of one meaning, by log2 of the size.
constexpr ValueForm sized_form(ValueForm min_size, std::uint32_t size) noexcept {
    const unsigned step = size == 1 ? 0U : size == 2 ? 1U : size == 4 ? 2U : 3U;
    return static_cast<ValueForm>(static_cast<unsigned>(min_size) + step);
}

bool is_date(OutType out) noexcept {
    return out == OutType::date_time || out == OutType::date_time_utc ||
           out == OutType::cim_date_time || out == OutType::culture_insensitive_date_time;
}

bool is_signed_out(OutType out) noexcept {
    return out == OutType::int8 || out == OutType::int16 || out == OutType::int32 ||
           out == OutType::int64;
}

bool is_unsigned_out(OutType out) noexcept {
    return out == OutType::uint8 || out == OutType::uint16 || out == OutType::uint32 ||
           out == OutType::uint64 || out == OutType::pid || out == OutType::tid ||
           out == OutType::etw_time;
}

bool is_hex_out(OutType out) noexcept {
    return out == OutType::hex_int8 || out == OutType::hex_int16 || out == OutType::hex_int32 ||
           out == OutType::hex_int64 || out == OutType::code_pointer;
}

// An integer of `size` bytes whose in type alone would be shown as `natural`.
ValueForm integer_form(ValueForm natural, OutType out, std::uint32_t size) noexcept {
    if (out == OutType::string && size <= 2) {
        return size == 1 ? ValueForm::char8 : ValueForm::char16;
    }
    if (out == OutType::boolean) {
        return ValueForm::boolean;
    }
    if (out == OutType::port && size == 2) {
        return ValueForm::port;
    }
    if (out == OutType::ipv4 && size == 4) {
        return ValueForm::ipv4;
    }
    if (is_date(out) && size == 8) {
        return ValueForm::filetime;
    }
    if (out == OutType::etw_time && size == 8) {
        return ValueForm::ticks;
    }
    if (out == OutType::padded_mac_address && size == 8) {
        return ValueForm::padded_mac_address;
    }
    if (is_hex_out(out)) {
        return sized_form(ValueForm::hex8, size);
    }
    if (is_signed_out(out)) {
        return sized_form(ValueForm::int8, size);
    }
    // Error codes are numbers even where the in type is a hexadecimal one.
    if (is_unsigned_out(out) || (error_space_of(out) != ErrorSpace::none && is_hex(natural))) {
        return sized_form(ValueForm::uint8, size);
    }
    return natural;
}

ValueForm binary_form(OutType out) noexcept {
    return out == OutType::ipv4                 ? ValueForm::ipv4
           : out == OutType::ipv6               ? ValueForm::ipv6
           : out == OutType::socket_address     ? ValueForm::socket_address
           : out == OutType::mac_address        ? ValueForm::mac_address
           : out == OutType::padded_mac_address ? ValueForm::padded_mac_address
                                                : ValueForm::binary;
}

// Text that is XML, JSON or declared UTF-8 is UTF-8 and not in the ANSI code page.
ValueForm narrow_text_form(OutType out) noexcept {
    return out == OutType::utf8 || out == OutType::xml || out == OutType::json ? ValueForm::utf8
                                                                               : ValueForm::text8;
}

} // namespace

ValueForm form_of(InType in, OutType out, std::uint32_t pointer_size) noexcept {
    const std::uint32_t size = fixed_size(in, pointer_size);
    switch (in) {
    case InType::null:
        return ValueForm::null;
    case InType::int8:
    case InType::int16:
    case InType::int32:
    case InType::int64:
        return integer_form(sized_form(ValueForm::int8, size), out, size);
    case InType::uint8:
    case InType::uint16:
    case InType::uint32:
    case InType::uint64:
        return integer_form(sized_form(ValueForm::uint8, size), out, size);
    case InType::hex_int32:
    case InType::hex_int64:
    case InType::pointer:
    case InType::pointer_sized:
        return integer_form(sized_form(ValueForm::hex8, size), out, size);
    case InType::boolean:
        return ValueForm::boolean;
    case InType::float32:
        return ValueForm::float32;
    case InType::float64:
        return ValueForm::float64;
    case InType::guid:
        return ValueForm::guid;
    case InType::filetime:
        return ValueForm::filetime;
    case InType::systemtime:
        return ValueForm::systemtime;
    case InType::sid:
    case InType::wbem_sid:
        return ValueForm::sid;
    case InType::unicode_char:
        return ValueForm::char16;
    case InType::ansi_char:
        return ValueForm::char8;
    case InType::unicode_string:
    case InType::counted_unicode_string:
    case InType::counted_string:
    case InType::reversed_counted_string:
    case InType::non_terminated_string:
        return ValueForm::text16;
    case InType::ansi_string:
    case InType::counted_ansi_string:
    case InType::counted_ansi:
    case InType::reversed_counted_ansi:
    case InType::non_terminated_ansi:
        return narrow_text_form(out);
    case InType::binary:
    case InType::counted_binary:
    case InType::hex_dump:
        return binary_form(out);
    case InType::structure:
        break;
    }
    return ValueForm::null;
}

ErrorSpace error_space_of(OutType out) noexcept {
    return out == OutType::win32_error || out == OutType::error_code ? ErrorSpace::win32
           : out == OutType::ntstatus                                ? ErrorSpace::ntstatus
           : out == OutType::hresult                                 ? ErrorSpace::hresult
                                                                     : ErrorSpace::none;
}

} // namespace etl::schema
