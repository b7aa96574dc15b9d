#include "authoring/validated_templates.hpp"

#include "base/text.hpp"
#include "schema/event_schema.hpp"
#include "schema/field_scopes.hpp"
#include "schema/manifest_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace etl::authoring {

namespace {

// Which types a manifest may give its fields, and what goes with them.

/// May a field of that in type have the out type?
bool is_legal(schema::InType in, schema::OutType out) noexcept;

/// Only under their own names: dumps use older ones for what they could not tell.
std::optional<schema::InType> manifest_type(std::string_view written) noexcept;

/// A type of manifests that were made from classes.
bool is_converted_type(std::string_view written) noexcept;

bool may_have_length(schema::InType type) noexcept;

/// May a field of that type be the count or the length of others?
bool may_count(schema::InType type) noexcept;

bool may_have_map(schema::InType type) noexcept;
bool is_integer(schema::InType type) noexcept;

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

class TemplateValidator {
public:
    TemplateValidator(ValidatedNames& names, Findings& findings)
        : names_(names), findings_(findings) {}

    /// Gives the number of items of the top level.
    std::size_t check(const pugi::xml_node& node) {
        scopes_.emplace_back();
        const std::size_t items = check_items(node);
        std::size_t user_data = 0;
        for_each_child(node, "UserData", [&](const pugi::xml_node& data) {
            check_user_data(data, items);
            if (++user_data == 2) {
                findings_.error(data, "more than one UserData in a template");
            }
        });
        return items;
    }

private:
    struct Seen {
        std::optional<schema::InType> type; // none: unknown
        bool is_array = false;
        bool is_structure = false;
    };

    using Scope = std::unordered_map<std::string_view, Seen>;

    std::size_t check_items(const pugi::xml_node& parent) {
        std::size_t items = 0;
        for (const pugi::xml_node& node : parent.children()) {
            const std::string_view kind = local_name(node);
            if (kind == "data") {
                check_data(node);
                ++items;
            } else if (kind == "struct") {
                check_struct(node);
                ++items;
            }
        }
        return items;
    }

    void check_data(const pugi::xml_node& node) {
        findings_.require(node, {"name", "inType"});
        findings_.expect_only(node,
                              {"name", "inType", "outType", "map", "length", "count", "tags"});
        const std::string_view name = attribute(node, "name");
        const std::string_view in_type = attribute(node, "inType");
        const auto type = manifest_type(in_type);
        if (node.attribute("inType") && !type) {
            check_unknown_type(node, in_type);
        }
        check_out_type(node, type);
        check_length(node, type);
        check_extent(node, "count");
        check_map(node, type);
        add(node, name, {type, static_cast<bool>(node.attribute("count")), false});
    }

    void check_unknown_type(const pugi::xml_node& node, std::string_view written) {
        if (is_converted_type(written)) {
            findings_.warning(
                node, "in type `{}` is valid only in manifests converted from classes", written);
        } else {
            findings_.error(node, "field `{}` has an unknown in type `{}`", attribute(node, "name"),
                            written);
        }
    }

    void check_out_type(const pugi::xml_node& node, std::optional<schema::InType> in) {
        if (!node.attribute("outType")) {
            return;
        }
        const std::string_view written = attribute(node, "outType");
        const auto out = schema::parse_out_type(written);
        if (!out || *out >= schema::OutType::reduced_string) {
            findings_.error(node, "field `{}` has an unknown out type `{}`",
                            attribute(node, "name"), written);
        } else if (in && !is_legal(*in, *out)) {
            findings_.error(node, "field `{}` of type `{}` cannot have the out type `{}`",
                            attribute(node, "name"), attribute(node, "inType"), written);
        }
    }

    void check_length(const pugi::xml_node& node, std::optional<schema::InType> type) {
        const std::string_view name = attribute(node, "name");
        if (node.attribute("length")) {
            if (type == schema::InType::sid) {
                findings_.warning(node, "length of `{}` is ignored: a SID contains its length",
                                  name);
            } else if (type && !may_have_length(*type)) {
                findings_.error(node, "field `{}` of type `{}` cannot have a length", name,
                                attribute(node, "inType"));
            }
            check_extent(node, "length");
        } else if (type == schema::InType::binary &&
                   schema::parse_out_type(attribute(node, "outType")) != schema::OutType::ipv6) {
            findings_.error(node, "binary field `{}` has no length", name);
        }
    }

    void check_map(const pugi::xml_node& node, std::optional<schema::InType> type) {
        const std::string_view map = attribute(node, "map");
        if (!node.attribute("map")) {
            return;
        }
        if (!names_.use_map(map)) {
            findings_.error(node, "map `{}` is not declared", map);
        }
        if (type && !may_have_map(*type)) {
            findings_.error(node, "field `{}` of type `{}` cannot have a map",
                            attribute(node, "name"), attribute(node, "inType"));
        }
    }

    void check_struct(const pugi::xml_node& node) {
        findings_.require(node, {"name"});
        findings_.expect_only(node, {"name", "count", "tags"});
        if (scopes_.size() > 1) {
            findings_.error(node, "structure `{}` is nested in a structure",
                            attribute(node, "name"));
            return; // what is in it is of no use
        }
        check_extent(node, "count");
        add(node, attribute(node, "name"), {std::nullopt, true, true});
        scopes_.emplace_back();
        if (check_items(node) == 0) {
            findings_.error(node, "structure `{}` has no fields", attribute(node, "name"));
        }
        scopes_.pop_back();
    }

