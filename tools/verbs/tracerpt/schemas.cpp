// -export and -int: what the events look like.
#include "verbs/tracerpt/schemas.hpp"

#include <etl/authoring/compact_writer.hpp>
#include <etl/authoring/manifest_writer.hpp>
#include <etl/authoring/merge.hpp>
#include <etl/authoring/number_events.hpp>

#include "cli/plural.hpp"

#include <fmt/format.h>

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
