#include "schema/cpp_events.hpp"

#include <etl/base/limits.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace etl::schema {

namespace {

constexpr std::uint32_t no_scope = 0xFFFFFFFF;

// A type of C++, and how one value of it is written; `{}` stands for the value.
struct Form {
    std::string_view type; // empty: there is none
    std::string_view write = "payload.value({})";
    enum class Kind : std::uint8_t { integer, number, object, text };
    Kind kind = Kind::integer;
};

// By in type. Types of manifests end at 25; those whose length is told elsewhere have none here.
constexpr auto forms = std::to_array<Form>({
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
    {"float", "payload.value({})", Form::Kind::number},
    {"double", "payload.value({})", Form::Kind::number},
    {"bool", "payload.value_as<std::uint32_t>({})", Form::Kind::number},
    {""}, // Binary
    {"etl::Guid", "payload.value({})", Form::Kind::object},
    {"std::uint64_t"}, // Pointer
    {"etl::Filetime", "payload.value({})", Form::Kind::number},
    {"etl::provider::SystemTime", "payload.value({})", Form::Kind::object},
    {"etl::provider::Sid", "payload.value({})", Form::Kind::object},
    {"std::uint32_t"}, // HexInt32
    {"std::uint64_t"}, // HexInt64
    {"std::u16string_view", "payload.counted({})", Form::Kind::text},
    {"std::string_view", "payload.counted({})", Form::Kind::text},
    {""}, // a structure
    {"std::span<const std::byte>", "payload.counted({})", Form::Kind::text},
});

Form form_of(InType in) noexcept {
    const auto code = static_cast<std::size_t>(in);
    return code < forms.size() ? forms[code] : Form{""};
}

bool is_integer(InType in) noexcept {
    const Form form = form_of(in);
    return form.kind == Form::Kind::integer && !form.type.empty();
}

bool has_length(InType in) noexcept {
    return in == InType::unicode_string || in == InType::ansi_string || in == InType::binary;
}

std::uint64_t unit_of(InType in) noexcept {
    return in == InType::unicode_string ? 2 : 1;
}

// The fields of one event. Names of a scope are those of the parameters, or of the members of one
// structure.
class Writer {
public:
    Writer(const EventSchema& event, CppTypes& types) : event_(&event), types_(&types) {}

    std::expected<CppFunction, CppRefusal> write() {
        const std::size_t count = event_->fields.size();
        owner_.assign(count, no_scope);
        mark_members(0, count, no_scope);
        if (!resolve() || least_bytes(0, count) > limits::payload_bytes) {
            return std::unexpected(
                refusal_.value_or(CppRefusal{{}, "its payload is larger than an event can be"}));
        }
        CppScope names;
        for (const char* name :
             {"memory", "payload", "element", "provider_guid", "provider_name"}) {
            names.reserve(name);
        }
        std::string parameters;
        std::string body;
        const auto declare = [&](const std::string& type, const std::string& name,
                                 std::size_t index) {
            const bool by_reference = is_passed_by_reference(event_->fields[index]);
            parameters += by_reference ? fmt::format("    const {}& {},\n", type, name)
                                       : fmt::format("    {} {},\n", type, name);
        };
        if (!write_scope(0, count, names, declare, body, "    ")) {
            return std::unexpected(*refusal_);
        }
        return CppFunction{std::move(parameters), std::move(body)};
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
            const Field& field = fields[i];
            if (!resolve(i, field.count) || !resolve(i, field.length)) {
                return false;
            }
            const bool is_known = field.in_type == InType::structure || has_length(field.in_type) ||
                                  !form_of(field.in_type).type.empty();
            if (!is_known) {
                return refuse(i, "is of a type that has no form in C++");
            }
            const bool to_the_end =
                field.in_type == InType::binary && field.length.kind == Extent::Kind::natural;
            const bool is_last = i + 1 == fields.size() && owner_[i] == no_scope &&
                                 field.count.kind == Extent::Kind::natural;
            if (to_the_end && !is_last) {
                return refuse(i, "is as long as nobody tells");
            }
        }
        return true;
    }

    bool resolve(std::size_t index, const Extent& extent) {
        switch (extent.kind) {
        case Extent::Kind::natural:
        case Extent::Kind::fixed:
            return true;
        case Extent::Kind::field:
            break;
        case Extent::Kind::prefixed:
        case Extent::Kind::rest:
        case Extent::Kind::unknown:
            return refuse(index, "has a length or count that cannot be told");
        }
        if (extent.value >= index || owner_[extent.value] != owner_[index]) {
            return refuse(index, "has a length or count outside of its structure");
        }
        const Field& told = event_->fields[extent.value];
        if (told.count.kind != Extent::Kind::natural || !is_integer(told.in_type)) {
            return refuse(index, "has a length or count in a field that is no number");
        }
        is_told_[extent.value] = true;
        return true;
    }

