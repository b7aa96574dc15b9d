#include "authoring/validate/field_types.hpp"

#include "base/text.hpp"
#include "schema/field_types.hpp"
#include "schema/manifest/reading.hpp"

#include <algorithm>
#include <array>

namespace etl::authoring {

namespace {

using schema::InType;
using schema::OutType;

// The in types of manifests, and the out types that each may have besides its own.
struct Allowed {
    InType in;
    std::array<OutType, 8> out; // ends with none
};

constexpr std::array allowed = std::to_array<Allowed>({
    {InType::unicode_string, {OutType::xml, OutType::json, OutType::date_time}},
    {InType::ansi_string, {OutType::utf8, OutType::xml, OutType::json}},
    {InType::int8, {OutType::string, OutType::hex_int8}},
    {InType::uint8, {OutType::hex_int8, OutType::string, OutType::boolean}},
    {InType::int16, {OutType::hex_int16}},
    {InType::uint16, {OutType::port, OutType::hex_int16, OutType::string}},
    {InType::int32, {OutType::hresult, OutType::hex_int32, OutType::ntstatus}},
    {InType::uint32,
     {OutType::pid, OutType::tid, OutType::ipv4, OutType::etw_time, OutType::error_code,
      OutType::win32_error, OutType::ntstatus, OutType::hex_int32}},
    {InType::int64, {OutType::hex_int64, OutType::etw_time}},
    {InType::uint64, {OutType::hex_int64, OutType::etw_time, OutType::code_pointer}},
    {InType::float32, {}},
    {InType::float64, {}},
    {InType::boolean, {}},
    {InType::binary, {OutType::ipv6, OutType::socket_address, OutType::pkcs7}},
    {InType::guid, {}},
    {InType::pointer, {OutType::code_pointer, OutType::uint64}},
    {InType::filetime, {OutType::culture_insensitive_date_time, OutType::date_time_utc}},
    {InType::systemtime, {OutType::culture_insensitive_date_time, OutType::date_time_utc}},
    {InType::sid, {}},
    {InType::hex_int32,
     {OutType::error_code, OutType::win32_error, OutType::ntstatus, OutType::hresult}},
    {InType::hex_int64, {OutType::code_pointer}},
    {InType::counted_unicode_string, {OutType::xml, OutType::json}},
    {InType::counted_ansi_string, {OutType::utf8, OutType::xml, OutType::json}},
    {InType::counted_binary, {OutType::ipv6, OutType::socket_address, OutType::pkcs7}},
});

const Allowed* find_allowed(InType type) noexcept {
    const auto found = std::ranges::find(allowed, type, &Allowed::in);
    return found == allowed.end() ? nullptr : &*found;
}

} // namespace

bool is_legal(InType in, OutType out) noexcept {
    const Allowed* const row = find_allowed(in);
    return row != nullptr && (out == schema::default_out_type(in) ||
                              std::ranges::find(row->out, out) != row->out.end());
}

std::optional<InType> manifest_type(std::string_view written) noexcept {
    const std::string_view local = schema::local_name(written);
    const auto type = schema::parse_in_type(local);
    const bool is_artefact = equals_ignoring_case(local, "CountedUtf16String") ||
                             equals_ignoring_case(local, "CountedMbcsString");
    return type && !is_artefact && find_allowed(*type) != nullptr ? type : std::nullopt;
}

bool is_converted_type(std::string_view written) noexcept {
    constexpr std::array names{"UnicodeChar", "AnsiChar", "Port",    "SizeT",  "IPAddr",
                               "IPAddrV4",    "IPAddrV6", "WBEMSid", "WmiTime"};
    const std::string_view local = schema::local_name(written);
    return std::ranges::any_of(names,
                               [&](const char* name) { return equals_ignoring_case(name, local); });
}

bool may_have_length(InType type) noexcept {
    return type == InType::unicode_string || type == InType::ansi_string || type == InType::binary;
}

bool may_count(InType type) noexcept {
    return type == InType::uint8 || type == InType::uint16 || type == InType::uint32 ||
           type == InType::hex_int32;
}

bool may_have_map(InType type) noexcept {
    return may_count(type);
}

bool is_integer(InType type) noexcept {
    const auto code = static_cast<unsigned>(type);
    return (code >= 3 && code <= 10) || type == InType::hex_int32 || type == InType::hex_int64;
}

} // namespace etl::authoring
