
#include <etl/field_types.hpp>

#include "base/text.hpp"

#include <array>
#include <utility>

namespace etl::format {

namespace {

// The name that we print comes first; the others are spellings that manifests use.
constexpr std::array in_types = std::to_array<std::pair<std::string_view, InType>>({
    {"Null", InType::null},
    {"UnicodeString", InType::unicode_string},
    {"AnsiString", InType::ansi_string},
    {"Int8", InType::int8},
    {"UInt8", InType::uint8},
    {"Int16", InType::int16},
    {"UInt16", InType::uint16},
    {"Int32", InType::int32},
    {"UInt32", InType::uint32},
    {"Int64", InType::int64},
    {"UInt64", InType::uint64},
    {"Float", InType::float32},
    {"Double", InType::float64},
    {"Boolean", InType::boolean},
    {"Binary", InType::binary},
    {"GUID", InType::guid},
    {"Pointer", InType::pointer},
    {"FILETIME", InType::filetime},
    {"SYSTEMTIME", InType::systemtime},
    {"SID", InType::sid},
    {"HexInt32", InType::hex_int32},
    {"HexInt64", InType::hex_int64},
    {"CountedUnicodeString", InType::counted_unicode_string},
    {"CountedUtf16String", InType::counted_unicode_string},
    {"CountedAnsiString", InType::counted_ansi_string},
    {"CountedMbcsString", InType::counted_ansi_string},
    {"Struct", InType::structure},
    {"CountedBinary", InType::counted_binary},
    {"CountedString", InType::counted_string},
    {"CountedAnsi", InType::counted_ansi},
    {"ReversedCountedString", InType::reversed_counted_string},
    {"ReversedCountedAnsiString", InType::reversed_counted_ansi},
    {"NonNullTerminatedString", InType::non_terminated_string},
    {"NonNullTerminatedAnsiString", InType::non_terminated_ansi},
    {"UnicodeChar", InType::unicode_char},
    {"AnsiChar", InType::ansi_char},
    {"SizeT", InType::pointer_sized},
    {"HexDump", InType::hex_dump},
    {"WBEMSid", InType::wbem_sid},
});

constexpr std::array out_types = std::to_array<std::pair<std::string_view, OutType>>({
    {"String", OutType::string},
    {"DateTime", OutType::date_time},
    {"Byte", OutType::int8},
    {"UnsignedByte", OutType::uint8},
    {"Short", OutType::int16},
    {"UnsignedShort", OutType::uint16},
    {"Int", OutType::int32},
    {"UnsignedInt", OutType::uint32},
    {"Long", OutType::int64},
    {"UnsignedLong", OutType::uint64},
    {"Float", OutType::float32},
    {"Double", OutType::float64},
    {"Boolean", OutType::boolean},
    {"GUID", OutType::guid},
    {"HexBinary", OutType::hex_binary},
    {"HexInt8", OutType::hex_int8},
    {"HexInt16", OutType::hex_int16},
    {"HexInt32", OutType::hex_int32},
    {"HexInt64", OutType::hex_int64},
    {"PID", OutType::pid},
    {"TID", OutType::tid},
    {"Port", OutType::port},
    {"IPv4", OutType::ipv4},
    {"IPv6", OutType::ipv6},
    {"SocketAddress", OutType::socket_address},
    {"CIMDateTime", OutType::cim_date_time},
    {"ETWTIME", OutType::etw_time},
    {"Xml", OutType::xml},
    {"ErrorCode", OutType::error_code},
    {"Win32Error", OutType::win32_error},
    {"NTSTATUS", OutType::ntstatus},
    {"HResult", OutType::hresult},
    {"DateTimeCultureInsensitive", OutType::culture_insensitive_date_time},
    {"Json", OutType::json},
    {"Utf8", OutType::utf8},
    {"Pkcs7WithTypeInfo", OutType::pkcs7},
    {"CodePointer", OutType::code_pointer},
    {"DateTimeUtc", OutType::date_time_utc},
    {"ReducedString", OutType::reduced_string},
    {"NoPrint", OutType::no_print},
    {"MacAddress", OutType::mac_address},
    {"PaddedMacAddress", OutType::padded_mac_address},
    {"TimeDelta", OutType::time_delta},
    {"TextLine", OutType::text_line},
});

template <typename Table, typename Type>
std::string_view name_in(const Table& table, Type type) noexcept {
    for (const auto& [text, value] : table) {
        if (value == type) {
            return text;
        }
    }
    return {};
}

template <typename Type, typename Table>
std::optional<Type> value_in(const Table& table, std::string_view name) noexcept {
    const std::size_t colon = name.rfind(':');
    const std::string_view local = colon == name.npos ? name : name.substr(colon + 1);
    for (const auto& [text, value] : table) {
        if (equals_ignoring_case(text, local)) {
            return value;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<InType> parse_in_type(std::string_view name) noexcept {
    return value_in<InType>(in_types, name);
}

std::optional<OutType> parse_out_type(std::string_view name) noexcept {
    return value_in<OutType>(out_types, name);
}

std::string_view name(InType type) noexcept {
    return name_in(in_types, type);
}

std::string_view name(OutType type) noexcept {
    return name_in(out_types, type);
}

OutType default_out_type(InType type) noexcept {
    switch (type) {
    case InType::unicode_string:
    case InType::ansi_string:
    case InType::counted_unicode_string:
    case InType::counted_ansi_string:
    case InType::counted_string:
    case InType::counted_ansi:
    case InType::reversed_counted_string:
    case InType::reversed_counted_ansi:
    case InType::non_terminated_string:
    case InType::non_terminated_ansi:
    case InType::unicode_char:
    case InType::ansi_char:
    case InType::sid:
    case InType::wbem_sid:
        return OutType::string;
    case InType::int8:
        return OutType::int8;
    case InType::uint8:
        return OutType::uint8;
    case InType::int16:
        return OutType::int16;
    case InType::uint16:
        return OutType::uint16;
    case InType::int32:
        return OutType::int32;
    case InType::uint32:
        return OutType::uint32;
    case InType::int64:
        return OutType::int64;
    case InType::uint64:
        return OutType::uint64;
    case InType::float32:
        return OutType::float32;
    case InType::float64:
        return OutType::float64;
    case InType::boolean:
        return OutType::boolean;
    case InType::binary:
    case InType::counted_binary:
    case InType::hex_dump:
        return OutType::hex_binary;
    case InType::guid:
        return OutType::guid;
    case InType::pointer:
    case InType::pointer_sized:
    case InType::hex_int64:
        return OutType::hex_int64;
    case InType::hex_int32:
        return OutType::hex_int32;
    case InType::filetime:
    case InType::systemtime:
        return OutType::date_time;
    case InType::null:
    case InType::structure:
        return OutType::none;
    }
    return OutType::none;
}

} // namespace etl::format