    // Bytes that the fields take at least. Stops counting beyond what fits.
    std::uint64_t least_bytes(std::size_t begin, std::size_t end) const noexcept {
        constexpr std::uint64_t enough = limits::payload_bytes + 1;
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const Field& field = event_->fields[i];
            const std::size_t inside = members_of(i, end);
            std::uint64_t one = field.in_type == InType::structure
                                    ? least_bytes(i + 1, i + 1 + inside)
                                    : fixed_size(field.in_type, 8);
            if (field.length.kind == Extent::Kind::fixed && has_length(field.in_type)) {
                one = field.length.value * unit_of(field.in_type);
            }
            const std::uint64_t count = field.count.kind == Extent::Kind::natural ? 1
                                        : field.count.kind == Extent::Kind::fixed
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

    static bool is_passed_by_reference(const Field& field) noexcept {
        if (field.count.kind != Extent::Kind::natural) {
            return false;
        }
        return field.in_type == InType::structure ||
               form_of(field.in_type).kind == Form::Kind::object;
    }

    // One scope: declares what is given, writes what tells lengths, then the values.
    template <typename Declare>
    bool write_scope(std::size_t begin, std::size_t end, CppScope& names, const Declare& declare,
                     std::string& body, std::string_view indent) {
        std::vector<std::string> identifiers(end - begin);
        for (std::size_t i = begin; i < end; ++i) {
            const std::string& name = event_->fields[i].name;
            identifiers[i - begin] = names.take(snake_name(name), fmt::format("field_{}", i + 1));
            i += members_of(i, end);
        }
        const auto identifier = [&](std::size_t index) -> const std::string& {
            return identifiers[index - begin];
        };
        write_told(begin, end, identifier, body, indent);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t inside = members_of(i, end);
            const Field& field = event_->fields[i];
            const bool is_nothing =
                field.count.kind == Extent::Kind::fixed && field.count.value == 0;
            if (is_told_[i]) {
                body += fmt::format("{}payload.value_as<{}>({});\n", indent,
                                    form_of(field.in_type).type, identifier(i));
            } else if (!is_nothing && !write_field(i, inside, identifier, declare, body, indent)) {
                return false;
            }
            i += inside;
        }
        return true;
    }

    // const std::size_t count = told<std::uint16_t>({rows.size()});
    template <typename Identifier>
    void write_told(std::size_t begin, std::size_t end, const Identifier& identifier,
                    std::string& body, std::string_view indent) {
        std::map<std::size_t, std::string> sizes;
        const auto add = [&](const Extent& extent, const std::string& size) {
            if (extent.kind == Extent::Kind::field) {
                std::string& list = sizes[extent.value];
                list += (list.empty() ? "" : ", ") + size;
            }
        };
        for (std::size_t i = begin; i < end; ++i) {
            const Field& field = event_->fields[i];
            const bool is_array = field.count.kind != Extent::Kind::natural;
            const bool is_nothing =
                field.count.kind == Extent::Kind::fixed && field.count.value == 0;
            add(field.count, identifier(i) + ".size()");
            if (has_length(field.in_type)) {
                add(field.length, is_nothing ? "0"
                                  : is_array
                                      ? fmt::format("etl::provider::longest({})", identifier(i))
                                      : identifier(i) + ".size()");
            }
            i += members_of(i, end);
        }
        for (std::size_t i = begin; i < end; ++i) {
            if (is_told_[i]) {
                const auto found = sizes.find(i);
                body += fmt::format("{}const std::size_t {} = etl::provider::told<{}>({{{}}});\n",
                                    indent, identifier(i), form_of(event_->fields[i].in_type).type,
                                    found == sizes.end() ? "std::size_t{0}" : found->second);
            }
            i += members_of(i, end);
        }
    }

    template <typename Identifier, typename Declare>
    bool write_field(std::size_t index, std::size_t inside, const Identifier& identifier,
                     const Declare& declare, std::string& body, std::string_view indent) {
        const Field& field = event_->fields[index];
        const bool is_array = field.count.kind != Extent::Kind::natural;
        std::string type;
        std::string write; // with {} for the value
        if (field.in_type == InType::structure) {
            if (!structure(index, inside, type)) {
                return false;
            }
            write = "{}.write(payload)";
        } else {
            std::tie(type, write) = value_of(index, identifier, !is_array && indent.size() == 4);
        }
        const std::string& name = identifier(index);
        if (!is_array) {
            declare(type, name, index);
            body += fmt::format("{}{};\n", indent, fmt::format(fmt::runtime(write), name));
            return true;
        }
        const bool is_fixed = field.count.kind == Extent::Kind::fixed;
        const bool in_type = is_fixed && indent.size() == 4;
        declare(in_type ? fmt::format("std::span<const {}, {}>", type, field.count.value)
                        : fmt::format("std::span<const {}>", type),
                name, index);
        body += fmt::format(
            "{0}payload.each({1}, {2}, [&](const {3}& element) {{ {4}; }});\n", indent, name,
            is_fixed ? std::to_string(field.count.value) : identifier(field.count.value), type,
            fmt::format(fmt::runtime(write), "element"));
        return true;
    }

