#include "schema/manifest/templates.hpp"

#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace etl::schema {

namespace {

struct Types {
    InType in = InType::null;
    OutType out = OutType::none; // when the type implies one
    bool known = true;           // false: nothing can be decoded from here on
};

// In types of manifests that were converted from WBEM classes.
std::optional<Types> converted_type(std::string_view local) noexcept {
    if (equals_ignoring_case(local, "Port")) {
        return Types{InType::uint16, OutType::port};
    }
    if (equals_ignoring_case(local, "IPAddr") || equals_ignoring_case(local, "IPAddrV4")) {
        return Types{InType::uint32, OutType::ipv4};
    }
    if (equals_ignoring_case(local, "IPAddrV6")) {
        return Types{InType::binary, OutType::ipv6};
    }
    if (equals_ignoring_case(local, "WmiTime")) {
        return Types{InType::uint64, OutType::etw_time};
    }
    return std::nullopt;
}

Types types_of(std::string_view in_type) noexcept {
    const std::string_view local = local_name(in_type);
    if (const auto converted = converted_type(local)) {
        return *converted;
    }
    // Dumps print the first member of a structure as if it were a type: its number, or the old name
    // for that number. The members themselves are lost. docs/format/decoding.md#struct-trap
    if (const auto code = parse_number(local)) {
        return {static_cast<InType>(std::min<std::uint64_t>(*code, 0xFFFF)), OutType::none, false};
    }
    const auto type = parse_in_type(local);
    const bool is_artefact = !type || *type == InType::structure || *type == InType::null ||
                             equals_ignoring_case(local, "CountedUtf16String") ||
                             equals_ignoring_case(local, "CountedMbcsString");
    return {type.value_or(InType::null), OutType::none, !is_artefact};
}

bool has_length(InType type) noexcept {
    return type == InType::unicode_string || type == InType::ansi_string || type == InType::binary;
}

class TemplateReader {
public:
    TemplateReader(const ManifestNames& names, ManifestReading& reading)
        : names_(names), reading_(reading) {}

    Template read(const pugi::xml_node& node) {
        read_items(node, 0);
        for_each_child(node, "UserData", [&](const pugi::xml_node& user_data) { keep(user_data); });
        result_.bytes = sizeof(EventSchema) + result_.user_data.size();
        for (const Field& field : result_.fields) {
            result_.bytes += sizeof(Field) + field.name.size();
        }
        return std::move(result_);
    }

private:
    void read_items(const pugi::xml_node& parent, std::uint32_t depth) {
        for (const pugi::xml_node& item : parent.children()) {
            const std::string_view kind = local_name(item);
            if (kind != "data" && kind != "struct") {
                continue;
            }
            if (is_full(item)) {
                return;
            }
            if (kind == "data") {
                read_data(item);
            } else if (depth == limits::struct_depth) {
                reading_.note(item, "structures are nested too deep");
                return;
            } else {
                read_struct(item, depth);
            }
        }
    }

    // True when the fields end here: by a limit, the decoder then stops at the last one.
    bool is_full(const pugi::xml_node& item) {
        if (result_.fields.size() < limits::schema_fields && reading_.charge(sizeof(Field))) {
            return false;
        }
        if (!result_.fields.empty() && result_.fields.back().count.kind != Extent::Kind::unknown) {
            result_.fields.back().count.kind = Extent::Kind::unknown;
            reading_.note(item, "a template has too many fields");
        }
        return true;
    }

    void read_data(const pugi::xml_node& node) {
        Field field;
        field.name = reading_.copy(attribute(node, "name"));
        const Types types = types_of(attribute(node, "inType"));
        field.in_type = types.in;
        field.out_type = types.out;
        if (const auto out = parse_out_type(attribute(node, "outType"))) {
            field.out_type = *out;
        }
        field.count = extent(node, "count");
        if (has_length(field.in_type)) {
            field.length = extent(node, "length");
        }
        if (field.in_type == InType::binary && field.out_type == OutType::ipv6 &&
            field.length.kind == Extent::Kind::natural) {
            field.length = {Extent::Kind::fixed, 16};
        }
        if (!types.known) {
            field.count.kind = Extent::Kind::unknown;
            reading_.note(node, fmt::format("field `{}` has the type `{}`, which cannot be decoded",
                                            field.name, attribute(node, "inType")));
        }
        field.map = map_index(node);
        field.tags = tags_of(node);
        scopes_.add(attribute(node, "name"), field, result_.fields.size());
        result_.fields.push_back(std::move(field));
    }

