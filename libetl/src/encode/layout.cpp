#include "encode/layout.hpp"

#include <etl/base/limits.hpp>

#include <algorithm>
#include <array>

namespace etl::encode {

namespace {

using schema::Extent;
using schema::Field;
using schema::InType;
using schema::OutType;

bool takes_length(InType type) noexcept {
    return type == InType::unicode_string || type == InType::ansi_string || type == InType::binary;
}

Shape natural_shape(const Field& field, std::uint32_t pointer_size) noexcept {
    switch (field.in_type) {
    case InType::null:
        return Shape::nothing;
    case InType::unicode_string:
    case InType::ansi_string:
        return Shape::terminated;
    case InType::binary:
        return field.out_type == OutType::ipv6 ? Shape::fixed : Shape::rest;
    case InType::sid:
        return Shape::sid;
    case InType::wbem_sid:
        return Shape::wbem_sid;
    case InType::counted_unicode_string:
    case InType::counted_ansi_string:
    case InType::counted_binary:
    case InType::counted_string:
    case InType::counted_ansi:
        return Shape::counted;
    case InType::reversed_counted_string:
    case InType::reversed_counted_ansi:
        return Shape::counted_big_endian;
    case InType::non_terminated_string:
    case InType::non_terminated_ansi:
        return Shape::rest;
    case InType::hex_dump:
        return Shape::counted32;
    case InType::structure:
        return Shape::structure;
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
        break;
    }
    return schema::fixed_size(field.in_type, pointer_size) > 0 ? Shape::fixed : Shape::unknown;
}

Shape shape_of(const Field& field, std::uint32_t pointer_size) noexcept {
    if (takes_length(field.in_type)) {
        switch (field.length.kind) {
        case Extent::Kind::natural:
            break;
        case Extent::Kind::prefixed:
            return Shape::counted;
        case Extent::Kind::rest:
            return Shape::rest;
        case Extent::Kind::fixed:
        case Extent::Kind::field:
        case Extent::Kind::unknown:
            return Shape::sized;
        }
    }
    return natural_shape(field, pointer_size);
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

bool is_error_out(OutType out) noexcept {
    return out == OutType::win32_error || out == OutType::error_code || out == OutType::ntstatus ||
           out == OutType::hresult;
}

// An integer of `size` bytes that the in type alone would make `natural`.
Form integer_form(Form natural, OutType out, std::uint32_t size) noexcept {
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
    if (is_hex_out(out)) {
        return Form::bits;
    }
    if (is_signed_out(out)) {
        return Form::signed_integer;
    }
    return is_unsigned_out(out) ? Form::unsigned_integer : natural;
}

Form binary_form(OutType out) noexcept {
    return out == OutType::ipv4             ? Form::ipv4
           : out == OutType::ipv6           ? Form::ipv6
           : out == OutType::socket_address ? Form::socket_address
           : out == OutType::mac_address    ? Form::mac_address
                                            : Form::binary;
}

Form narrow_form(OutType out) noexcept {
    return out == OutType::utf8 || out == OutType::xml || out == OutType::json ? Form::utf8
                                                                               : Form::text8;
}

Form form_of(InType in, OutType out, std::uint32_t size) noexcept {
    switch (in) {
    case InType::int8:
    case InType::int16:
    case InType::int32:
    case InType::int64:
        return integer_form(Form::signed_integer, out, size);
    case InType::uint8:
    case InType::uint16:
    case InType::uint32:
    case InType::uint64:
        return integer_form(Form::unsigned_integer, out, size);
    case InType::hex_int32:
    case InType::hex_int64:
    case InType::pointer:
    case InType::pointer_sized:
        return integer_form(Form::bits, out, size);
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
        return narrow_form(out);
    case InType::binary:
    case InType::counted_binary:
    case InType::hex_dump:
        return binary_form(out);
    case InType::null:
    case InType::structure:
        break;
    }
    return Form::nothing;
}

// Of a fixed value; of a WBEM SID one of the two words before it.
std::uint8_t size_of(InType type, std::uint32_t pointer_size) noexcept {
    constexpr std::uint8_t ipv6_bytes = 16;
    const InType counts = type == InType::wbem_sid ? InType::pointer : type;
    return type == InType::binary
               ? ipv6_bytes
               : static_cast<std::uint8_t>(schema::fixed_size(counts, pointer_size));
}

bool is_number(Form form) noexcept {
    return form == Form::signed_integer || form == Form::unsigned_integer || form == Form::bits;
}

} // namespace

Layout::Layout(const schema::EventSchema& schema, std::uint32_t pointer_size)
    : names_(schema::unique_names(schema)) {
    fields_.reserve(schema.fields.size());
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        fields_.push_back(field_of(schema, i, pointer_size));
    }
    check_structures();
}

LayoutField Layout::field_of(const schema::EventSchema& schema, std::size_t index,
                             std::uint32_t pointer_size) {
    const Field& field = schema.fields[index];
    LayoutField made;
    made.name = names_[index];
    made.shape = shape_of(field, pointer_size);
    made.size = size_of(field.in_type, pointer_size);
    made.form = form_of(field.in_type, field.out_type, made.size);
    made.is_error_code = is_error_out(field.out_type);
    made.unit = made.form == Form::text16 ? 2 : 1;
    made.members = made.shape == Shape::structure ? field.members : std::uint16_t{0};
    made.count = resolved(field.count);
    made.length = resolved(field.length);
    if (field.map < schema.maps.size() && is_number(made.form)) {
        made.map = schema.maps[field.map].get();
    }
    const bool one_number = made.shape == Shape::fixed && made.size <= sizeof(std::uint64_t) &&
                            field.count.kind == Extent::Kind::natural;
    if (field.referenced && one_number) {
        made.slot = slots_++;
    }
    return made;
}

// Turns a field number into the slot where that field is remembered.
Extent Layout::resolved(const Extent& extent) const noexcept {
    if (extent.kind != Extent::Kind::field) {
        return extent;
    }
    if (extent.value >= fields_.size() || fields_[extent.value].slot == LayoutField::no_slot) {
        return {Extent::Kind::unknown, extent.value};
    }
    return {Extent::Kind::field, fields_[extent.value].slot};
}

// Members must lie inside the structure around them, and not too deep.
void Layout::check_structures() {
    std::array<std::size_t, limits::struct_depth> ends{};
    std::size_t depth = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        while (depth > 0 && ends[depth - 1] == i) {
            --depth;
        }
        LayoutField& field = fields_[i];
        if (field.shape != Shape::structure) {
            continue;
        }
        const std::size_t around = depth > 0 ? ends[depth - 1] : fields_.size();
        const std::size_t end = i + 1 + field.members;
        if (end > around || depth == ends.size()) {
            field.shape = Shape::unknown;
            field.members = static_cast<std::uint16_t>(std::min(end, around) - i - 1);
            continue;
        }
        ends[depth++] = end;
    }
}

} // namespace etl::encode
