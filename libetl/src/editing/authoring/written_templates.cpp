#include "authoring/written_templates.hpp"

#include "format/limits.hpp"
#include "schema/field_scopes.hpp"
#include "schema/limits.hpp"
#include "schema/manifest_reading.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <deque>
#include <optional>

namespace etl::authoring {

namespace {

constexpr std::size_t item_depth = 6; // of what stands in a template or map, for its indentation

// Types that came with classes have a prefix of their own, as in manifests made from classes.
std::string in_type_text(schema::InType type) {
    const auto code = static_cast<std::uint16_t>(type);
    if (const std::string_view known = name(type); !known.empty() && type != schema::InType::null) {
        return fmt::format("{}:{}", code >= 300 ? "trace" : "win", known);
    }
    return fmt::format("win:{}", code);
}

std::string out_type_text(schema::OutType type) {
    const auto code = static_cast<std::uint16_t>(type);
    std::string text(name(type));
    if (text.empty() || code > 15) {
        return text.empty() ? text : (code >= 300 ? "trace:" : "win:") + text;
    }
    if (type != schema::OutType::guid) {
        text.front() = static_cast<char>(text.front() - 'A' + 'a');
    }
    return "xs:" + text;
}

// False: the parser cannot tell what such a field holds, and decoding ends at it.
bool has_manifest_type(schema::InType type) noexcept {
    return type != schema::InType::null && type != schema::InType::structure && !name(type).empty();
}

bool has_length_attribute(schema::InType type) noexcept {
    return type == schema::InType::unicode_string || type == schema::InType::ansi_string ||
           type == schema::InType::binary;
}

struct StringWriter final : pugi::xml_writer {
    void write(const void* data, std::size_t size) override {
        text.append(static_cast<const char*>(data), size);
    }

    std::string text;
};

// True when the parser would give exactly this text back as a UserData element.
bool is_one_element(const std::string& xml) {
    pugi::xml_document document;
    if (xml_safe(xml) != xml ||
        !document.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8)) {
        return false;
    }
    const pugi::xml_node element = document.first_child();
    if (element.type() != pugi::node_element || element.next_sibling()) {
        return false;
    }
    StringWriter writer;
    element.print(writer, "", pugi::format_raw, pugi::encoding_utf8);
    return writer.text == xml;
}

// The items of one event's template.
class TemplateText {
public:
    TemplateText(const schema::EventSchema& event, const std::string& provider, WrittenMaps& maps,
                 WrittenNotes& notes)
        : event_(&event), provider_(&provider), maps_(&maps), notes_(&notes),
          xml_(schema::limits::manifest_file_bytes, item_depth) {}

    std::string take() {
        write_items(0, event_->fields.size(), 0);
        if (!event_->user_data.empty()) {
            write_user_data();
        }
        return xml_.text();
    }

private:
    void write_items(std::size_t begin, std::size_t end, std::uint32_t depth) {
        for (std::size_t i = begin; i < end && !stopped_; ++i) {
            const schema::Field& field = event_->fields[i];
            const bool is_artefact =
                field.members == 0 && field.count.kind == schema::Extent::Kind::unknown;
            if (field.in_type != schema::InType::structure || is_artefact) {
                write_data(i);
                continue;
            }
            const std::size_t members = std::min<std::size_t>(field.members, end - i - 1);
            if (depth == format::max_struct_depth) {
                note(i, "is nested too deep and omitted with all following fields");
                stopped_ = true;
                return;
            }
            write_structure(i, members, depth);
            i += members;
        }
    }

    void write_structure(std::size_t index, std::size_t members, std::uint32_t depth) {
        const schema::Field& field = event_->fields[index];
        names_.push_back(notes_->safe(field.name));
        xml_.open("struct");
        xml_.attribute("name", names_.back());
        write_extent(index, "count", field.count);
        write_tags(field);
        if (field.map != schema::Field::no_map || field.out_type != schema::OutType::none ||
            field.length.kind != schema::Extent::Kind::natural) {
            note(index, "is a structure with a type, map, or length, which are omitted");
        }
        scopes_.enter();
        write_items(index + 1, index + 1 + members, depth + 1);
        scopes_.leave();
        xml_.close();
    }

    void write_data(std::size_t index) {
        const schema::Field& field = event_->fields[index];
        names_.push_back(notes_->safe(field.name));
        xml_.open("data");
        xml_.attribute("name", names_.back());
        xml_.attribute("inType", in_type_text(field.in_type));
        if (field.out_type != schema::OutType::none) {
            const std::string out = out_type_text(field.out_type);
            out.empty() ? note(index, "has an out type without a name, which is omitted")
                        : xml_.attribute("outType", out);
        }
        if (field.map < event_->maps.size() && event_->maps[field.map]) {
            xml_.attribute("map", maps_->name(event_->maps[field.map]));
        }
        schema::Field written = field;
        written.count.kind = write_extent(index, "count", field.count);
        if (has_length_attribute(field.in_type)) {
            write_extent(index, "length", field.length);
        } else if (field.length.kind != schema::Extent::Kind::natural) {
            note(index, "has a length that its type does not allow");
        }
        write_tags(field);
        if (!has_manifest_type(field.in_type) &&
            written.count.kind != schema::Extent::Kind::unknown) {
            note(index, fmt::format(
                            "has the type {}, which manifests do not support; decoding stops there",
                            static_cast<unsigned>(field.in_type)));
        }
        xml_.close();
        scopes_.add(names_.back(), written, index);
    }

    void write_tags(const schema::Field& field) {
        if (field.tags != 0) {
            xml_.attribute("tags", fmt::format("0x{:x}", field.tags));
        }
    }

