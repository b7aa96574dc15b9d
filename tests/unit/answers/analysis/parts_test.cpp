#include "analysis/parts.hpp"

#include <gtest/gtest.h>

namespace etl::analysis::parts_test {
namespace {

PartFile small_part(std::uint32_t number) {
    TablePart part{.columns = {"provider", "events", "bytes", "first", "last", "events_per_second"},
                   .events = 2,
                   .used_events = 2};
    part.rows.push_back({.cells = {std::string("Tea"),
                                   std::uint64_t{number},
                                   std::uint64_t{64},
                                   std::uint64_t{10} - number,
                                   std::uint64_t{20} + number,
                                   {}}});
    part.whole = {.has_events = true, .begin = 0, .end = 10'000'000, .planned_end = 10'000'000};
    return {.number = number,
            .count = 2,
            .table = "stats",
            .by = "provider",
            .made_from = {{"--where", "level < 4"}},
            .traces = {part}};
}

Error error_of(std::vector<std::byte> file) {
    return parse_part_file(file).error();
}

TEST(PartFile, IsTheSameAfterAFile) {
    const auto file = encode(small_part(2));
    const auto part = parse_part_file(file);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->number, 2U);
    EXPECT_EQ(part->by, "provider");
    EXPECT_EQ(part->made_from.front().second, "level < 4");
    EXPECT_EQ(part->traces.front().rows.front().cells.front(), Cell{std::string("Tea")});
    EXPECT_EQ(encode(*part), file);
}

TEST(PartFile, RefusesWhatIsNoPart) {
    auto file = encode(small_part(1));
    EXPECT_EQ(error_of({}).code, ErrorCode::malformed);
    for (std::size_t size = 0; size < file.size(); ++size) {
        EXPECT_FALSE(parse_part_file(Bytes(file).first(size))) << size;
    }
    auto changed = file;
    changed[40] ^= std::byte{1};
    EXPECT_EQ(error_of(changed).code, ErrorCode::malformed);
    file[8] = std::byte{99};
    EXPECT_EQ(error_of(file).code, ErrorCode::unsupported);
}

TEST(PartFile, RefusesNumbersThatAreNotAllowed) {
    auto part = small_part(1);
    part.number = 3; // of 2
    EXPECT_EQ(error_of(encode(part)).code, ErrorCode::malformed);
    part = small_part(1);
    part.traces.front().whole.end = -1;
    EXPECT_EQ(error_of(encode(part)).code, ErrorCode::malformed);
    part = small_part(1);
    part.options.slices = 0;
    EXPECT_EQ(error_of(encode(part)).code, ErrorCode::malformed);
}

TEST(PartsOfTables, AddUpByTheirKeys) {
    const auto* const kind = find_table("stats", "provider");
    const TablePart parts[] = {small_part(1).traces.front(), small_part(2).traces.front()};
    const auto table = combine(*kind, {}, parts);
    ASSERT_TRUE(table);
    ASSERT_EQ(table->rows.size(), 1U);
    EXPECT_EQ(table->rows[0].cells[1], Cell{std::uint64_t{3}});  // sum
    EXPECT_EQ(table->rows[0].cells[3], Cell{std::uint64_t{8}});  // minimum
    EXPECT_EQ(table->rows[0].cells[4], Cell{std::uint64_t{22}}); // maximum
    EXPECT_EQ(table->total[1], Cell{std::uint64_t{3}});
    EXPECT_EQ(table->coverage.events, 4U);
    EXPECT_EQ(table->coverage.duration_ns, 1'000'000'000U);
}

TEST(PartsOfTables, RefuseOtherTablesAndTraces) {
    const auto* const kind = find_table("stats", "provider");
    TablePart parts[] = {small_part(1).traces.front(), small_part(2).traces.front()};
    EXPECT_FALSE(combine(*find_table("stats", "event"), {}, parts));
    parts[1].whole.end += 1;
    EXPECT_FALSE(combine(*kind, {}, parts));
    parts[1] = parts[0];
    parts[1].rows.front().cells.pop_back();
    EXPECT_FALSE(combine(*kind, {}, parts));
    parts[1] = parts[0];
    parts[1].rows.front().cells[1] = std::vector<std::uint64_t>{1};
    EXPECT_FALSE(combine(*kind, {}, parts));
    parts[1] = parts[0];
    parts[1].carried = {std::byte{1}};
    EXPECT_FALSE(combine(*kind, {}, parts));
    parts[1] = parts[0];
    parts[1].remainders = {{"dropped_rows", 1}};
    const auto table = combine(*kind, {}, parts);
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code, ErrorCode::unsupported);
}

} // namespace
} // namespace etl::analysis::parts_test
