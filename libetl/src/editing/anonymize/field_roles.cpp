#include "anonymize/field_roles.hpp"

#include "anonymize/names/secret_names.hpp"
#include "base/text.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <array>

namespace etl::anonymize {

namespace {

using decode::Form;

struct Pattern {
    std::string_view name; // a glob
    Role role;
};

constexpr auto binaries = std::to_array<Pattern>({
    {"*mac*addr*", Role::mac},
    {"*physicaladdr*", Role::mac},
    {"*addr*", Role::address},
    {"*sid", Role::sid},
});

constexpr auto numbers32 = std::to_array<Pattern>({
    {"ipv4", Role::ipv4},
    {"*ipv4addr*", Role::ipv4},
    {"*ipaddr*", Role::ipv4},
    {"*ip_addr*", Role::ipv4},
});

// SystemConfig/NIC before Vista. schemas/kernel/systemconfig.mof
constexpr auto nic_addresses = std::to_array<std::string_view>({
    "ipaddress",
    "dhcpserver",
    "gateway",
    "primarywinsserver",
    "secondarywinsserver",
    "dnsserver1",
    "dnsserver2",
    "dnsserver3",
    "dnsserver4",
});

// Microsoft-Windows-PowerShell and PowerShellCore: their logs of modules (4103) hold the commands
// with all that they were called with.
constexpr Guid windows_powershell = *parse_guid("a0c1853b-5c40-4b15-8766-3cf1c58f985a");
constexpr Guid powershell_core = *parse_guid("f90714a8-5509-434a-bf6d-b1624c8a19a2");
constexpr auto logs_of_commands = std::to_array<std::string_view>({
    "contextinfo",
    "userdata",
    "payload",
});

bool is_log_of_commands(std::string_view name, const Guid& provider) noexcept {
    return (provider == windows_powershell || provider == powershell_core) &&
           std::ranges::any_of(logs_of_commands, [&](std::string_view log) {
               return equals_ignoring_case(log, name);
           });
}

template <std::size_t N>
Role find(const std::array<Pattern, N>& patterns, std::string_view name, Role otherwise) noexcept {
    const auto found = std::ranges::find_if(
        patterns, [&](const Pattern& pattern) { return matches_glob(pattern.name, name); });
    return found == patterns.end() ? otherwise : found->role;
}

Role role_of_number(Form form, std::string_view name, const Guid& provider) noexcept {
    if (is_secret_number(NameWords(name))) {
        return Role::secret_number;
    }
    const unsigned size = schema::integer_size(form);
    if (size == 4) {
        const bool is_nic = provider == format::system_config_guid &&
                            std::ranges::any_of(nic_addresses, [&](std::string_view address) {
                                return equals_ignoring_case(address, name);
                            });
        return is_nic ? Role::ipv4 : find(numbers32, name, Role::nothing);
    }
    const bool is_mac =
        size == 8 && (matches_glob("*mac*addr*", name) || (provider == format::system_config_guid &&
                                                           matches_glob("physicaladdr", name)));
    return is_mac ? Role::mac_in_number : Role::nothing;
}

} // namespace

Role role_of(Form form, std::string_view name, const Guid& provider) noexcept {
    if (form == Form::char8 || form == Form::int8 || form == Form::uint8 || form == Form::hex8 ||
        form == Form::binary) {
        const Role role = find(binaries, name, Role::binary);
        return form != Form::char8    ? role
               : role == Role::binary ? role_of_text(name, Role::text)
                                      : role;
    }
    if (schema::is_integer(form)) {
        return role_of_number(form, name, provider);
    }
    if (provider == format::system_config_guid && equals_ignoring_case(name, "DisplayName")) {
        return Role::text; // of services
    }
    if (form == Form::char16 && provider == format::system_config_guid &&
        matches_glob("physicaladdr", name)) {
        return Role::mac; // its bytes stand in characters
    }
    if (form == Form::text16 || form == Form::text8 || form == Form::utf8 || form == Form::char16) {
        if (is_log_of_commands(name, provider)) {
            return Role::script;
        }
        return role_of_text(name, Role::text);
    }
    return form == Form::sid              ? Role::sid
           : form == Form::ipv4           ? Role::ipv4
           : form == Form::ipv6           ? Role::ipv6
           : form == Form::socket_address ? Role::socket_address
           : form == Form::mac_address || form == Form::padded_mac_address
               ? Role::mac
               : Role::nothing; // times, GUIDs, other numbers
}

bool is_piece(Form form) noexcept {
    return form == Form::char8 || form == Form::char16 || form == Form::int8 ||
           form == Form::uint8 || form == Form::hex8;
}

UnitSize unit_size_of(Form form) noexcept {
    return form == Form::text16 || form == Form::char16 ? UnitSize::two : UnitSize::one;
}

} // namespace etl::anonymize
