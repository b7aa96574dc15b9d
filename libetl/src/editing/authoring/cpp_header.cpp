
#include "authoring/cpp_header.hpp"

#include "authoring/cpp_code.hpp"
#include "authoring/provider_events.hpp"
#include "authoring/written_notes.hpp"
#include "format/limits.hpp"
#include "schema/event_schema.hpp"
#include "schema/limits.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace etl::authoring {

namespace {

// The functions of a generated header: from the fields of events to parameters and to what writes
// them.

/// Types that events of one provider share: enumerations of maps, structures. Equal ones are
/// written once.
class CppTypes {
public:
    /// The name of the enumeration or of the namespace of flags for a map.
    const std::string& map(const std::shared_ptr<const schema::ValueMap>& map);

    /// The name of a structure with this body.
    const std::string& structure(std::string_view wished, const CppCode& body);

    /// All definitions, in the order in which they were first named.
    const CppCode& code() const noexcept { return code_; }

    /// Names that are not for types.
    CppScope& scope() noexcept { return scope_; }

private:
    CppScope scope_;
    std::unordered_map<std::shared_ptr<const schema::ValueMap>, std::string> maps_;
    std::map<std::string, std::string> by_content_;
    CppCode code_;
};

/// The part of a function that depends on the fields of its event.
struct CppFunction {
    CppCode parameters{1}; // one a line, each with a comma behind it
    CppCode body{1};       // statements; empty: no payload
};

/// Why an event has no function: static text, with the field.
struct CppRefusal {
    std::string field;
    const char* what = "";
};

std::expected<CppFunction, CppRefusal> cpp_function(const schema::EventSchema& event,
                                                    CppTypes& types);

// Values of fields in C++: the type of each, and how it is written.

/// How a value is written: by which function of PayloadWriter, and what that is told beside it.
struct CppWrite {
    std::string function = "value";
    std::string length{}; // empty: nothing

    /// The call that writes what the expression `value` gives.
    std::string call(std::string_view value) const;
};

/// What values of one in type are in C++, whatever their field says beyond that.
struct CppForm {
    std::string_view type;            // empty: there is none
    std::string_view write = "value"; // CppWrite::function
    enum class Kind : std::uint8_t { integer, number, object, text };
    Kind kind = Kind::integer;
};

CppForm cpp_form(schema::InType in) noexcept;
bool is_cpp_integer(schema::InType in) noexcept;

/// Texts and data, whose fields may say how long they are: in units of this many bytes.
bool has_length(schema::InType in) noexcept;
std::uint64_t bytes_per_unit(schema::InType in) noexcept;

/// The type of one value, and how it is written.
struct CppValue {
    std::string type;
    CppWrite write{};
};

/// Where it is given: only as a parameter of its own it can be a view of fixed size.
enum class CppPlace : std::uint8_t { parameter, inside };

/// `told_length`: what the length is called when another field tells it.
CppValue cpp_value(const schema::EventSchema& event, const schema::Field& field,
                   std::string_view told_length, CppPlace place, CppTypes& types);

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

CppCode entries_of(const schema::ValueMap& map) {
    const bool is_flags = map.kind == schema::ValueMap::Kind::bits;
    CppCode code(is_flags ? 0 : 1);
    CppScope names;
    for (const auto& [value, meaning] : map.entries) {
        const std::string name = names.take(snake_name(meaning), fmt::format("value_{}", value));
        if (is_flags) {
            code.line("inline constexpr std::uint32_t {} = 0x{:x}; // {}", name, value,
                      comment_text(meaning));
        } else {
            code.line("{} = {}, // {}", name, value, comment_text(meaning));
        }
    }
    return code;
}

const std::string& CppTypes::map(const std::shared_ptr<const schema::ValueMap>& map) {
    const auto [known, is_new] = maps_.try_emplace(map);
    if (!is_new) {
        return known->second;
    }
    const bool is_flags = map->kind == schema::ValueMap::Kind::bits;
    const CppCode entries = entries_of(*map);
    const auto [equal, is_news] = by_content_.try_emplace(
        fmt::format("{}{}\n{}", is_flags ? 'f' : 'e', map->name, entries.text()));
    if (is_news && is_flags) {
        equal->second = scope_.take(snake_name(map->name), "flags");
        code_.line("/// Flags {}", comment_text(map->name)).open_namespace(equal->second);
        code_.add(entries).close_namespace(equal->second).blank();
    } else if (is_news) {
        equal->second = scope_.take(pascal_name(map->name), "Map");
        code_.line("/// {}", comment_text(map->name));
        code_.open("enum class {} : std::uint32_t", equal->second);
        code_.add(entries).close(";").blank();
    }
    return known->second = equal->second;
}

const std::string& CppTypes::structure(std::string_view wished, const CppCode& body) {
    const auto [equal, is_new] =
        by_content_.try_emplace(fmt::format("s{}\n{}", wished, body.text()));
    if (is_new) {
        equal->second = scope_.take(pascal_name(wished), "Structure");
        code_.line("/// {}", comment_text(wished)).open("struct {}", equal->second);
        code_.add(body).close(";").blank();
    }
    return equal->second;
}

constexpr std::uint32_t no_scope = 0xFFFFFFFF;

// The fields of one event. Names of a scope are those of the parameters, or of the members of one
// structure.
class Writer {
public:
    Writer(const schema::EventSchema& event, CppTypes& types) : event_(&event), types_(&types) {}