    // Type, and how one value is written.
    template <typename Identifier>
    std::pair<std::string, std::string> value_of(std::size_t index, const Identifier& identifier,
                                                 bool may_be_fixed) {
        const Field& field = event_->fields[index];
        if (has_length(field.in_type)) {
            return sized_value(field, identifier, may_be_fixed);
        }
        const Form form = form_of(field.in_type);
        if (is_integer(field.in_type)) {
            if (const auto shown = shown_integer(field, std::string(form.type))) {
                return *shown;
            }
        }
        return {std::string(form.type), std::string(form.write)};
    }

    template <typename Identifier>
    static std::pair<std::string, std::string>
    sized_value(const Field& field, const Identifier& identifier, bool may_be_fixed) {
        const bool is_binary = field.in_type == InType::binary;
        std::string type = is_binary                              ? "std::span<const std::byte>"
                           : field.in_type == InType::ansi_string ? "std::string_view"
                                                                  : "std::u16string_view";
        if (field.length.kind == Extent::Kind::natural) {
            return {type, is_binary ? "payload.rest({})" : "payload.terminated({})"};
        }
        if (field.length.kind == Extent::Kind::field) {
            return {type, fmt::format("payload.sized({{}}, {})", identifier(field.length.value))};
        }
        constexpr std::uint32_t ipv6_size = 16;
        if (is_binary && field.out_type == OutType::ipv6 && field.length.value == ipv6_size) {
            return {"etl::provider::Ipv6", "payload.value({})"};
        }
        if (is_binary && may_be_fixed) {
            type = fmt::format("std::span<const std::byte, {}>", field.length.value);
        }
        return {type, fmt::format("payload.sized({{}}, {})", field.length.value)};
    }

    // Integers that are something else: enumerations, booleans, ports, addresses.
    std::optional<std::pair<std::string, std::string>> shown_integer(const Field& field,
                                                                     const std::string& integer) {
        const std::string write_as = fmt::format("payload.value_as<{}>({{}})", integer);
        if (field.map < event_->maps.size() && event_->maps[field.map]) {
            const auto& map = event_->maps[field.map];
            const std::string& name = types_->map(map);
            if (map->kind == ValueMap::Kind::value) {
                return std::pair(name, write_as);
            }
            return std::nullopt;
        }
        if (field.out_type == OutType::boolean) {
            return std::pair(std::string("bool"), write_as);
        }
        const std::string write = "payload.value({})";
        if (field.out_type == OutType::port && field.in_type == InType::uint16) {
            return std::pair(std::string("etl::provider::Port"), write);
        }
        if (field.out_type == OutType::ipv4 && field.in_type == InType::uint32) {
            return std::pair(std::string("etl::provider::Ipv4"), write);
        }
        return std::nullopt;
    }

    bool structure(std::size_t index, std::size_t inside, std::string& type) {
        CppScope names;
        for (const char* name : {"write", "payload", "element"}) {
            names.reserve(name);
        }
        std::string members;
        std::string body;
        const auto declare = [&](const std::string& member_type, const std::string& name,
                                 std::size_t) {
            members += fmt::format("    {} {}{{}};\n", member_type, name);
        };
        if (!write_scope(index + 1, index + 1 + inside, names, declare, body, "        ")) {
            return false;
        }
        const char* const parameter = body.empty() ? "" : " payload";
        type = types_->structure(
            event_->fields[index].name,
            fmt::format("{}{}    void write(etl::provider::PayloadWriter&{}) const {{\n{}    }}\n",
                        members, members.empty() ? "" : "\n", parameter, body));
        return true;
    }

    const EventSchema* event_;
    CppTypes* types_;
    std::vector<std::uint32_t> owner_; // the structure around a field
    std::vector<bool> is_told_;        // by field: its value follows from those that name it
    std::optional<CppRefusal> refusal_;
};

} // namespace

std::expected<CppFunction, CppRefusal> cpp_function(const EventSchema& event, CppTypes& types) {
    return Writer(event, types).write();
}

} // namespace etl::schema
