// Event and map information as merges on Windows embedded it: what is read from it and written
// again says the same, and lies as it lay there.
#include "format/kernel_group.hpp"
#include "schema/event_info.hpp"
#include "tests/support/event_info_difference.hpp"
#include "tests/support/folders.hpp"
#include "trace/inputs.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace etl::test {
namespace {

constexpr std::uint8_t event_info_type = 32, map_info_type = 33;

struct Counts {
    std::size_t events = 0, equal_events = 0;
    std::size_t equal_but_for_template = 0; // what follows the fragment of binary XML
    std::size_t maps = 0, early_names = 0;
};

// The message compiler's binary XML is followed by what else the resource says about the template:
// offsets of that resource, of which the blob knows nothing.
bool is_equal_but_for_template(Bytes written, Bytes real) {
    constexpr std::size_t size_of_xml = 88;
    std::vector<std::byte> mine(written.begin(), written.end());
    std::vector<std::byte> theirs(real.begin(), real.end());
    if (mine.size() >= theirs.size()) {
        return false;
    }
    theirs.resize(mine.size());
    for (std::size_t i = size_of_xml; i < size_of_xml + 4; ++i) {
        mine[i] = theirs[i] = std::byte{0};
    }
    return mine == theirs;
}

void check_event(Bytes blob, Counts& counts) {
    ++counts.events;
    const auto before = schema::parse_event_info(blob);
    ASSERT_TRUE(before) << describe(before.error());
    ByteWriter written;
    const auto possible = schema::write_event_info(*before, written);
    ASSERT_TRUE(possible) << describe(possible.error());
    const auto after = schema::parse_event_info(written.view());
    ASSERT_TRUE(after) << describe(after.error());
    EXPECT_EQ(difference(*before, *after), "") << "event " << before->schema.id;
    counts.equal_events += std::ranges::equal(written.view(), blob) ? 1U : 0U;
    counts.equal_but_for_template += is_equal_but_for_template(written.view(), blob) ? 1U : 0U;
}

void check_map(Bytes blob, Counts& counts) {
    ++counts.maps;
    const auto before = schema::parse_map_info(blob);
    ASSERT_TRUE(before) << describe(before.error());
    ByteWriter written;
    schema::write_map_info(*before, written);
    const auto after = schema::parse_map_info(written.view());
    ASSERT_TRUE(after) << describe(after.error());
    EXPECT_EQ(before->provider, after->provider);
    EXPECT_EQ(before->map->name, after->map->name);
    EXPECT_EQ(before->map->kind, after->map->kind);
    EXPECT_EQ(before->map->entries, after->map->entries);
    if (!std::ranges::equal(written.view(), blob)) {
        // Maps of PerfView's kernel EventSource, whose manifest is no resource: their names lie
        // 8 bytes earlier.
        EXPECT_TRUE(before->map->name == "Keywords" || before->map->name == "TraceEventLevel")
            << before->map->name;
        EXPECT_EQ(written.view().size(), blob.size() + 6); // 2 zero bytes follow there
        ++counts.early_names;
    }
}

void check_trace(const std::shared_ptr<const io::InputFile>& file, Counts& counts) {
    auto reader = trace::Reader::open(file, {});
    if (!reader) {
        return;
    }
    flow::EventCursor events(**reader);
    while (const flow::Event* event = events.next()) {
        if (!format::is_full(event->kind)) {
            continue;
        }
        const flow::EventHeader header = flow::read_header(*event);
        if (header.provider != format::event_metadata_guid) {
            continue;
        }
        if (header.opcode == event_info_type) {
            check_event(header.payload, counts);
        } else if (header.opcode == map_info_type) {
            check_map(header.payload, counts);
        }
    }
}

TEST(EventInfoRoundtrip, WhatWindowsEmbeddedIsWrittenAgain) {
    if (!std::filesystem::exists(test::shared_corpus())) {
        GTEST_SKIP() << "no real traces at " << test::shared_corpus();
    }
    Counts counts;
    const auto inputs =
        trace::open_inputs({test::shared_corpus()}, {.recursion = io::Recursion::yes});
    for (const auto& file : inputs.files) {
        check_trace(file, counts);
    }
    std::printf(
        "%zu events: %zu equal byte for byte, %zu up to the end of the XML; %zu maps: all but "
        "%zu equal\n",
        counts.events, counts.equal_events, counts.equal_but_for_template, counts.maps,
        counts.early_names);
    EXPECT_GE(counts.events, 89U);
    EXPECT_GE(counts.maps, 35U);
    // The other: an array without the flag of a fixed count, from before Windows 10 had it.
    EXPECT_GE(counts.equal_events + counts.equal_but_for_template, counts.events - 1);
    EXPECT_LE(counts.early_names, 4U); // two in each of two traces
}

} // namespace
} // namespace etl::test
