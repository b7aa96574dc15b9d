// Resources of compiled manifests, and what is in them.
#pragma once

#include "base/text.hpp"
#include "schema/wevt.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/image_builder.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <expected>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::schema {

using Content = std::vector<std::byte>;

inline MessageTable table_of(const test::Messages& messages) {
    auto table = MessageTable::parse(test::message_table(messages));
    EXPECT_TRUE(table) << describe(table.error());
    return table ? std::move(*table) : MessageTable{};
}

inline std::expected<SchemaSet, FileError> parse(Bytes crim, const MessageTable& messages) {
    return parse_wevt(crim, [&](std::uint32_t id) { return messages.find(id); });
}

inline SchemaSet schemas_of(const test::ImageProvider& provider,
                            const test::WevtStyle& style = {}) {
    const test::Wevt built = test::wevt({provider}, style);
    auto set = parse(built.crim, table_of(built.messages));
    if (!set) {
        ADD_FAILURE() << set.error().reason;
        return {};
    }
    for (const FileNote& note : set->notes) {
        ADD_FAILURE() << note.text;
    }
    return std::move(*set);
}

inline const EventSchema& event(const SchemaSet& set, std::uint16_t id) {
    for (const auto& schema : set.events) {
        if (schema->id == id) {
            return *schema;
        }
    }
    throw std::out_of_range("event");
}

/// A resource whose templates all say that their XML goes on to its end, a megabyte away.
inline Content overlapping_templates(std::size_t count) {
    test::ImageProvider provider{.guid = test::sample_provider().guid, .name = u"Overlap"};
    for (std::size_t i = 0; i < count; ++i) {
        const std::u16string name(i + 1, u't');
        provider.templates.push_back({.name = name, .user_data = {{.name = u"Notice"}}});
        provider.events.push_back({.id = static_cast<std::uint16_t>(i), .payload = name});
    }
    Content crim = test::wevt({provider}).crim;
    crim.resize(crim.size() + (1U << 20U));
    const Content huge(4, std::byte{0x7F});
    crim = test::overwrite(std::move(crim), 4, huge);
    for (std::size_t at = as_text(crim).find("TEMP"); at != std::string_view::npos;
         at = as_text(crim).find("TEMP", at + 4)) {
        crim = test::overwrite(std::move(crim), at + 4, huge);
        crim = test::overwrite(std::move(crim), at + 16, Content(4)); // no field follows the XML
    }
    return crim;
}

} // namespace etl::schema
