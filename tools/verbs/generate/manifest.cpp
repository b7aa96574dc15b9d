#include "verbs/generate/manifest.hpp"

#include <fmt/format.h>

#include <array>

namespace cli::generate {

namespace {

constexpr std::array<std::string_view, 4> levels{"win:Error", "win:Warning", "win:Informational",
                                                 "win:Verbose"};
constexpr std::array<std::string_view, 3> tasks{"Arrival", "Departure", "Shunting"};
constexpr std::array<std::string_view, 4> keywords{"Trains", "Signals", "Points", "Tickets"};

constexpr std::string_view head = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events" xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
  <instrumentation>
    <events>
)xml";

constexpr std::string_view templates = R"xml(        <templates>
          <template tid="Entry">
            <data name="Number" inType="win:UInt32"/>
            <data name="Address" inType="win:Pointer"/>
            <data name="Text" inType="win:UnicodeString"/>
            <data name="Size" inType="win:UInt16"/>
            <data name="Blob" inType="win:Binary" length="Size"/>
          </template>
        </templates>
)xml";

constexpr std::string_view tail = R"xml(    </events>
  </instrumentation>
  <localization>
    <resources culture="en-US">
      <stringTable>
        <string id="entry" value="Entry %1 at %2: %3"/>
      </stringTable>
    </resources>
  </localization>
</instrumentationManifest>
)xml";

void append_provider(std::string& to, std::uint32_t number) {
    const etl::provider::Provider provider = manifest_provider(number);
    to += fmt::format(
        R"xml(      <provider name="{}" guid="{{{}}}" symbol="GENERATED_{}" resourceFileName="generated.dll" messageFileName="generated.dll">
)xml",
        provider.name(), etl::to_string(provider.guid()), number + 1);
    to += "        <keywords>\n";
    for (std::size_t i = 0; i < keywords.size(); ++i) {
        to +=
            fmt::format("          <keyword name=\"{}\" mask=\"{:#x}\"/>\n", keywords[i], 1U << i);
    }
    to += "        </keywords>\n        <tasks>\n";
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        to += fmt::format("          <task name=\"{}\" value=\"{}\"/>\n", tasks[i], i + 1);
    }
    to += "        </tasks>\n";
    to += templates;
    to += "        <events>\n";
    for (std::uint16_t id = 1; id <= manifest_events; ++id) {
        const etl::provider::EventDescriptor event = descriptor_of(id);
        to += fmt::format(
            R"xml(          <event value="{0}" symbol="GENERATED_{4}_{0}" version="0" level="{1}" task="{2}" keywords="{3}" template="Entry" message="$(string.entry)"/>
)xml",
            id, levels[event.level - 2U], tasks[event.task - 1U], keywords[id % keywords.size()],
            number + 1);
    }
    to += "        </events>\n      </provider>\n";
}

} // namespace

etl::provider::EventDescriptor descriptor_of(std::uint16_t id) noexcept {
    return {.id = id,
            .version = 0,
            .channel = 0,
            .level = static_cast<std::uint8_t>(2 + id % levels.size()),
            .opcode = 0,
            .task = static_cast<std::uint16_t>(1 + id % tasks.size()),
            .keyword = std::uint64_t{1} << (id % keywords.size())};
}

etl::provider::Provider manifest_provider(std::uint32_t number) {
    return etl::provider::Provider(fmt::format("Generated-Manifest-{}", number + 1));
}

std::string manifest(const Recipe& recipe) {
    std::string text(head);
    for (std::uint32_t i = 0; i < recipe.providers; ++i) {
        append_provider(text, i);
    }
    return text.append(tail);
}

} // namespace cli::generate
