// Manifests for tests, said by what matters of them.
#pragma once

#include "schema/manifest.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace etl::schema {

inline constexpr std::string_view test_guid = "{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}";

/// A document with one provider `Demo` that holds `inside`, and strings as `<string .../>`
/// elements.
inline std::string manifest_with(std::string_view inside, std::string_view strings = {}) {
    return fmt::format(
        R"(<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
<instrumentation><events><provider name="Demo" guid="{}" symbol="DEMO">{}</provider></events></instrumentation>
<localization><resources culture="en-US"><stringTable>{}</stringTable></resources></localization>
</instrumentationManifest>)",
        test_guid, inside, strings);
}

inline Bytes as_bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// Parses what must be accepted.
inline SchemaSet parse_text(std::string_view text, const ManifestOptions& options = {}) {
    auto manifest = parse_manifest(as_bytes_of(text), options);
    if (!manifest) {
        ADD_FAILURE() << "line " << manifest.error().line << ": " << manifest.error().reason;
        return {};
    }
    return std::move(*manifest);
}

inline SchemaSet parse_provider(std::string_view inside, std::string_view strings = {}) {
    return parse_text(manifest_with(inside, strings));
}

/// The one event of a provider.
inline EventSchema event_of(std::string_view inside, std::string_view strings = {}) {
    const SchemaSet manifest = parse_provider(inside, strings);
    EXPECT_EQ(manifest.events.size(), 1U);
    return manifest.events.empty() ? EventSchema{} : *manifest.events.front();
}

/// The fields of one template, and what the parser remarked.
struct TemplateResult {
    std::vector<Field> fields;
    std::vector<std::shared_ptr<const ValueMap>> maps;
    std::string user_data;
    std::vector<FileNote> notes;
};

inline TemplateResult template_of(std::string_view items, std::string_view provider_parts = {}) {
    const SchemaSet manifest =
        parse_provider(fmt::format(R"({}<templates><template tid="T">{}</template></templates>
<events><event value="1" template="T"/></events>)",
                                   provider_parts, items));
    if (manifest.events.size() != 1) {
        ADD_FAILURE() << manifest.events.size() << " events";
        return {};
    }
    const EventSchema& event = *manifest.events.front();
    return {event.fields, event.maps, event.user_data, manifest.notes};
}

} // namespace etl::schema