    std::expected<CppFunction, CppRefusal> write() {
        const std::size_t count = event_->fields.size();
        owner_.assign(count, no_scope);
        mark_members(0, count, no_scope);
        if (!resolve() || min_bytes(0, count) > format::limits::payload_bytes) {
            return std::unexpected(
                refusal_.value_or(CppRefusal{{}, "its payload exceeds the maximum event size"}));
        }
        CppScope names;
        for (const char* name :
             {"memory", "payload", "element", "provider_guid", "provider_name"}) {
            names.reserve(name);
        }
        CppFunction function;
        const auto declare = [&](const std::string& type, const std::string& name,
                                 std::size_t index) {
            if (is_passed_by_reference(event_->fields[index])) {
                function.parameters.line("const {}& {},", type, name);
            } else {
                function.parameters.line("{} {},", type, name);
            }
        };
        if (!write_scope(0, count, names, declare, function.body)) {
            return std::unexpected(*refusal_);
        }
        return function;
    }

private:
    void mark_members(std::size_t begin, std::size_t end, std::uint32_t scope) {
        for (std::size_t i = begin; i < end; ++i) {
            owner_[i] = scope;
            const std::size_t inside = members_of(i, end);
            mark_members(i + 1, i + 1 + inside, static_cast<std::uint32_t>(i));
            i += inside;
        }
    }

    std::size_t members_of(std::size_t index, std::size_t end) const noexcept {
        return std::min<std::size_t>(event_->fields[index].members, end - index - 1);
    }

    bool refuse(std::size_t index, const char* what) {
        refusal_ = CppRefusal{event_->fields[index].name, what};
        return false;
    }

    bool resolve() {
        const auto& fields = event_->fields;
        is_told_.assign(fields.size(), false);
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const schema::Field& field = fields[i];
            if (!resolve(i, field.count) || !resolve(i, field.length)) {
                return false;
            }
            const bool is_known = field.in_type == schema::InType::structure ||
                                  has_length(field.in_type) ||
                                  !cpp_form(field.in_type).type.empty();
            if (!is_known) {
                return refuse(i, "has a type without a C++ equivalent");
            }
            const bool to_the_end = field.in_type == schema::InType::binary &&
                                    field.length.kind == schema::Extent::Kind::natural;
            const bool is_last = i + 1 == fields.size() && owner_[i] == no_scope &&
                                 field.count.kind == schema::Extent::Kind::natural;
            if (to_the_end && !is_last) {
                return refuse(i, "has an unknown length");
            }
        }
        return true;
    }

    bool resolve(std::size_t index, const schema::Extent& extent) {
        switch (extent.kind) {
        case schema::Extent::Kind::natural:
        case schema::Extent::Kind::fixed:
            return true;
        case schema::Extent::Kind::field:
            break;
        case schema::Extent::Kind::prefixed:
        case schema::Extent::Kind::rest:
        case schema::Extent::Kind::unknown:
            return refuse(index, "has a length or count that cannot be written");
        }
        if (extent.value >= index || owner_[extent.value] != owner_[index]) {
            return refuse(index, "has a length or count field outside its structure");
        }
        const schema::Field& told = event_->fields[extent.value];
        if (told.count.kind != schema::Extent::Kind::natural || !is_cpp_integer(told.in_type)) {
            return refuse(index, "has a length or count field that is not a number");
        }
        is_told_[extent.value] = true;
        return true;
    }

