#include "authoring/manifest_writer.hpp"

#include "authoring/provider_events.hpp"
#include "authoring/written_names.hpp"
#include "authoring/written_notes.hpp"
#include "authoring/written_templates.hpp"
#include "authoring/xml_text.hpp"
#include "schema/event_name.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <memory>
#include <new>
#include <utility>

namespace etl::authoring {

namespace {

std::string upper(std::string text) {
    for (char& c : text) {
        c = c == '.' || c == '-' ? '_'
                                 : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    }
    return text;
}

/// A manifest has no names without numbers: the name of the event becomes its symbol.
void drop_unnumbered_names(ProviderEvents& provider) {
    for (auto& event : provider.events) {
        if (!event->is_task_unknown && !event->is_opcode_unknown) {
            continue;
        }
        auto numbered = std::make_shared<schema::EventSchema>(*event);
        numbered->symbol = event->symbol.empty() ? event->event_name : event->symbol;
        if (std::exchange(numbered->is_task_unknown, false)) {
            numbered->task_name.clear();
        }
        if (std::exchange(numbered->is_opcode_unknown, false)) {
            numbered->opcode_name.clear();
        }
        event = std::move(numbered);
    }
}

class ManifestText {
public:
    explicit ManifestText(std::string_view culture)
        : culture_(culture), xml_(schema::limits::manifest_file_bytes, 0) {}

    Result<WrittenManifest> write(const schema::SchemaSet& set) {
        xml_.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml_.open("instrumentationManifest");
        xml_.attribute("xmlns", "http://schemas.microsoft.com/win/2004/08/events");
        xml_.attribute("xmlns:win", "http://manifests.microsoft.com/win/2004/08/windows/events");
        xml_.attribute("xmlns:xs", "http://www.w3.org/2001/XMLSchema");
        xml_.attribute("xmlns:trace", "http://schemas.microsoft.com/win/2004/08/events/trace");
        xml_.open("instrumentation");
        xml_.open("events");
        for (ProviderEvents& provider : group_by_provider(set)) {
            drop_unnumbered_names(provider);
            write_provider(provider);
        }
        xml_.close();
        xml_.close();
        write_strings();
        xml_.close();
        note_lost_events(set);
        if (xml_.is_full()) {
            return fail(ErrorCode::limit, "size of a manifest", {},
                        schema::limits::manifest_file_bytes);
        }
        return WrittenManifest{xml_.text(), notes_.take()};
    }

private:
    // The GUID first: whoever scans the file finds it however long the name is.
    void write_provider(const ProviderEvents& provider) {
        const schema::ProviderNames& names = provider.names;
        const std::string name = notes_.safe(names.name);
        const std::string shown = name.empty() ? to_string(names.guid) : name;
        const WrittenNames words(provider, strings_, notes_);
        WrittenTemplates templates(shown, strings_, notes_);
        std::vector<std::string> template_ids;
        template_ids.reserve(provider.events.size());
        for (const auto& event : provider.events) {
            template_ids.push_back(templates.id(*event));
        }
        xml_.open("provider");
        xml_.attribute("guid", "{" + to_string(names.guid) + "}");
        xml_.attribute("name", name);
        xml_.attribute("symbol", symbols_.take_like(upper(plain_name(shown))));
        const auto file = [&](const char* attribute, const std::string& path) {
            if (!path.empty()) {
                xml_.attribute(attribute, notes_.safe(path));
            }
        };
        file("resourceFileName", names.resource_file);
        file("messageFileName", names.message_file);
        file("parameterFileName", names.parameter_file);
        words.write(xml_);
        templates.write(xml_);
        if (!provider.events.empty()) {
            xml_.open("events");
            for (std::size_t i = 0; i < provider.events.size(); ++i) {
                write_event(*provider.events[i], words, template_ids[i]);
            }
            xml_.close();
        }
        xml_.close();
        note_provider(provider, shown);
    }

    void write_event(const schema::EventSchema& event, const WrittenNames& words,
                     const std::string& template_id) {
        const auto add = [&](const char* attribute, const std::string& value) {
            if (!value.empty()) {
                xml_.attribute(attribute, value);
            }
        };
        xml_.open("event");
        xml_.attribute("value", std::to_string(event.id));
        xml_.attribute("version", std::to_string(event.version));
        add("symbol", notes_.safe(symbol_of(event)));
        add("channel", words.channel(event.channel));
        add("level", words.level(event.level));
        add("task", words.task(event));
        add("opcode", words.opcode(event));
        add("keywords", words.keywords(event.keyword));
        add("template", template_id);
        if (!event.message.empty()) {
            add("message",
                strings_.reference("event", fmt::format("{}.{}", event.id, event.version),
                                   notes_.safe(event.message)));
        }
        xml_.close();
        note_event(event);
    }

    // An event without a task is called by its symbol.
    static std::string symbol_of(const schema::EventSchema& event) {
        const bool is_named = !event.symbol.empty() || !event.task_name.empty();
        return is_named || event.event_name == event.opcode_name ? event.symbol : event.event_name;
    }

    void note_event(const schema::EventSchema& event) {
        const auto note = [&](std::string_view what) {
            notes_.add(fmt::format("event {} version {} of {}: {}", event.id, event.version,
                                   event.provider->name, what));
        };
        const std::string read = schema::compose_event_name(event.task_name, event.opcode,
                                                            event.opcode_name, symbol_of(event));
        if (read != event.event_name) {
            note(fmt::format("the name `{}` becomes `{}`", event.event_name, read));
        } else if (symbol_of(event) != event.symbol) {
            note("its name becomes its symbol");
        }
        if (event.tags != 0) {
            note("its tags are omitted");
        }
    }

    void note_provider(const ProviderEvents& provider, const std::string& shown) {
        for (const std::string& other : provider.other_names) {
            notes_.add(fmt::format("provider {}: omitted its other name {}", shown, other));
        }
        if (!provider.names.builds.empty()) {
            notes_.add(fmt::format("provider {}: the builds of Windows of its layouts are omitted "
                                   "(--compact keeps them)",
                                   shown));
        }
        if (provider.names.parameters) {
            notes_.add(fmt::format("provider {}: its parameter texts are omitted", shown));
        }
    }

    void note_lost_events(const schema::SchemaSet& set) {
        for (const auto& event : set.events) {
            if (!event->provider) {
                notes_.add(fmt::format("event {} version {} has no provider and is omitted",
                                       event->id, event->version));
            }
        }
    }

    void write_strings() {
        if (strings_.entries().empty()) {
            return;
        }
        xml_.open("localization");
        xml_.open("resources");
        xml_.attribute("culture", culture_);
        xml_.open("stringTable");
        for (const WrittenStrings::Entry& entry : strings_.entries()) {
            xml_.open("string");
            xml_.attribute("id", entry.id);
            xml_.attribute("value", entry.value);
            xml_.close();
        }
        xml_.close();
        xml_.close();
        xml_.close();
    }

    std::string culture_;
    XmlText xml_;
    WrittenStrings strings_;
    WrittenNotes notes_;
    UniqueNames symbols_;
};

} // namespace

Result<WrittenManifest> write_manifest(const schema::SchemaSet& set, std::string_view culture) {
    try {
        return ManifestText(culture).write(set);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit, "memory");
    }
}

} // namespace etl::authoring
