// -export and -int: what the events look like.
#include "verbs/tracerpt/schemas.hpp"

#include "authoring/compact_writer.hpp"
#include "authoring/manifest_writer.hpp"
#include "authoring/merge.hpp"
#include "cli/console.hpp"
#include "format/kernel_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cli {

namespace {

using etl::schema::Origin;

/// Removes what manifests cannot describe, and prints how much it is.
void remove_classes_and_messages(etl::schema::SchemaSet& set, std::string_view option) {
    const auto removed = std::erase_if(set.events, [](const auto& event) {
        return event->origin == Origin::mof || event->origin == Origin::wpp;
    });
    if (removed > 0) {
        say(fmt::format(
            "note: {}: skipped {}: classic classes and trace messages have no form there", option,
            plural(removed, "kind of events", "kinds of events")));
    }
    std::erase_if(set.providers, [&](const auto& names) {
        return std::ranges::none_of(set.events,
                                    [&](const auto& event) { return event->provider == names; });
    });
}

} // namespace

void SchemaCollector::add(const etl::flow::Event& event) {
    const etl::decode::DecodedEvent& decoded = decoder_.decode(event);
    if (decoder_.generation() != generation_) {
        seen_.clear();
        generation_ = decoder_.generation();
    }
    const std::uint32_t kind = decoded.kind->number;
    seen_.resize(std::max<std::size_t>(seen_.size(), kind + 1UL));
    if (seen_[kind]) {
        return;
    }
    seen_[kind] = true;
    const etl::schema::EventSchema* const schema = decoded.kind->schema;
    const bool is_log_file_header =
        decoded.header.is_kernel && decoded.header.hook_id == etl::format::logfile_header_hook;
    if (is_log_file_header) {
        return; // of every trace
    }
    if (decoded.kind->is_self_describing()) {
        self_describing_.add(etl::flow::Run{&event, 1});
    } else if (schema != nullptr && schema->provider && known_.insert(schema).second) {
        set_.events.push_back(std::make_shared<etl::schema::EventSchema>(*schema));
    }
}

etl::schema::SchemaSet SchemaCollector::take() {
    etl::schema::SchemaSet all = self_describing_.take();
    all.events.insert(all.events.begin(), set_.events.begin(), set_.events.end());
    all.providers.clear();
    for (const auto& event : all.events) {
        if (event->provider &&
            std::ranges::find(all.providers, event->provider) == all.providers.end()) {
            all.providers.push_back(event->provider);
        }
    }
    return all;
}

ExitCode write_schemas(const std::string& path, etl::schema::SchemaSet set, TextEncoding encoding) {
    remove_classes_and_messages(set, "-export");
    if (set.events.empty()) {
        say("-export: no event has a schema that a manifest can describe; nothing is written");
        return ExitCode::damaged;
    }
    const std::array numbered{etl::authoring::with_tracelogging_ids(set)};
    const auto manifest = etl::authoring::write_manifest(etl::authoring::merge(numbered));
    if (!manifest) {
        say(path, manifest.error());
        return ExitCode::failed;
    }
    for (const std::string& note : manifest->notes) {
        say(fmt::format("note: -export: {}", printable(note)));
    }
    // The manifest declares UTF-8.
    return write_text(path, manifest->text,
                      encoding == TextEncoding::unicode ? TextEncoding::utf8 : encoding,
                      Unencodable::xml_reference);
}

ExitCode write_structure(const std::string& path, etl::schema::SchemaSet set,
                         TextEncoding encoding) {
    remove_classes_and_messages(set, "-int");
    const auto text = etl::authoring::write_compact(set);
    if (!text) {
        say(path, text.error());
        return ExitCode::failed;
    }
    return write_text(path, text->text, encoding);
}

} // namespace cli