    // Bytes that the fields take at least. Stops counting beyond what fits.
    std::uint64_t min_bytes(std::size_t begin, std::size_t end) const noexcept {
        constexpr std::uint64_t enough = format::limits::payload_bytes + 1;
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const schema::Field& field = event_->fields[i];
            const std::size_t inside = members_of(i, end);
            std::uint64_t one = field.in_type == schema::InType::structure
                                    ? min_bytes(i + 1, i + 1 + inside)
                                    : fixed_size(field.in_type, 8);
            if (field.length.kind == schema::Extent::Kind::fixed && has_length(field.in_type)) {
                one = field.length.value * bytes_per_unit(field.in_type);
            }
            const std::uint64_t count = field.count.kind == schema::Extent::Kind::natural ? 1
                                        : field.count.kind == schema::Extent::Kind::fixed
                                            ? field.count.value
                                            : 0;
            // Elements without bytes take their time all the same.
            sum += std::min(enough, std::max<std::uint64_t>(one, count > 1 ? 1 : 0)) *
                   std::min(enough, count);
            sum = std::min(sum, enough);
            i += inside;
        }
        return sum;
    }

    static bool is_passed_by_reference(const schema::Field& field) noexcept {
        if (field.count.kind != schema::Extent::Kind::natural) {
            return false;
        }
        return field.in_type == schema::InType::structure ||
               cpp_form(field.in_type).kind == CppForm::Kind::object;
    }

    // One scope: declares what is given, writes what tells lengths, then the values.
    template <typename Declare>
    bool write_scope(std::size_t begin, std::size_t end, CppScope& names, const Declare& declare,
                     CppCode& body) {
        std::vector<std::string> identifiers(end - begin);
        for (std::size_t i = begin; i < end; ++i) {
            const std::string& name = event_->fields[i].name;
            identifiers[i - begin] = names.take(snake_name(name), fmt::format("field_{}", i + 1));
            i += members_of(i, end);
        }
        const auto identifier = [&](std::size_t index) -> const std::string& {
            return identifiers[index - begin];
        };
        write_told(begin, end, identifier, body);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t inside = members_of(i, end);
            const schema::Field& field = event_->fields[i];
            const bool is_nothing =
                field.count.kind == schema::Extent::Kind::fixed && field.count.value == 0;
            if (is_told_[i]) {
                body.line("payload.value_as<{}>({});", cpp_form(field.in_type).type, identifier(i));
            } else if (!is_nothing && !write_field(i, inside, identifier, declare, body)) {
                return false;
            }
            i += inside;
        }
        return true;
    }

    // const std::size_t count = told<std::uint16_t>({rows.size()});
    template <typename Identifier>
    void write_told(std::size_t begin, std::size_t end, const Identifier& identifier,
                    CppCode& body) {
        std::map<std::size_t, std::string> sizes;
        const auto add = [&](const schema::Extent& extent, const std::string& size) {
            if (extent.kind == schema::Extent::Kind::field) {
                std::string& list = sizes[extent.value];
                list += (list.empty() ? "" : ", ") + size;
            }
        };
        for (std::size_t i = begin; i < end; ++i) {
            const schema::Field& field = event_->fields[i];
            const bool is_array = field.count.kind != schema::Extent::Kind::natural;
            const bool is_nothing =
                field.count.kind == schema::Extent::Kind::fixed && field.count.value == 0;
            add(field.count, identifier(i) + ".size()");
            if (has_length(field.in_type)) {
                add(field.length, is_nothing ? "0"
                                  : is_array
                                      ? fmt::format("etl::provider::max_size({})", identifier(i))
                                      : identifier(i) + ".size()");
            }
            i += members_of(i, end);
        }
        for (std::size_t i = begin; i < end; ++i) {
            if (is_told_[i]) {
                const auto found = sizes.find(i);
                body.line("const std::size_t {} = etl::provider::length_for<{}>({{{}}});",
                          identifier(i), cpp_form(event_->fields[i].in_type).type,
                          found == sizes.end() ? "std::size_t{0}" : found->second);
            }
            i += members_of(i, end);
        }
    }

    template <typename Identifier, typename Declare>
    bool write_field(std::size_t index, std::size_t inside, const Identifier& identifier,
                     const Declare& declare, CppCode& body) {
        const schema::Field& field = event_->fields[index];
        const bool is_structure = field.in_type == schema::InType::structure;
        const bool is_array = field.count.kind != schema::Extent::Kind::natural;
        const bool is_parameter = owner_[index] == no_scope;
        CppValue value;
        if (is_structure) {
            if (!structure(index, inside, value.type)) {
                return false;
            }
        } else {
            const auto place = !is_array && is_parameter ? CppPlace::parameter : CppPlace::inside;
            const bool is_told = field.length.kind == schema::Extent::Kind::field;
            value = cpp_value(*event_, field, is_told ? identifier(field.length.value) : "", place,
                              *types_);
        }
        const auto write = [&](const std::string& what) {
            return is_structure ? what + ".write(payload)" : value.write.call(what);
        };
        const std::string& name = identifier(index);
        if (!is_array) {
            declare(value.type, name, index);
            body.line("{};", write(name));
            return true;
        }
        const bool is_fixed = field.count.kind == schema::Extent::Kind::fixed;
        const std::string count =
            is_fixed ? std::to_string(field.count.value) : identifier(field.count.value);
        declare(is_fixed && is_parameter ? fmt::format("std::span<const {}, {}>", value.type, count)
                                         : fmt::format("std::span<const {}>", value.type),
                name, index);
        body.line("payload.each({}, {}, [&](const {}& element) {{ {}; }});", name, count,
                  value.type, write("element"));
        return true;
    }

    bool structure(std::size_t index, std::size_t inside, std::string& type) {
        CppScope names;
        for (const char* name : {"write", "payload", "element"}) {
            names.reserve(name);
        }
        CppCode code(1);
        CppCode body(2);
        const auto declare = [&](const std::string& member_type, const std::string& name,
                                 std::size_t) { code.line("{} {}{{}};", member_type, name); };
        if (!write_scope(index + 1, index + 1 + inside, names, declare, body)) {
            return false;
        }
        if (!code.empty()) {
            code.blank();
        }
        code.open("void write(etl::provider::PayloadWriter&{}) const",
                  body.empty() ? "" : " payload");
        code.add(body).close();
        type = types_->structure(event_->fields[index].name, code);
        return true;
    }

    const schema::EventSchema* event_;
    CppTypes* types_;
    std::vector<std::uint32_t> owner_; // the structure around a field
    std::vector<bool> is_told_;        // by field: its value follows from those that name it
    std::optional<CppRefusal> refusal_;
};

