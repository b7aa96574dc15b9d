#include "authoring/cpp/values.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace etl::authoring {

namespace {

// By in type. Types of manifests end at 25; those whose length is told elsewhere have none here.
constexpr auto forms = std::to_array<CppForm>({
    {""}, // null
    {""}, // UnicodeString
    {""}, // AnsiString
    {"std::int8_t"},
    {"std::uint8_t"},
    {"std::int16_t"},
    {"std::uint16_t"},
    {"std::int32_t"},
    {"std::uint32_t"},
    {"std::int64_t"},
    {"std::uint64_t"},
    {"float", "value", CppForm::Kind::number},
    {"double", "value", CppForm::Kind::number},
    {"bool", "value_as<std::uint32_t>", CppForm::Kind::number},
    {""}, // Binary
    {"etl::Guid", "value", CppForm::Kind::object},
    {"std::uint64_t"}, // Pointer
    {"etl::Filetime", "value", CppForm::Kind::number},
    {"etl::provider::SystemTime", "value", CppForm::Kind::object},
    {"etl::provider::Sid", "value", CppForm::Kind::object},
    {"std::uint32_t"}, // HexInt32
    {"std::uint64_t"}, // HexInt64
    {"std::u16string_view", "counted", CppForm::Kind::text},
    {"std::string_view", "counted", CppForm::Kind::text},
    {""}, // a structure
    {"std::span<const std::byte>", "counted", CppForm::Kind::text},
});

CppValue sized_value(const schema::Field& field, std::string_view told_length, CppPlace place) {
    const bool is_binary = field.in_type == schema::InType::binary;
    std::string type = is_binary                                      ? "std::span<const std::byte>"
                       : field.in_type == schema::InType::ansi_string ? "std::string_view"
                                                                      : "std::u16string_view";
    if (field.length.kind == schema::Extent::Kind::natural) {
        return {type, {is_binary ? "rest" : "terminated"}};
    }
    if (field.length.kind == schema::Extent::Kind::field) {
        return {type, {"sized", std::string(told_length)}};
    }
    constexpr std::uint32_t ipv6_size = 16;
    if (is_binary && field.out_type == schema::OutType::ipv6 && field.length.value == ipv6_size) {
        return {"etl::provider::Ipv6"};
    }
    if (is_binary && place == CppPlace::parameter) {
        type = fmt::format("std::span<const std::byte, {}>", field.length.value);
    }
    return {type, {"sized", std::to_string(field.length.value)}};
}

// Integers that are something else: enumerations, booleans, ports, addresses.
std::optional<CppValue> shown_integer(const schema::EventSchema& event, const schema::Field& field,
                                      CppTypes& types) {
    const CppWrite write_as{fmt::format("value_as<{}>", cpp_form(field.in_type).type)};
    if (field.map < event.maps.size() && event.maps[field.map]) {
        const auto& map = event.maps[field.map];
        const std::string& name = types.map(map);
        return map->kind == schema::ValueMap::Kind::value ? std::optional(CppValue{name, write_as})
                                                          : std::nullopt;
    }
    if (field.out_type == schema::OutType::boolean) {
        return CppValue{"bool", write_as};
    }
    if (field.out_type == schema::OutType::port && field.in_type == schema::InType::uint16) {
        return CppValue{"etl::provider::Port"};
    }
    if (field.out_type == schema::OutType::ipv4 && field.in_type == schema::InType::uint32) {
        return CppValue{"etl::provider::Ipv4"};
    }
    return std::nullopt;
}

} // namespace

std::string CppWrite::call(std::string_view value) const {
    return length.empty() ? fmt::format("payload.{}({})", function, value)
                          : fmt::format("payload.{}({}, {})", function, value, length);
}

CppForm cpp_form(schema::InType in) noexcept {
    const auto code = static_cast<std::size_t>(in);
    return code < forms.size() ? forms[code] : CppForm{""};
}

bool is_cpp_integer(schema::InType in) noexcept {
    const CppForm form = cpp_form(in);
    return form.kind == CppForm::Kind::integer && !form.type.empty();
}

bool has_length(schema::InType in) noexcept {
    return in == schema::InType::unicode_string || in == schema::InType::ansi_string ||
           in == schema::InType::binary;
}

std::uint64_t bytes_per_unit(schema::InType in) noexcept {
    return in == schema::InType::unicode_string ? 2 : 1;
}

CppValue cpp_value(const schema::EventSchema& event, const schema::Field& field,
                   std::string_view told_length, CppPlace place, CppTypes& types) {
    if (has_length(field.in_type)) {
        return sized_value(field, told_length, place);
    }
    if (is_cpp_integer(field.in_type)) {
        if (auto shown = shown_integer(event, field, types)) {
            return *std::move(shown);
        }
    }
    const CppForm form = cpp_form(field.in_type);
    return {std::string(form.type), {std::string(form.write)}};
}

} // namespace etl::authoring
