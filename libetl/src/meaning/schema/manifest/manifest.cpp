#include "schema/manifest.hpp"

#include "schema/event_name.hpp"
#include "schema/file_text.hpp"
#include "schema/guarded.hpp"
#include "schema/limits.hpp"
#include "schema/manifest/code_names.hpp"
#include "schema/manifest/names.hpp"
#include "schema/manifest/reading.hpp"
#include "schema/manifest/strings.hpp"
#include "schema/manifest/templates.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>

namespace etl::schema {

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
        event.event_name =
            compose_event_name(event.task_name, event.opcode, event.opcode_name, event.symbol);
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
