#include "anonymize/kind_plan.hpp"

#include "anonymize/names/secret_names.hpp"
#include "anonymize/packets/packet_events.hpp"
#include "base/text.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/limits.hpp"

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

namespace {

std::string provider_of(const decode::DecodedEvent& event) {
    return event.kind->provider ? *event.kind->provider : to_string(event.header.provider);
}

std::string event_of(const decode::DecodedEvent& event) {
    if (event.kind->event && !event.kind->event->empty()) {
        return *event.kind->event;
    }
    return std::to_string(event.header.id != 0 ? event.header.id : event.header.opcode);
}

// `Parent.Member` where there is a parent.
std::vector<std::string> full_names(const schema::EventSchema& schema) {
    std::vector<std::string> names;
    std::vector<std::pair<std::size_t, std::string>> open; // structures: their end, their name
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        while (!open.empty() && open.back().first <= i) {
            open.pop_back();
        }
        const schema::Field& field = schema.fields[i];
        names.push_back(open.empty() ? field.name : open.back().second + "." + field.name);
        if (field.members > 0 && open.size() < format::max_struct_depth) {
            open.emplace_back(i + 1 + field.members, names.back());
        }
    }
    return names;
}

// What is said of a structure is said of its members.
bool matches_field(std::string_view pattern, std::string_view full, std::string_view own) noexcept {
    if (matches_glob(pattern, own) || matches_glob(pattern, full)) {
        return true;
    }
    for (std::size_t dot = full.find('.'); dot != std::string_view::npos;
         dot = full.find('.', dot + 1)) {
        if (matches_glob(pattern, full.substr(0, dot))) {
            return true;
        }
    }
    return false;
}

/// Classes of the kernel also serve as providers: Process/Start/CommandLine is short for
/// MSNT_SystemTrace/Process/Start/CommandLine.
bool matches_event(const Redaction& asked, const KindPlan& plan) {
    return (matches_glob(asked.provider, plan.provider) && matches_glob(asked.event, plan.event)) ||
           (plan.provider == format::system_trace_name &&
            matches_glob(asked.provider + "/" + asked.event, plan.event));
}

} // namespace

KindPlan make_plan(const decode::DecodedEvent& event, const Options& options) {
    using decode::RawReason;
    KindPlan plan;
    plan.provider = provider_of(event);
    plan.event = event_of(event);
    const decode::EventKind& kind = *event.kind;
    plan.carries_schema =
        kind.raw_reason == RawReason::manifest_chunk || kind.raw_reason == RawReason::schema_record;
    const PacketEvent packet =
        options.scope == Scope::everything ? packet_event_of(event.header) : PacketEvent::none;
    plan.has_packet =
        packet == PacketEvent::packet || (packet == PacketEvent::details && kind.schema == nullptr);
    plan.has_details = packet == PacketEvent::details && kind.schema != nullptr;
    plan.is_opaque = kind.schema == nullptr && !plan.carries_schema && !plan.has_packet;
    if (kind.schema == nullptr) {
        return plan;
    }
    const bool is_arranged = event.body.data() != event.header.payload.data(); // is not redacted
    std::vector<std::size_t> redactions;
    for (std::size_t i = 0; i < options.redact.size() && !is_arranged; ++i) {
        if (matches_event(options.redact[i], plan)) {
            redactions.push_back(i);
        }
    }
    plan.redactions.resize(options.redact.size());
    plan.fields = full_names(*kind.schema);
    const auto& planned = kind.plan.fields();
    const std::size_t count = std::min(plan.fields.size(), planned.size());
    plan.tasks.resize(planned.size());
    plan.counts.resize(planned.size());
    plan.fields.resize(planned.size());
    for (std::size_t i = 0; i < count; ++i) {
        FieldTask& task = plan.tasks[i];
        task.form = planned[i].form;
        task.unit = unit_size_of(task.form);
        const bool is_array = planned[i].count.kind != schema::Extent::Kind::natural;
        const bool may_be_private = is_array || !is_piece(task.form);
        task.in_pieces = is_array && is_piece(task.form);
        if (options.scope == Scope::everything && may_be_private) {
            task.role = role_of(task.form, kind.schema->fields[i].name, event.header.provider);
        }
        const auto asked_by = std::ranges::count_if(redactions, [&](std::size_t redaction) {
            const bool fits = matches_field(options.redact[redaction].field, plan.fields[i],
                                            kind.schema->fields[i].name);
            plan.redactions[redaction] += fits ? 1U : 0U;
            return fits;
        });
        const bool asked = asked_by > 0;
        task.cannot_redact = asked && planned[i].slot != decode::PlannedField::no_slot;
        task.redact = asked && !task.cannot_redact;
        plan.has_packet = plan.has_packet && !task.redact; // its binary fields are wiped anyway
        plan.is_idle = plan.is_idle && task.is_idle();
    }
    return plan;
}

void settle(KindPlan& plan, Report& report) {
    const auto add = [&](const std::string& field, Kind kind, std::uint64_t values) {
        if (values > 0) {
            report.fields.push_back({plan.provider, plan.event, field, kind, values});
            report.values[static_cast<std::size_t>(kind)] += values;
        }
    };
    for (std::size_t i = 0; i < plan.counts.size(); ++i) {
        FieldCounts& counts = plan.counts[i];
        for (std::size_t kind = 0; kind < kind_count; ++kind) {
            add(plan.fields[i], static_cast<Kind>(kind), counts.changed[kind]);
        }
        if (counts.binary > 0) {
            report.binary.push_back({plan.provider, plan.event, plan.fields[i], counts.binary});
        }
        if (counts.unredacted > 0) {
            report.unredacted[plan.provider + "/" + plan.event + "/" + plan.fields[i]] +=
                counts.unredacted;
        }
        if (counts.kept + counts.partly > 0) {
            report.kept.push_back({plan.provider, plan.event, plan.fields[i], counts.kept,
                                   counts.partly, counts.shape});
        }
        counts = {};
    }
    add("(header)", Kind::sid, plan.sids_of_items);
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
        add("(bytes)", static_cast<Kind>(kind), plan.elsewhere[kind]);
        add("(packet)", static_cast<Kind>(kind), plan.packets[kind]);
        add("(schema)", static_cast<Kind>(kind), plan.schemas[kind]);
    }
    const Report::Unchecked& unchecked = plan.unchecked;
    if (unchecked.undecodable + unchecked.packed + unchecked.trailing + unchecked.items > 0) {
        Report::Unchecked& all = report.unchecked[plan.provider];
        all.undecodable += unchecked.undecodable;
        all.packed += unchecked.packed;
        all.trailing += unchecked.trailing;
        all.items += unchecked.items;
    }
    report.redactions.resize(std::max(report.redactions.size(), plan.redactions.size()));
    for (std::size_t i = 0; i < plan.redactions.size(); ++i) {
        report.redactions[i] += plan.redactions[i];
    }
    plan.redactions.clear();
    plan.sids_of_items = 0;
    plan.elsewhere = {};
    plan.packets = {};
    plan.schemas = {};
    plan.unchecked = {};
}

} // namespace etl::anonymize