std::expected<CppFunction, CppRefusal> cpp_function(const schema::EventSchema& event,
                                                    CppTypes& types) {
    return Writer(event, types).write();
}

constexpr std::string_view head = "// Generated by `etl schema header`; changes will be lost.\n"
                                  "#pragma once\n"
                                  "\n"
                                  "#include <etl/provider.hpp>\n"
                                  "\n"
                                  "#include <cstddef>\n"
                                  "#include <cstdint>\n"
                                  "#include <span>\n"
                                  "#include <string_view>\n";

// One constant of a list.
struct Constant {
    std::uint64_t value;
    std::string text; // as the manifest says it
};

auto order_of(const schema::EventSchema& event) {
    return std::tuple(event.id, event.version, event.channel, event.task, event.opcode, event.level,
                      event.keyword, std::string_view(event.symbol));
}

// The header's part for one provider.
class ProviderText {
public:
    ProviderText(const ProviderEvents& provider, WrittenNotes& notes)
        : names_(&provider.names), notes_(&notes) {
        using Place =
            std::pair<std::size_t, const schema::EventSchema*>; // keeps the order of equals
        std::vector<Place> places;
        for (const auto& event : provider.events) {
            if (has_descriptor(*event)) {
                places.emplace_back(places.size(), event.get());
            }
        }
        std::ranges::sort(places, {}, [](const Place& place) {
            return std::pair(order_of(*place.second), place.first);
        });
        for (const Place& place : places) {
            events_.push_back(place.second);
        }
        for (const char* name : {"provider_name", "provider_guid", "keyword", "level", "task",
                                 "opcode", "channel", "descriptor"}) {
            types_.scope().reserve(name);
        }
    }

