// TMF files said in a word, and what is in them.
#pragma once

#include "schema/tmf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace etl::schema {

inline constexpr Guid queue_guid = *parse_guid("3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01");
inline constexpr std::string_view guid_line =
    "3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01 pumpdrv // SRC=Queue.c MJ= MN=\n";

inline Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

inline SchemaSet parsed(std::string_view text) {
    auto set = parse_tmf(bytes_of(text));
    EXPECT_TRUE(set) << (set ? "" : set.error().reason);
    return set ? std::move(*set) : SchemaSet{};
}

/// The one message of a file that holds `entry` under the GUID line.
inline EventSchema message_of(std::string_view entry) {
    const SchemaSet set = parsed(std::string(guid_line).append(entry));
    EXPECT_THAT(set.events, testing::SizeIs(1));
    return set.events.empty() ? EventSchema{} : *set.events.front();
}

/// The field of an argument `type` that is shown as `notation`.
inline Field field_of(std::string_view type, std::string_view notation = "s") {
    const auto schema = message_of(std::string("#typev Queue_c12 10 \"%10!")
                                       .append(notation)
                                       .append("!\" //\n{\nx, ")
                                       .append(type)
                                       .append(" -- 10\n}\n"));
    EXPECT_THAT(schema.fields, testing::SizeIs(1));
    return schema.fields.empty() ? Field{} : schema.fields.front();
}

} // namespace etl::schema