    // Gives the kind that the parser will read.
    schema::Extent::Kind write_extent(std::size_t index, const char* which,
                                      const schema::Extent& extent) {
        switch (extent.kind) {
        case schema::Extent::Kind::natural:
            return extent.kind;
        case schema::Extent::Kind::fixed:
            if (const auto text = numeral(extent.value)) {
                xml_.attribute(which, *text);
                return extent.kind;
            }
            note(index,
                 fmt::format("has a {} of {}, which is also a field name; decoding stops there",
                             which, extent.value));
            break;
        case schema::Extent::Kind::field:
            if (extent.value < names_.size() &&
                scopes_.find(names_[extent.value]) == extent.value) {
                xml_.attribute(which, names_[extent.value]);
                return extent.kind;
            }
            note(index, fmt::format("has an ambiguous {} field; decoding stops there", which));
            break;
        case schema::Extent::Kind::prefixed:
        case schema::Extent::Kind::rest:
            note(index, fmt::format("has a {} that manifests cannot express; decoding stops there",
                                    which));
            break;
        case schema::Extent::Kind::unknown:
            break;
        }
        xml_.attribute(which, no_field());
        return schema::Extent::Kind::unknown;
    }

    // The parser takes the name of a field before a number. Empty: too many are called so.
    std::optional<std::string> numeral(std::uint32_t value) const {
        constexpr std::size_t max_digits = 16;
        std::string text = std::to_string(value);
        for (std::size_t digits = 1; scopes_.find(text); ++digits) {
            if (digits > max_digits) {
                return std::nullopt;
            }
            text = fmt::format("0x{:0{}X}", value, digits);
        }
        return text;
    }

    // Neither a number nor the name of a field.
    const std::string& no_field() {
        while (scopes_.find(no_field_)) {
            no_field_ += '?';
        }
        return no_field_;
    }

    void write_user_data() {
        if (!is_one_element(event_->user_data)) {
            notes_->add(fmt::format("event {} version {} of {}: its user data is not a single XML "
                                    "element and is omitted",
                                    event_->id, event_->version, *provider_));
            return;
        }
        xml_.open("UserData");
        xml_.raw(event_->user_data + "\n");
        xml_.close();
    }

    void note(std::size_t index, std::string_view what) {
        notes_->add(fmt::format("event {} version {} of {}: field `{}` {}", event_->id,
                                event_->version, *provider_, event_->fields[index].name, what));
    }

    const schema::EventSchema* event_;
    const std::string* provider_;
    WrittenMaps* maps_;
    WrittenNotes* notes_;
    XmlText xml_;
    std::deque<std::string> names_; // as written, by field; the scopes look at them
    schema::FieldScopes scopes_;
    std::string no_field_ = "?"; // only grows: it is looked for once per field and name
    bool stopped_ = false;       // nothing more can be said
};

} // namespace

const std::string& WrittenMaps::name(const std::shared_ptr<const schema::ValueMap>& map) {
    const auto [known, is_new] = names_.try_emplace(map);
    if (!is_new) {
        return known->second;
    }
    const std::string body = body_of(*map);
    const char* const kind = map->kind == schema::ValueMap::Kind::bits ? "b" : "v";
    const auto [equal, is_news] = by_content_.try_emplace(kind + map->name + '\0' + body);
    if (is_news) {
        equal->second = new_name(*map);
        bodies_.push_back({map->kind, equal->second, body});
    }
    return known->second = equal->second;
}

std::string WrittenMaps::new_name(const schema::ValueMap& map) {
    const std::string wished = map.name.empty() ? "Map" : notes_->safe(map.name);
    std::string name = taken_.take_like(wished);
    if (name != map.name) {
        notes_->add(fmt::format("map `{}` is renamed to `{}`", map.name, name));
    }
    return name;
}

std::string WrittenMaps::body_of(const schema::ValueMap& map) {
    XmlText xml(schema::limits::manifest_file_bytes, item_depth);
    for (const auto& [value, text] : map.entries) {
        xml.open("map");
        xml.attribute("value", fmt::format("0x{:x}", value));
        xml.attribute("message", strings_->reference("map", fmt::format("{}.{}", map.name, value),
                                                     notes_->safe(text)));
        xml.close();
    }
    return xml.text();
}

void WrittenMaps::write(XmlText& xml) const {
    if (bodies_.empty()) {
        return;
    }
    xml.open("maps");
    for (const Body& body : bodies_) {
        xml.open(body.kind == schema::ValueMap::Kind::bits ? "bitMap" : "valueMap");
        xml.attribute("name", body.name);
        if (!body.xml.empty()) {
            xml.raw(body.xml);
        }
        xml.close();
    }
    xml.close();
}

std::string WrittenTemplates::id(const schema::EventSchema& event) {
    if (event.fields.empty() && event.user_data.empty()) {
        return {};
    }
    const auto [known, is_new] =
        ids_.try_emplace(TemplateText(event, provider_, maps_, *notes_).take());
    if (is_new) {
        const std::string version = event.version == 0 ? "" : fmt::format("_V{}", event.version);
        known->second = taken_.take_like(fmt::format("T_{}{}", event.id, version));
        list_.emplace_back(known->second, known->first);
    }
    return known->second;
}

void WrittenTemplates::write(XmlText& xml) const {
    maps_.write(xml);
    if (list_.empty()) {
        return;
    }
    xml.open("templates");
    for (const auto& [id, body] : list_) {
        xml.open("template");
        xml.attribute("tid", id);
        if (!body.empty()) {
            xml.raw(body);
        }
        xml.close();
    }
    xml.close();
}

} // namespace etl::authoring
