#include "schema/manifest.hpp"

#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/event_name.hpp"
#include "schema/field_scopes.hpp"
#include "schema/file_reading.hpp"
#include "schema/file_text.hpp"
#include "schema/limits.hpp"
#include "schema/manifest_names.hpp"
#include "schema/manifest_reading.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace etl::schema {

namespace {

/// Templates of a manifest: what a payload holds. One thread.
/// docs/format/decoding.md#manifest-templates
struct Template {
    std::vector<Field> fields;
    std::vector<std::shared_ptr<const ValueMap>> maps;
    std::string user_data;
    std::size_t bytes = 0; // that a copy of all this takes

    /// Gives the event what its payload holds.
    void copy_to(EventSchema& event) const;
};

class ManifestTemplates {
public:
    ManifestTemplates(const pugi::xml_node& provider, const ManifestNames& names,
                      ManifestReading& reading);

    /// Null: not defined.
    const Template* find(std::string_view id) const noexcept;

private:
    std::unordered_map<std::string_view, Template> templates_;
};

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
            } else if (depth == format::max_struct_depth) {
                reading_.note(item, "structures are nested too deep");
                return;
            } else {
                read_struct(item, depth);
            }
        }
    }

    // True when the fields end here: by a limit, the decoder then stops at the last one.
    bool is_full(const pugi::xml_node& item) {
        if (result_.fields.size() < limits::fields && reading_.charge(sizeof(Field))) {
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

} // namespace

// Which providers a manifest defines, without parsing it: a catalog asks this of hundreds of files.

namespace {

constexpr std::string_view element = "provider";
constexpr std::size_t max_tag = 64U << 10U; // no real one has 1 KB

// XML begins with `<`, after blanks perhaps. Looks at the first bytes only.
bool looks_like_xml(Bytes file) noexcept {
    const Bytes head = clamped(file, 0, 64);
    for (const std::byte byte : head) {
        switch (std::to_integer<unsigned>(byte)) {
        case '<':
            return true;
        case 0:
        case 0xFE:
        case 0xFF:
        case 0xEF:
        case 0xBB:
        case 0xBF:
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            break;
        default:
            return false;
        }
    }
    return false;
}

bool is_utf16(Bytes file) noexcept {
    const Bytes head = clamped(file, 0, 2);
    return head.size() == 2 && (head[0] == std::byte{0xFF} || head[0] == std::byte{0xFE} ||
                                head[0] == std::byte{0} || head[1] == std::byte{0});
}

// `at` is where "provider" begins: true when that is the local name of an opening tag.
bool opens_element(std::string_view text, std::size_t at) noexcept {
    const std::size_t end = at + element.size();
    if (at == 0 || end >= text.size() || blanks.find(text[end]) == blanks.npos) {
        return false;
    }
    std::size_t before = at - 1;
    if (text[before] == ':') {
        before = text.find_last_of("< \t\r\n\"'=>", before);
        return before != text.npos && text[before] == '<';
    }
    return text[before] == '<';
}

// The GUID of a tag's `guid` attribute; `tag` begins behind the element's name.
std::optional<Guid> guid_of_tag(std::string_view tag) noexcept {
    constexpr std::string_view name = "guid";
    for (std::size_t at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
        if (blanks.find(tag[at - 1]) == blanks.npos) {
            continue; // the end of another name
        }
        std::size_t next = tag.find_first_not_of(blanks, at + name.size());
        if (next == tag.npos || tag[next] != '=') {
            continue;
        }
        next = tag.find_first_not_of(blanks, next + 1);
        if (next == tag.npos || (tag[next] != '"' && tag[next] != '\'')) {
            continue;
        }
        const std::size_t end = tag.find(tag[next], next + 1);
        const std::string_view value = tag.substr(next + 1, end == tag.npos ? 0 : end - next - 1);
        if (const auto guid = parse_guid(trimmed(value))) {
            return guid;
        }
    }
    return std::nullopt;
}

std::vector<Guid> scan_text(std::string_view text) {
    const std::boyer_moore_horspool_searcher search(element.begin(), element.end());
    std::vector<Guid> guids;
    std::unordered_set<Guid> seen;
    for (auto hit = text.begin(); hit != text.end();) {
        hit = std::search(hit, text.end(), search);
        if (hit == text.end()) {
            break;
        }
        const auto at = static_cast<std::size_t>(hit - text.begin());
        hit += static_cast<std::ptrdiff_t>(element.size());
        if (!opens_element(text, at)) {
            continue;
        }
        std::string_view tag = text.substr(at + element.size(), max_tag);
        tag = tag.substr(0, tag.find('<'));
        const auto guid = guid_of_tag(tag);
        if (guid && seen.insert(*guid).second) {
            guids.push_back(*guid);
        }
    }
    return guids;
}

} // namespace

std::vector<Guid> scan_manifest_providers(Bytes text) {
    if (!looks_like_xml(text)) {
        return {};
    }
    return is_utf16(text) ? scan_text(decode_text(text).utf8) : scan_text(as_text(text));
}

namespace {

using std::unexpected;

// Everything of one provider, into reading.result.
class ProviderReader {
public:
    ProviderReader(const pugi::xml_node& node, const Guid& guid, ManifestReading& reading,
                   const ManifestStrings& strings, const ManifestOptions& options)
        : node_(node), reading_(reading), strings_(strings), origin_(options.origin),
          names_(node, guid, reading, strings, options.parameter_files),
          templates_(node, names_, reading) {}

    void read(const ManifestOptions& options) {
        if (options.code_names) {
            reading_.result.code_names.push_back(
                read_code_names(node_, reading_.result.providers.size(), names_, reading_));
        }
        reading_.result.providers.push_back(names_.provider());
        for_each_child(node_, "events", [&](const pugi::xml_node& list) {
            for_each_child(list, "event", [&](const pugi::xml_node& event) {
                if (!reading_.exhausted()) {
                    read_event(event);
                }
            });
        });
    }

private:
    void read_event(const pugi::xml_node& node) {
        const auto id = parse_number(attribute(node, "value"));
        const auto version =
            parse_number(node.attribute("version") ? attribute(node, "version") : "0");
        if (!id || *id > 0xFFFF || !version || *version > 0xFF) {
            reading_.note(node, fmt::format("event `{}` version `{}` has no valid number",
                                            attribute(node, "value"), attribute(node, "version")));
            return;
        }
        auto event = std::make_shared<EventSchema>();
        event->origin = origin_;
        event->provider = names_.provider();
        event->id = static_cast<std::uint16_t>(*id);
        event->version = static_cast<std::uint8_t>(*version);
        read_descriptor(node, *event);
        event->message =
            reading_.copy(without_message_end(strings_.text(attribute(node, "message"))));
        read_payload(node, *event);
        if (!reading_.exhausted()) {
            reading_.result.events.push_back(std::move(event));
        }
    }

    void read_descriptor(const pugi::xml_node& node, EventSchema& event) {
        event.channel = names_.channel(attribute(node, "channel"));
        event.level = names_.level(attribute(node, "level"));
        event.keyword = names_.keywords(attribute(node, "keywords"));
        event.symbol = reading_.copy(attribute(node, "symbol"));
        const auto task = names_.task(attribute(node, "task"));
        const auto opcode = names_.opcode(attribute(node, "opcode"), attribute(node, "task"));
        event.task = task.value;
        event.task_name = reading_.copy(task.shown);
        event.task_guid = names_.task_guid(attribute(node, "task"));
        event.opcode = opcode.value;
        event.opcode_name = reading_.copy(opcode.shown);
        event.event_name = composed_name(event);
        reading_.charge(event.event_name.size());
    }

    void read_payload(const pugi::xml_node& node, EventSchema& event) {
        const std::string_view id = attribute(node, "template");
        const Template* known = id.empty() ? nullptr : templates_.find(id);
        if (known != nullptr && reading_.charge(known->bytes)) {
            known->copy_to(event);
        } else if (known == nullptr && reading_.charge(sizeof(EventSchema)) && !id.empty()) {
            reading_.note(node, fmt::format("template `{}` is not defined", id));
            Field unknown;
            unknown.name = reading_.copy(id);
            unknown.count.kind = Extent::Kind::unknown;
            event.fields.push_back(std::move(unknown));
        }
    }

    pugi::xml_node node_;
    ManifestReading& reading_;
    const ManifestStrings& strings_;
    Origin origin_;
    ManifestNames names_;
    ManifestTemplates templates_;
};

void read_providers(const pugi::xml_document& document, const ManifestOptions& options,
                    ManifestReading& reading) {
    const ManifestStrings strings(document, options.culture);
    for (const pugi::xml_node& instrumentation : descendants(document, "instrumentation")) {
        for_each_child(instrumentation, "events", [&](const pugi::xml_node& events) {
            for_each_child(events, "provider", [&](const pugi::xml_node& provider) {
                const auto guid = parse_guid(trimmed(attribute(provider, "guid")));
                if (guid) {
                    ProviderReader(provider, *guid, reading, strings, options).read(options);
                } else {
                    reading.note(provider, fmt::format("provider `{}` has no GUID: `{}`",
                                                       attribute(provider, "name"),
                                                       attribute(provider, "guid")));
                }
            });
        });
    }
}

std::expected<SchemaSet, FileError> parse_checked(Bytes file, const ManifestOptions& options) {
    const auto readable = manifest_text(file);
    if (!readable) {
        return unexpected(readable.error());
    }
    const std::string& text = readable->text;
    ManifestReading reading(text);
    if (readable->assumed_ansi) {
        reading.note_at(0, "not UTF-8; decoded as Windows-1252");
    }
    for (const std::size_t offset : readable->repaired) {
        reading.note_at(offset, "repaired an attribute value with unescaped quotes or brackets");
    }

    pugi::xml_document document;
    const auto outcome =
        document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!outcome) {
        return unexpected(FileError{reading.line_of(static_cast<std::size_t>(outcome.offset)),
                                    fmt::format("not well-formed: {}", outcome.description())});
    }
    read_providers(document, options, reading);
    if (reading.exhausted()) {
        return unexpected(FileError{
            0, fmt::format("its schemas exceed {} MB", limits::manifest_schema_bytes >> 20U)});
    }
    if (reading.result.providers.empty()) {
        return unexpected(FileError{0, "defines no provider"});
    }
    return std::move(reading.result);
}

} // namespace

std::expected<SchemaSet, FileError> parse_manifest(Bytes text, const ManifestOptions& options) {
    return guarded([&] { return parse_checked(text, options); });
}

} // namespace etl::schema
