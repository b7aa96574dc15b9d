#include "packets/capture/filters.hpp"

#include "base/cursor.hpp"
#include "packets/capture/units_text.hpp"
#include "packets/dissect.hpp"
#include "packets/limits.hpp"

#include <algorithm>
#include <array>

namespace etl::packets {

namespace {

void add_new(std::vector<std::string>& to, std::string text) {
    const bool is_new = std::ranges::find(to, text) == to.end();
    if (is_new && to.size() < limits::capture_filters) {
        to.push_back(std::move(text));
    }
}

/// `00:15:5d:01:02:03`, `192.0.2.1`
void append_joined(std::string& to, Bytes value, char between) {
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (i != 0) {
            to += between;
        }
        if (between == '.') {
            append_decimal(to, std::to_integer<unsigned>(value[i]));
        } else {
            append_hex_bytes(to, value.subspan(i, 1));
        }
    }
}

/// RuleIdMap of the provider.
std::string_view rule_name(std::uint8_t id) noexcept {
    constexpr std::array<std::string_view, 20> names{"",
                                                     "",
                                                     "frame control",
                                                     "multilayer",
                                                     "interface index",
                                                     "",
                                                     "EtherType",
                                                     "source MAC address",
                                                     "destination MAC address",
                                                     "any MAC address",
                                                     "source IPv4 address",
                                                     "destination IPv4 address",
                                                     "any IPv4 address",
                                                     "source IPv6 address",
                                                     "destination IPv6 address",
                                                     "any IPv6 address",
                                                     "IP protocol",
                                                     "truncate",
                                                     "custom offset from MAC",
                                                     "custom offset from IP"};
    return id < names.size() ? names[id] : std::string_view{};
}

/// DirectiveMap of the provider.
std::string_view directive_name(std::uint8_t directive) noexcept {
    constexpr std::array<std::string_view, 7> names{"off",  "<=",   ">=",   "=",
                                                    "mask", "list", "range"};
    constexpr std::array<std::string_view, 4> negated{"!=", "not mask", "not list", "not range"};
    constexpr std::uint8_t first_negated = 131;
    const std::size_t of_negated = directive - std::size_t{first_negated};
    return directive < names.size()                                    ? names[directive]
           : directive >= first_negated && of_negated < negated.size() ? negated[of_negated]
                                                                       : std::string_view{};
}

/// Addresses as such; of other values the byte order is not documented: their bytes as stored.
void append_rule_value(std::string& to, std::uint8_t id, Bytes value) {
    constexpr std::size_t mac = 6, ipv4 = 4, ipv6 = 16;
    const std::size_t size = id >= 7 && id <= 9     ? mac
                             : id >= 10 && id <= 12 ? ipv4
                             : id >= 13 && id <= 15 ? ipv6
                                                    : 0;
    if (size == 0 || value.empty() || value.size() % size != 0) {
        to += value.empty() ? "" : " bytes ";
        append_hex_bytes(to, value);
        return;
    }
    for (std::size_t at = 0; at < value.size(); at += size) {
        to += ' ';
        const Bytes address = value.subspan(at, size);
        size == mac ? append_joined(to, address, ':') : append_address(to, address);
    }
}

std::string text_of_rule(std::uint8_t id, std::uint8_t directive, Bytes value) {
    constexpr std::uint8_t truncate = 17;
    std::string text = "rule ";
    if (id == truncate && (value.size() == 2 || value.size() == 4)) {
        text += "truncate to ";
        append_decimal(text, value.size() == 2 ? load_le<std::uint16_t>(value.data())
                                               : load_le<std::uint32_t>(value.data()));
        return text + " bytes";
    }
    const std::string_view name = rule_name(id), how = directive_name(directive);
    const auto add = [&](std::string_view word, std::uint8_t number) {
        if (word.empty()) {
            append_decimal(text, number);
        } else {
            text += word;
        }
    };
    add(name, id);
    text += ' ';
    add(how, directive);
    append_rule_value(text, id, value);
    return text;
}

} // namespace

/// 0 in a filter stands for anything.
void add_pktmon_filter(std::vector<std::string>& to, Bytes payload) {
    Cursor in(payload);
    std::string text = "filter ";
    append_decimal(text, in.u16("FilterId"));
    const std::string name = utf8_of(in.zero_terminated16("FilterName"));
    if (!name.empty()) {
        text += " " + name;
    }
    const auto add = [&](std::string_view label, std::uint64_t value, auto append) {
        if (value != 0) {
            text += " ";
            text += label;
            text += " ";
            append(text, value);
        }
    };
    const auto decimal = [](std::string& to_text, std::uint64_t value) {
        append_decimal(to_text, value);
    };
    const auto bytes = [&](std::string_view label, Bytes value, char between) {
        if (std::ranges::any_of(value, [](std::byte b) { return b != std::byte{0}; })) {
            text += " ";
            text += label;
            text += " ";
            append_joined(text, value, between);
        }
    };
    bytes("mac", in.bytes("MacAddress1", 6), ':');
    bytes("mac", in.bytes("MacAddress2", 6), ':');
    add("ethertype", in.u16("EtherType"), append_hex);
    add("vlan", in.u16("VlanId"), decimal);
    bytes("ip", in.bytes("IpAddress1", 4), '.');
    bytes("ip", in.bytes("IpAddress2", 4), '.');
    add("protocol", in.u8("Protocol"), decimal);
    add("port", in.u16("Port1"), decimal);
    add("port", in.u16("Port2"), decimal);
    if (in) {
        add_new(to, std::move(text));
    }
}

void add_ndis_rules(std::vector<std::string>& to, Bytes rules) {
    constexpr std::size_t head = 4;
    Cursor in(rules);
    while (in.left() >= head) {
        const std::uint8_t id = in.u8("RuleId");
        const std::uint8_t directive = in.u8("Directive");
        const Bytes value = in.bytes("Value", in.u16("Length"));
        if (!in) {
            return;
        }
        add_new(to, text_of_rule(id, directive, value));
    }
}

} // namespace etl::packets
