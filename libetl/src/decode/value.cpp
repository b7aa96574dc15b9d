#include <etl/base/layout.hpp>
#include <etl/decode/value.hpp>

namespace etl::decode {

namespace {

using schema::InType;
using schema::OutType;

// The integer forms of one meaning, by log2 of the size.
constexpr Form sized_form(Form smallest, unsigned size) noexcept {
    const unsigned step = size == 1 ? 0U : size == 2 ? 1U : size == 4 ? 2U : 3U;
    return static_cast<Form>(static_cast<unsigned>(smallest) + step);
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
Form integer_form(Form natural, OutType out, unsigned size) noexcept {
    if (out == OutType::string && size <= 2) {
        return size == 1 ? Form::char8 : Form::char16;
    }
    if (out == OutType::boolean) {
        return Form::boolean;
    }
    if (out == OutType::port && size == 2) {
        return Form::port;
    }
    if (out == OutType::ipv4 && size == 4) {
        return Form::ipv4;
    }
    if (is_date(out) && size == 8) {
        return Form::filetime;
    }
    if (out == OutType::etw_time && size == 8) {
        return Form::ticks;
    }
    if (is_hex_out(out)) {
        return sized_form(Form::hex8, size);
    }
    if (is_signed_out(out)) {
        return sized_form(Form::int8, size);
    }
    // Error codes are numbers even where the in type is a hexadecimal one.
    if (is_unsigned_out(out) || (error_space_of(out) != ErrorSpace::none && is_hex(natural))) {
        return sized_form(Form::uint8, size);
    }
    return natural;
}

Form binary_form(OutType out) noexcept {
    return out == OutType::ipv4             ? Form::ipv4
           : out == OutType::ipv6           ? Form::ipv6
           : out == OutType::socket_address ? Form::socket_address
           : out == OutType::mac_address    ? Form::mac_address
                                            : Form::binary;
}

// Text that is XML, JSON or declared UTF-8 is UTF-8 and not in the ANSI code page.
Form narrow_text_form(OutType out) noexcept {
    return out == OutType::utf8 || out == OutType::xml || out == OutType::json ? Form::utf8
                                                                               : Form::text8;
}

} // namespace

Form form_of(InType in, OutType out, unsigned pointer_size) noexcept {
    const unsigned size = schema::fixed_size(in, pointer_size);
    switch (in) {
    case InType::null:
        return Form::null;
    case InType::int8:
    case InType::int16:
    case InType::int32:
    case InType::int64:
        return integer_form(sized_form(Form::int8, size), out, size);
    case InType::uint8:
    case InType::uint16:
    case InType::uint32:
    case InType::uint64:
        return integer_form(sized_form(Form::uint8, size), out, size);
    case InType::hex_int32:
    case InType::hex_int64:
    case InType::pointer:
    case InType::pointer_sized:
        return integer_form(sized_form(Form::hex8, size), out, size);
    case InType::boolean:
        return Form::boolean;
    case InType::float32:
        return Form::float32;
    case InType::float64:
        return Form::float64;
    case InType::guid:
        return Form::guid;
    case InType::filetime:
        return Form::filetime;
    case InType::systemtime:
        return Form::systemtime;
    case InType::sid:
    case InType::wbem_sid:
        return Form::sid;
    case InType::unicode_char:
        return Form::char16;
    case InType::ansi_char:
        return Form::char8;
    case InType::unicode_string:
    case InType::counted_unicode_string:
    case InType::counted_string:
    case InType::reversed_counted_string:
    case InType::non_terminated_string:
        return Form::text16;
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
    return Form::null;
}

ErrorSpace error_space_of(OutType out) noexcept {
    return out == OutType::win32_error || out == OutType::error_code ? ErrorSpace::win32
           : out == OutType::ntstatus                                ? ErrorSpace::ntstatus
           : out == OutType::hresult                                 ? ErrorSpace::hresult
                                                                     : ErrorSpace::none;
}

std::uint64_t bits_of(const Value& value) noexcept {
    const std::byte* from = value.bytes.data();
    switch (value.bytes.size()) {
    case 1:
        return load_le<std::uint8_t>(from);
    case 2:
        return load_le<std::uint16_t>(from);
    case 4:
        return load_le<std::uint32_t>(from);
    case 8:
        return load_le<std::uint64_t>(from);
    default:
        return 0;
    }
}

std::int64_t signed_of(const Value& value) noexcept {
    const std::uint64_t bits = bits_of(value);
    const std::size_t size = value.bytes.size();
    if (!is_signed(value.form) || size == 0 || size >= 8) {
        return static_cast<std::int64_t>(bits);
    }
    const auto unused = static_cast<unsigned>(64 - 8 * size);
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

} // namespace etl::decode