    std::string write(std::string_view name_space) {
        // Functions have the first choice of names: theirs must not depend on templates.
        std::vector<std::string> names;
        names.reserve(events_.size());
        for (const schema::EventSchema* event : events_) {
            names.push_back(types_.scope().take(function_name(*event), "event"));
        }
        CppCode functions;
        CppCode descriptors;
        for (std::size_t i = 0; i < events_.size() && !is_full(functions.text()); ++i) {
            add_descriptor(descriptors, *events_[i], names[i]);
            add_function(functions, *events_[i], names[i]);
        }
        CppCode code;
        code.blank().open_namespace(name_space).blank();
        code.line("inline constexpr std::string_view provider_name = {};",
                  string_literal(names_->name));
        code.line("inline constexpr etl::Guid provider_guid = etl::parse_guid(\"{}\").value();",
                  to_string(names_->guid));
        code.blank();
        add_constants(code);
        code.add(types_.code());
        code.open_namespace("descriptor").add(descriptors).close_namespace("descriptor");
        code.add(functions).blank().close_namespace(name_space);
        return code.text();
    }

private:
    static bool is_full(const std::string& text) noexcept {
        return text.size() > schema::limits::manifest_file_bytes;
    }

    static std::string function_name(const schema::EventSchema& event) {
        if (std::string name = snake_name(event.symbol); !name.empty()) {
            return name;
        }
        const std::string version = event.version == 0 ? "" : fmt::format("_v{}", event.version);
        const std::string opcode = event.opcode == 0 ? "" : event.opcode_name;
        const std::string what = event.task_name + ' ' + opcode;
        const std::string id = fmt::format("_{}{}", event.id, version);
        const std::string name = snake_name(what);
        return (name.empty() ? "event" : name) + id;
    }

    void add_descriptor(CppCode& code, const schema::EventSchema& event,
                        const std::string& name) const {
        code.line("inline constexpr etl::provider::EventDescriptor {}{{.id = {}, .version = {}, "
                  ".channel = {}, .level = {}, .opcode = {}, .task = {}, .keyword = 0x{:x}}};",
                  name, event.id, event.version, event.channel, event.level, event.opcode,
                  event.task, descriptor_keyword(event, *names_));
    }

    void add_function(CppCode& code, const schema::EventSchema& event, const std::string& name) {
        const std::string_view level = names_->level_name(event.level);
        code.blank();
        code.line("/// Event {}, version {}{}.", event.id, event.version,
                  level.empty() ? "" : ", level " + comment_text(level));
        if (!event.message.empty()) {
            code.line("/// {}", comment_text(event.message));
        }
        const auto made = cpp_function(event, types_);
        if (!made) {
            add_refusal(code, event, made.error());
            return;
        }
        code.line("[[nodiscard]] inline etl::provider::Event {}(", name).add(made->parameters);
        code.open("    etl::provider::Event memory = {{}})");
        const std::string begin = fmt::format("memory.begin(provider_guid, descriptor::{})", name);
        if (made->body.empty()) {
            code.line("{};", begin);
        } else {
            code.line("etl::provider::PayloadWriter payload({});", begin).add(made->body);
        }
        code.line("return memory;").close();
    }

    void add_refusal(CppCode& code, const schema::EventSchema& event, const CppRefusal& why) {
        const std::string field = why.field.empty() ? "" : fmt::format("field `{}` ", why.field);
        notes_->add(fmt::format("event {} version {} of {} has no function: {}{}", event.id,
                                event.version, names_->name, field, why.what));
        code.line("// No function: {}", comment_text(field + why.what));
    }

    template <typename Value>
    static std::vector<Constant>
    constants_of(const std::vector<std::pair<Value, std::string>>& named) {
        std::vector<Constant> list;
        list.reserve(named.size());
        for (const auto& [value, name] : named) {
            list.push_back({value, name});
        }
        return list;
    }

