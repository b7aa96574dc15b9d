#include <etl/schema.hpp>
#include <etl/table.hpp>
#include <etl/trace.hpp>
#include <etl/writer.hpp>

#include "tests/support/folders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace etl::table_face_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string corpus(const std::string& name) {
    return test::source_dir() + "/corpus/" + name;
}

TEST(Tables, AreComputedByName) {
    const auto table = Table::compute("cpu", {corpus("good/machine-facts.etl")}, {.by = "thread"});
    ASSERT_TRUE(table) << describe(table.error());
    const auto running = table->find("running_ns");
    ASSERT_TRUE(running);
    EXPECT_EQ(table->column(*running).unit, ColumnUnit::nanoseconds);
    EXPECT_FALSE(table->find("no such column"));
    EXPECT_GT(table->column_count(), 3U);
    const std::string csv = table->csv();
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), table->row_count() + 1);
    EXPECT_EQ(table->json().front(), '[');
}

TEST(Tables, NameWhatIsWrong) {
    const auto unknown = Table::compute("teapots", {corpus("good/machine-facts.etl")});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
    EXPECT_EQ(unknown.error().about, "teapots");
    const auto absent = Table::compute("cpu", {"no such file.etl"});
    ASSERT_FALSE(absent);
    EXPECT_THAT(describe(absent.error()), HasSubstr("no such file.etl"));
    EXPECT_FALSE(Table::compute("stats", {corpus("good/first-steps.etl")}, {.slices = 0}));
}

TEST(Tables, AreListed) {
    const auto names = Table::names();
    const auto is_cpu = [](const TableName& name) { return name.name == "cpu"; };
    EXPECT_TRUE(std::ranges::any_of(names, is_cpu));
}

TEST(Tables, SayWhatIsNotRecorded) {
    const auto table = Table::compute("cpu", {corpus("good/first-steps.etl")});
    ASSERT_TRUE(table) << describe(table.error());
    ASSERT_FALSE(table->remarks().empty());
    EXPECT_THAT(table->remarks().front(), HasSubstr("not recorded"));
}

TEST(Tables, SayThatAFilterMatchesNothing) {
    const char* const where = "provider == 'nobody'";
    const auto table = Table::compute("stats", {corpus("good/first-steps.etl")}, {.where = where});
    ASSERT_TRUE(table) << describe(table.error());
    EXPECT_EQ(table->row_count(), 0U);
    EXPECT_THAT(table->remarks(), Contains(HasSubstr("no event is from provider 'nobody'")));
}

TEST(Tables, SayThatThereAreNoPackets) {
    const auto packets = Table::packets({corpus("good/first-steps.etl")});
    ASSERT_TRUE(packets) << describe(packets.error());
    EXPECT_THAT(packets->remarks(),
                Contains(HasSubstr("not recorded: packets; to record it: netsh")));
}

format::EventRecord record_at(Filetime time) {
    return {.time = time.ticks, .descriptor = {.id = 7, .level = 4}};
}

TEST(Writers, WriteWhatTracesRead) {
    auto writer = Writer::to_memory({.compression = Compression::xpress});
    ASSERT_TRUE(writer) << describe(writer.error());
    const Filetime begin = now();
    ASSERT_TRUE(writer->add(record_at(begin)));
    ASSERT_TRUE(writer->add(record_at({begin.ticks + 1}), 3));
    EXPECT_TRUE(writer->take().empty()); // not finished
    ASSERT_TRUE(writer->close());
    EXPECT_EQ(writer->events_written(), 2U);
    auto trace = Trace::open_memory(writer->take(), "memory");
    ASSERT_TRUE(trace) << describe(trace.error());
    std::vector<std::uint16_t> processors;
    for (const Event& event : *trace) {
        if (event.id() == 7) {
            processors.push_back(event.processor());
            EXPECT_EQ(event.raw_time(), event.time().ticks);
        }
    }
    EXPECT_THAT(processors, testing::ElementsAre(0, 3));
    EXPECT_TRUE(trace->info().is_finalized);
}

TEST(Writers, RejectOptionsThatContradict) {
    EXPECT_FALSE(Writer::to_memory({.buffer_size = 1000}));
    EXPECT_FALSE(Writer::to_memory({.is_circular = true}));
    const auto existing = Writer::create(corpus("good/first-steps.etl"));
    ASSERT_FALSE(existing);
    EXPECT_EQ(existing.error().detail, "already exists");
}

TEST(Callbacks, OfNothingAreEmpty) {
    using Call = Callback<int(int)>;
    int (*const null)(int) = nullptr;
    EXPECT_FALSE(Call());
    EXPECT_FALSE(Call(null));
    EXPECT_FALSE(Call(std::function<int(int)>()));
    EXPECT_FALSE(Call(Callback<int(long)>()));
    const Call twice = [](int number) { return 2 * number; };
    const Call copy = twice; // NOLINT(performance-unnecessary-copy-initialization): is tested
    EXPECT_EQ(copy(4), 8);
    static_assert(!std::is_constructible_v<Call, std::string>);
}

TEST(Schemas, AreListedByFile) {
    const auto schemas = read_schemas({test::source_dir() + "/tests/generated/coffee.man"});
    ASSERT_TRUE(schemas) << describe(schemas.error());
    ASSERT_FALSE(schemas->events.empty());
    EXPECT_FALSE(schemas->events.front().provider_name.empty());
    const auto has_fields = [](const EventSchema& event) { return !event.fields.empty(); };
    EXPECT_TRUE(std::ranges::any_of(schemas->events, has_fields));
    const auto is_foreign = [&](const EventSchema& event) {
        return event.provider != schemas->events.front().provider;
    };
    EXPECT_TRUE(std::ranges::none_of(schemas->events, is_foreign)); // no built-in schemas
    EXPECT_TRUE(schemas->remarks.empty());
    EXPECT_FALSE(read_schemas({"no such file.man"}));
}

} // namespace
} // namespace etl::table_face_test
