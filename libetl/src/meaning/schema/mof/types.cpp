#include "schema/mof/types.hpp"

#include "base/text.hpp"
#include "schema/field_scopes.hpp"

namespace etl::schema {

namespace {

struct NamedType {
    std::string_view name;
    InType in;
    OutType out = OutType::none;
};

const NamedType* look_up(std::span<const NamedType> table, std::string_view name) noexcept {
    for (const NamedType& known : table) {
        if (equals_ignoring_case(known.name, name)) {
            return &known;
        }
    }
    return nullptr;
}

// datetime is a text of fixed form, "yyyymmddhhmmss.mmmmmmsutc".
constexpr NamedType declared_types[] = {
    {"uint8", InType::uint8},
    {"sint8", InType::int8},
    {"uint16", InType::uint16},
    {"sint16", InType::int16},
    {"uint32", InType::uint32},
    {"sint32", InType::int32},
    {"uint64", InType::uint64},
    {"sint64", InType::int64},
    {"real32", InType::float32},
    {"real64", InType::float64},
    {"boolean", InType::uint8, OutType::boolean},
    {"char8", InType::ansi_char},
    {"char16", InType::unicode_char},
    {"string", InType::ansi_string},
    {"datetime", InType::unicode_string, OutType::cim_date_time},
    {"object", InType::hex_dump},
};

// Two are ours: FileTime, a time that is not in the session's clock, and PhysicalAddr, an array of
// bytes that begins with a physical address.
constexpr NamedType extensions[] = {
    {"Sid", InType::wbem_sid},
    {"Port", InType::uint16, OutType::port},
    {"IPAddr", InType::uint32, OutType::ipv4},
    {"IPAddrV4", InType::uint32, OutType::ipv4},
    {"IPAddrV6", InType::binary, OutType::ipv6},
    {"GUID", InType::guid},
    {"WmiTime", InType::uint64, OutType::etw_time},
    {"FileTime", InType::filetime},
    {"PhysicalAddr", InType::binary, OutType::padded_mac_address},
    {"SizeT", InType::pointer_sized},
    {"Variant", InType::binary},
    {"UTF8", InType::ansi_string, OutType::utf8},
    {"RString", InType::ansi_string, OutType::reduced_string},
    {"RWString", InType::unicode_string, OutType::reduced_string},
};

struct Termination {
    std::string_view name;
    InType narrow;
    InType wide;
};

constexpr Termination terminations[] = {
    {"NullTerminated", InType::ansi_string, InType::unicode_string},
    {"Counted", InType::counted_ansi, InType::counted_string},
    {"ReverseCounted", InType::reversed_counted_ansi, InType::reversed_counted_string},
    {"NotCounted", InType::non_terminated_ansi, InType::non_terminated_string},
};

bool is_terminated_text(InType type) noexcept {
    return type == InType::ansi_string || type == InType::unicode_string;
}

// How a text ends, and of which characters it is.
void apply_termination(const MofProperty& property, MofType& type) noexcept {
    const bool is_wide = type.in == InType::unicode_string ||
                         equals_ignoring_case(text_of(property.qualifiers, "format"), "w");
    const std::string_view name = text_of(property.qualifiers, "StringTermination");
    type.in = is_wide ? InType::unicode_string : InType::ansi_string;
    for (const Termination& known : terminations) {
        if (equals_ignoring_case(known.name, name)) {
            type.in = is_wide ? known.wide : known.narrow;
            return;
        }
    }
    if (!name.empty()) {
        type.remark = "has an unknown StringTermination";
    }
}

OutType hex_of(InType type) noexcept {
    switch (fixed_size(type, 8)) {
    case 1:
        return OutType::hex_int8;
    case 2:
        return OutType::hex_int16;
    case 4:
        return OutType::hex_int32;
    default:
        return OutType::hex_int64;
    }
}

void apply_format(const MofProperty& property, MofType& type) noexcept {
    const std::string_view format = text_of(property.qualifiers, "format");
    const bool is_character = type.in == InType::unicode_char || type.in == InType::ansi_char;
    const bool is_byte = type.in == InType::uint8 || type.in == InType::int8;
    const bool asks_text = equals_ignoring_case(format, "s") || equals_ignoring_case(format, "w");
    if ((is_character || is_byte) && asks_text) {
        type.in = type.in == InType::unicode_char ? InType::unicode_string : InType::ansi_string;
        type.is_one_value = true;
    } else if (equals_ignoring_case(format, "x") && is_countable(type.in) &&
               type.out == OutType::none) {
        type.out = hex_of(type.in);
    } else if (equals_ignoring_case(format, "c") && is_countable(type.in) &&
               fixed_size(type.in, 8) <= 2) {
        type.out = OutType::string;
    }
}

MofType declared(const MofProperty& property) noexcept {
    // Texts made by tools name the type once more, sometimes better.
    const std::string_view again = text_of(property.qualifiers, "CimType");
    const NamedType* known = look_up(declared_types, again);
    if (known == nullptr) {
        known = look_up(declared_types, property.type);
    }
    return known == nullptr ? MofType{.is_known = false} : MofType{known->in, known->out};
}

} // namespace

MofType type_of(const MofProperty& property) noexcept {
    if (is_set(property.qualifiers, "pointer") || is_set(property.qualifiers, "PointerType")) {
        return {.in = InType::pointer};
    }
    MofType type = declared(property);
    const MofQualifier* extension = find(property.qualifiers, "extension");
    const std::string_view name = text_of(property.qualifiers, "extension");
    if (const NamedType* known = look_up(extensions, name)) {
        type = {.in = known->in,
                .out = known->out,
                .is_one_value = known->out == OutType::padded_mac_address};
    } else if (equals_ignoring_case(name, "NoPrint")) {
        type.out = OutType::no_print;
    } else if (extension != nullptr) {
        type.remark = "has an unknown extension";
    }
    if (is_terminated_text(type.in) && type.out != OutType::cim_date_time) {
        apply_termination(property, type);
    } else {
        apply_format(property, type);
    }
    return type;
}

} // namespace etl::schema
