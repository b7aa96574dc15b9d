#include "authoring/compact/names.hpp"
#include "authoring/compact/spelling.hpp"
#include "authoring/compact/templates.hpp"
#include "authoring/compact_writer.hpp"
#include "authoring/provider_events.hpp"
#include "authoring/written_notes.hpp"
#include "schema/event_name.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::authoring {

namespace {

class CompactText {
public:
    Result<WrittenCompact> write(const schema::SchemaSet& set) {
        for (const ProviderEvents& provider : group_by_provider(set)) {
            write_provider(provider);
            if (is_full()) {
                return fail(ErrorCode::limit, "size of a file in the compact form", {},
                            limits::manifest_file_bytes);
            }
        }
        note_events_without_provider(set);
        return WrittenCompact{std::move(text_), notes_.take()};
    }

private:
    bool is_full() const noexcept { return text_.size() > limits::manifest_file_bytes; }

    void write_provider(const ProviderEvents& provider) {
        const schema::ProviderNames& names = provider.names;
        text_ += fmt::format("provider {} {}\n", compact_name(names.name), to_string(names.guid));
        for (const auto& [value, name] : names.channels) {
            text_ += fmt::format("channel {} {}\n", value, compact_name(name));
        }
        for (const auto& [value, name] : names.levels) {
            text_ += fmt::format("level {} {}\n", value, compact_name(name));
        }
        for (const auto& [mask, name] : names.keywords) {
            text_ += fmt::format("keyword {:#x} {}\n", mask, compact_name(name));
        }
        auto events = provider.events;
        std::ranges::stable_sort(
            events, {}, [](const auto& event) { return std::pair(event->id, event->version); });
        const CompactNames words(events);
        text_ += words.lines();
        CompactTemplates templates;
        for (const auto& event : events) {
            if (!is_full()) {
                write_event(*event, words, templates);
            }
        }
    }

    void write_event(const schema::EventSchema& event, const CompactNames& words,
                     CompactTemplates& templates) {
        if (event.any_version || event.site) {
            notes_.add(fmt::format("event {} version {} of {}: a schema of the kind {}; left out",
                                   event.id, event.version, event.provider->name,
                                   name(event.origin)));
            return;
        }
        const std::size_t fields = templates.number(event, text_);
        text_ += fmt::format("event {} {}", event.id, event.version);
        add("level", event.level);
        add("channel", event.channel);
        text_ += words.of(event);
        if (event.keyword != 0) {
            text_ += fmt::format(" keywords {:#x}", event.keyword);
        }
        if (!event.symbol.empty()) {
            text_ += " symbol " + compact_name(event.symbol);
        }
        const std::string composed = schema::compose_event_name(event.task_name, event.opcode,
                                                                event.opcode_name, event.symbol);
        if (event.event_name != composed) {
            text_ += " name " + compact_name(event.event_name);
        }
        add("tags", event.tags);
        add("fields", fields);
        text_ += '\n';
    }

    void add(std::string_view key, std::uint64_t value) {
        if (value != 0) {
            text_ += fmt::format(" {} {}", key, value);
        }
    }

    void note_events_without_provider(const schema::SchemaSet& set) {
        for (const auto& event : set.events) {
            if (!event->provider) {
                notes_.add(fmt::format("event {} version {} has no provider; left out", event->id,
                                       event->version));
            }
        }
    }

    std::string text_;
    WrittenNotes notes_;
};

} // namespace

Result<WrittenCompact> write_compact(const schema::SchemaSet& set) {
    return CompactText().write(set);
}

} // namespace etl::authoring