    void add_constants(CppCode& code) const {
        std::vector<Constant> levels = constants_of(names_->levels);
        std::vector<Constant> tasks;
        for (const schema::EventSchema* event : events_) {
            if (const auto name = schema::winmeta::level_name(event->level); !name.empty()) {
                levels.push_back({event->level, std::string(name)});
            }
            if (!event->task_name.empty()) {
                tasks.push_back({event->task, event->task_name});
            }
        }
        add_list(code, "keyword", "std::uint64_t", constants_of(names_->keywords));
        add_list(code, "level", "std::uint8_t", std::move(levels));
        add_list(code, "channel", "std::uint8_t", constants_of(names_->channels));
        add_list(code, "task", "std::uint16_t", std::move(tasks));
        add_list(code, "opcode", "std::uint8_t", opcodes());
    }

    // Opcodes of one name that differ by task are told with it.
    std::vector<Constant> opcodes() const {
        std::map<std::string, std::set<std::uint8_t>> values;
        for (const schema::EventSchema* event : events_) {
            values[event->opcode_name].insert(event->opcode);
        }
        std::vector<Constant> list;
        for (const schema::EventSchema* event : events_) {
            if (!event->opcode_name.empty()) {
                const bool is_unique = values[event->opcode_name].size() == 1;
                list.push_back({event->opcode, is_unique
                                                   ? event->opcode_name
                                                   : event->task_name + ' ' + event->opcode_name});
            }
        }
        return list;
    }

    static void add_list(CppCode& code, std::string_view kind, std::string_view type,
                         std::vector<Constant> constants) {
        const auto key = [](const Constant& c) { return std::tie(c.value, c.text); };
        std::ranges::sort(constants, {}, key);
        const auto repeats = std::ranges::unique(constants, {}, key);
        constants.erase(repeats.begin(), repeats.end());
        if (constants.empty()) {
            return;
        }
        CppScope names;
        code.open_namespace(kind);
        for (const Constant& constant : constants) {
            const std::string name =
                names.take(snake_name(constant.text), fmt::format("{}_{}", kind, constant.value));
            code.line("inline constexpr {} {} = 0x{:x}; // {}", type, name, constant.value,
                      comment_text(constant.text));
        }
        code.close_namespace(kind).blank();
    }

    const schema::ProviderNames* names_;
    WrittenNotes* notes_;
    std::vector<const schema::EventSchema*> events_;
    CppTypes types_;
};

std::vector<ProviderEvents> sorted_providers(const schema::SchemaSet& set) {
    std::vector<ProviderEvents> providers = group_by_provider(set);
    std::erase_if(providers, [](const ProviderEvents& provider) {
        return std::ranges::none_of(provider.events,
                                    [](const auto& event) { return has_descriptor(*event); });
    });
    std::ranges::sort(providers, {}, [](const ProviderEvents& provider) {
        return std::tie(provider.names.name, provider.names.guid);
    });
    return providers;
}

Result<CppHeader> write(const schema::SchemaSet& set, const CppHeaderOptions& options) {
    if (!options.name_space.empty() && !is_name_space(options.name_space)) {
        return fail(ErrorCode::invalid_option, "namespace");
    }
    const std::vector<ProviderEvents> providers = sorted_providers(set);
    CppHeader header{std::string(head), {}};
    WrittenNotes notes;
    CppScope scope;
    for (const ProviderEvents& provider : providers) {
        const std::string own = scope.take(snake_name(provider.names.name), "provider");
        const std::string name_space = options.name_space.empty() ? "etw::" + own
                                       : providers.size() == 1    ? options.name_space
                                                                  : options.name_space + "::" + own;
        header.text += ProviderText(provider, notes).write(name_space);
        if (header.text.size() > schema::limits::manifest_file_bytes) {
            return fail(ErrorCode::limit, "size of a header", {},
                        schema::limits::manifest_file_bytes);
        }
    }
    header.notes = notes.take();
    return header;
}

} // namespace

Result<CppHeader> write_cpp_header(const schema::SchemaSet& set, const CppHeaderOptions& options) {
    try {
        return write(set, options);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit, "memory");
    }
}

} // namespace etl::authoring
