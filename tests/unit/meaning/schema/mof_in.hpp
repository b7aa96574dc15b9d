// Class definitions for tests, said by what matters of them.
#pragma once

#include "schema/mof.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace etl::schema {

inline SchemaSet parse_classes(std::string_view text) {
    auto set = parse_mof(std::as_bytes(std::span(text)));
    if (!set) {
        ADD_FAILURE() << set.error().line << ":" << set.error().column << ": "
                      << set.error().reason;
        return {};
    }
    return std::move(*set);
}

/// The schema of an event class of type 1 with these properties, and classes before it.
inline EventSchema event_with(std::string_view properties, std::string_view before = {}) {
    const SchemaSet set = parse_classes(fmt::format(R"({}
[Guid("{{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}}"), EventVersion(1), EventType(1)]
class Demo {{ {} }};)",
                                                    before, properties));
    for (const FileNote& note : set.notes) {
        ADD_FAILURE() << note.line << ": " << note.text;
    }
    return set.events.empty() ? EventSchema{} : *set.events.back();
}

/// Its only field.
inline Field field_with(std::string_view property) {
    const EventSchema event = event_with(property);
    EXPECT_EQ(event.fields.size(), 1U);
    return event.fields.empty() ? Field{} : event.fields.front();
}

/// The notes on a class with these properties, as texts.
inline std::vector<std::string> notes_on(std::string_view properties) {
    const SchemaSet set = parse_classes(fmt::format(
        R"([Guid("{{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}}"), EventType(1)] class Demo {{ {} }};)",
        properties));
    std::vector<std::string> texts;
    for (const FileNote& note : set.notes) {
        texts.push_back(note.text);
    }
    return texts;
}

/// Why a text is rejected, as "LINE:COLUMN: REASON".
inline std::string rejection_of(std::string_view text) {
    const auto set = parse_mof(std::as_bytes(std::span(text)));
    return set ? "accepted"
               : fmt::format("{}:{}: {}", set.error().line, set.error().column, set.error().reason);
}

} // namespace etl::schema