    void read_struct(const pugi::xml_node& node, std::uint32_t depth) {
        Field field;
        field.name = reading_.copy(attribute(node, "name"));
        field.in_type = InType::structure;
        field.count = extent(node, "count");
        field.tags = tags_of(node);
        const std::size_t at = result_.fields.size();
        result_.fields.push_back(std::move(field));
        scopes_.enter();
        read_items(node, depth + 1);
        scopes_.leave();
        result_.fields[at].members = static_cast<std::uint16_t>(result_.fields.size() - at - 1);
    }

    static std::uint32_t tags_of(const pugi::xml_node& node) noexcept {
        return static_cast<std::uint32_t>(parse_number(attribute(node, "tags")).value_or(0));
    }

    // A field name goes before a number: dumps hold fields that are called `1`.
    Extent extent(const pugi::xml_node& node, const char* which) {
        if (!node.attribute(which)) {
            return {};
        }
        const std::string_view text = attribute(node, which);
        if (const auto earlier = scopes_.find(text)) {
            result_.fields[*earlier].referenced = true;
            return {Extent::Kind::field, static_cast<std::uint32_t>(*earlier)};
        }
        const auto number = parse_number(text);
        if (number && *number <= std::numeric_limits<std::uint32_t>::max()) {
            return {Extent::Kind::fixed, static_cast<std::uint32_t>(*number)};
        }
        reading_.note(node,
                      fmt::format("`{}` of `{}` does not refer to an earlier integer field: `{}`",
                                  which, attribute(node, "name"), text));
        return {Extent::Kind::unknown, 0};
    }

    std::uint16_t map_index(const pugi::xml_node& node) {
        const std::string_view name = attribute(node, "map");
        if (name.empty()) {
            return Field::no_map;
        }
        auto map = names_.map(name);
        if (!map) {
            reading_.note(node, fmt::format("map `{}` is not defined", name));
            return Field::no_map;
        }
        const auto known = std::ranges::find(result_.maps, map);
        const auto index = static_cast<std::uint16_t>(known - result_.maps.begin());
        if (known == result_.maps.end()) {
            result_.maps.push_back(std::move(map));
        }
        return index;
    }

    // The one element inside of UserData, as text.
    void keep(const pugi::xml_node& user_data) {
        struct Writer final : pugi::xml_writer {
            explicit Writer(std::string& text) : to(text) {}

            void write(const void* data, std::size_t size) override {
                to.append(static_cast<const char*>(data), size);
            }

            std::string& to;
        };

        std::string text;
        Writer writer(text);
        for (const pugi::xml_node& child : user_data.children()) {
            if (child.type() == pugi::node_element) {
                child.print(writer, "", pugi::format_raw, pugi::encoding_utf8);
                break;
            }
        }
        result_.user_data = reading_.copy(text);
    }

    const ManifestNames& names_;
    ManifestReading& reading_;
    Template result_;
    FieldScopes scopes_;
};

} // namespace

void Template::copy_to(EventSchema& event) const {
    event.fields = fields;
    event.maps = maps;
    event.user_data = user_data;
}

ManifestTemplates::ManifestTemplates(const pugi::xml_node& provider, const ManifestNames& names,
                                     ManifestReading& reading) {
    for_each_child(provider, "templates", [&](const pugi::xml_node& list) {
        for_each_child(list, "template", [&](const pugi::xml_node& node) {
            if (!reading.exhausted()) {
                templates_.try_emplace(attribute(node, "tid"),
                                       TemplateReader(names, reading).read(node));
            }
        });
    });
}

const Template* ManifestTemplates::find(std::string_view id) const noexcept {
    const auto found = templates_.find(id);
    return found == templates_.end() ? nullptr : &found->second;
}

} // namespace etl::schema