    void add(const pugi::xml_node& node, std::string_view name, Seen seen) {
        if (!scopes_.back().try_emplace(name, seen).second) {
            findings_.error(node, "field `{}` is declared twice", name);
        } else if (!name.empty() && !is_c_symbol(name)) {
            findings_.warning(node, "field name `{}` is not an identifier", name);
        }
    }

    const Seen* find(std::string_view name) const {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
            if (const auto found = scope->find(name); found != scope->end()) {
                return &found->second;
            }
        }
        return nullptr;
    }

    void check_extent(const pugi::xml_node& node, const char* which) {
        if (!node.attribute(which)) {
            return;
        }
        const std::string_view text = attribute(node, which);
        if (const Seen* const target = find(text)) {
            check_target(node, which, text, *target);
        } else if (const auto number = schema::parse_number(text)) {
            if (*number == 0 || *number > 0xFFFF) {
                findings_.error(node, "{} {} is not in 1 to 65535", which, *number);
            }
        } else {
            findings_.error(node, "{} of `{}` refers to {}: `{}`", which, attribute(node, "name"),
                            why_missing(node, text), text);
        }
    }

    void check_target(const pugi::xml_node& node, const char* which, std::string_view name,
                      const Seen& target) {
        const bool is_number = target.type && is_integer(*target.type);
        if (target.is_structure || target.is_array || (target.type && !is_number)) {
            findings_.error(node, "{} of `{}` refers to a field that is not a single integer: `{}`",
                            which, attribute(node, "name"), name);
        } else if (is_number && !may_count(*target.type)) {
            findings_.warning(
                node, "{} of `{}` refers to a field that is not UInt8, UInt16, or UInt32: `{}`",
                which, attribute(node, "name"), name);
        }
    }

    // Looks through the siblings only when something is wrong.
    std::string why_missing(const pugi::xml_node& node, std::string_view text) const {
        constexpr std::size_t max_name = 256;
        if (attribute(node, "name") == text) {
            return "the field itself";
        }
        if (findings_.is_full() || text.size() > max_name) {
            return "a missing field";
        }
        const std::string letters = schema::bare_name(text);
        std::size_t looked_at = 0;
        for (const pugi::xml_node& other : node.parent().children()) {
            const std::string_view name = attribute(other, "name");
            if (name == text) {
                return "a later field";
            }
            if (name.size() <= max_name && schema::bare_name(name) == letters) {
                return fmt::format("a missing field (similar: `{}`)", quoted(name));
            }
            if (++looked_at == 1000) {
                break;
            }
        }
        return "a missing field";
    }

    void check_user_data(const pugi::xml_node& node, std::size_t items) {
        std::size_t elements = 0;
        for (const pugi::xml_node& child : node.children()) {
            elements += child.type() == pugi::node_element ? 1U : 0U;
        }
        if (elements != 1) {
            findings_.error(node, "UserData has {} elements, expected one", elements);
        }
        for (pugi::xml_node at = node.first_child(); at; at = next_in(node, at)) {
            check_insert(node, trimmed(at.value()), items);
            for (const pugi::xml_attribute& value : at.attributes()) {
                check_insert(node, trimmed(value.value()), items);
            }
        }
    }

    void check_insert(const pugi::xml_node& node, std::string_view text, std::size_t items) {
        if (const std::size_t max = highest_insert(text); max > items) {
            findings_.warning(node, "UserData insert %{} refers to a missing field", max);
        }
    }

    // Document order without recursion: the depth is the file's choice.
    static pugi::xml_node next_in(const pugi::xml_node& root, pugi::xml_node at) {
        if (at.first_child()) {
            return at.first_child();
        }
        while (at && at != root && !at.next_sibling()) {
            at = at.parent();
        }
        return at == root ? pugi::xml_node() : at.next_sibling();
    }

    ValidatedNames& names_;
    Findings& findings_;
    std::vector<Scope> scopes_;
};

} // namespace

ValidatedTemplates::ValidatedTemplates(const pugi::xml_node& provider, ValidatedNames& names,
                                       Findings& findings)
    : findings_(findings) {
    for_each_child(provider, "templates", [&](const pugi::xml_node& list) {
        for_each_child(list, "template", [&](const pugi::xml_node& node) {
            findings.require(node, {"tid"});
            findings.expect_only(node, {"tid", "name"});
            const std::string_view id = attribute(node, "tid");
            const std::size_t items = TemplateValidator(names, findings).check(node);
            if (!templates_.try_emplace(id, Template{node, items, false}).second) {
                findings.error(node, "template `{}` is declared twice", id);
            }
        });
    });
}

std::optional<std::size_t> ValidatedTemplates::use(std::string_view id) {
    const auto known = templates_.find(id);
    if (known == templates_.end()) {
        return std::nullopt;
    }
    known->second.used = true;
    return known->second.items;
}

void ValidatedTemplates::check_unused() const {
    for (const auto& [id, known] : templates_) {
        if (!known.used) {
            findings_.warning(known.node, "template `{}` is not used", id);
        }
    }
}

} // namespace etl::authoring
