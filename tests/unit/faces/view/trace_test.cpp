#include <etl/trace.hpp>

#include "gather/schemas.hpp"
#include "sink/json.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/shop_trace.hpp"
#include "trace/inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace etl::trace_test {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

static_assert(!std::is_copy_constructible_v<Trace> && std::is_move_constructible_v<Trace>);
static_assert(std::input_iterator<Trace::Iterator>);

std::string corpus(const std::string& name) {
    return test::source_dir() + "/corpus/" + name;
}

schema::SchemasByTrace schemas_of(const std::string& path) {
    std::vector<std::unique_ptr<trace::Reader>> readers;
    readers.push_back(*trace::Reader::open(*trace::open_input(path)));
    return gather::schemas_of(readers, {}, [](const gather::Remark&) {})->by_trace;
}

/// `What Order` of the events Sold.
std::vector<std::string> sales(std::expected<Trace, TraceError>& trace) {
    std::vector<std::string> all;
    if (!trace) {
        ADD_FAILURE() << describe(trace.error());
        return all;
    }
    for (const Event& event : *trace) {
        if (event.name() == "Sold") {
            all.push_back(event["What"].text() + " " + event["Order"].text());
        }
    }
    EXPECT_EQ(trace->error(), nullptr);
    return all;
}

class OpenedTraces : public testing::Test {
protected:
    std::vector<std::string> sales_of(const std::string& path, const TraceOptions& options) {
        auto trace = Trace::open(path, options);
        return sales(trace);
    }

    ShopFolder folder_;
};

TEST_F(OpenedTraces, GiveTheirEvents) {
    auto trace = Trace::open(write_sales(folder_.file("a.etl"), 2, "tea"));
    ASSERT_TRUE(trace) << describe(trace.error());
    EXPECT_TRUE(trace->info().has_header);
    int seen = 0;
    for (const Event& event : *trace) {
        if (event.name() != "Sold") {
            continue;
        }
        ++seen;
        EXPECT_EQ(event.time().ticks, opening_time + seen * Filetime::per_second);
        EXPECT_EQ(event.provider(), "Coffee.Shop");
        EXPECT_EQ(event.provider_id(), format::guid_of_provider_name("Coffee.Shop"));
        EXPECT_EQ(event.level(), 4);
        EXPECT_EQ(event.process_id(), 7U);
        EXPECT_EQ(event.thread_id(), 9U);
        EXPECT_TRUE(event.activity().is_zero());
        EXPECT_FALSE(event.related_activity());
        EXPECT_TRUE(event.is_decoded());
        EXPECT_EQ(event.problem(), "");
    }
    EXPECT_EQ(seen, 2);
    EXPECT_THAT(trace->findings(), IsEmpty());
    EXPECT_THAT(trace->problems(), IsEmpty());
    EXPECT_THAT(trace->remarks(), IsEmpty());
}

TEST_F(OpenedTraces, CanBeWalkedAgain) {
    auto trace = Trace::open(write_sales(folder_.file("a.etl"), 2, "tea"));
    EXPECT_THAT(sales(trace), ElementsAre("tea 1", "tea 2"));
    EXPECT_THAT(sales(trace), ElementsAre("tea 1", "tea 2"));
}

TEST_F(OpenedTraces, ComeTogetherByTime) {
    write_sales(folder_.file("b.etl"), 2, "tea");
    write_sales(folder_.file("a.etl"), 2, "cake", opening_time + Filetime::per_second / 2);
    EXPECT_THAT(sales_of(folder_.path(), {}), ElementsAre("tea 1", "cake 1", "tea 2", "cake 2"));
    EXPECT_THAT(sales_of(folder_.path(), {.order = EventOrder::file}),
                ElementsAre("cake 1", "cake 2", "tea 1", "tea 2"));
    EXPECT_THAT(sales_of(folder_.path(), {.where = "trace == 2"}), ElementsAre("tea 1", "tea 2"));
    auto both = Trace::open_all({folder_.file("a.etl"), folder_.file("b.etl")});
    EXPECT_THAT(sales(both), SizeIs(4));
    EXPECT_THAT(both->infos(), SizeIs(2));
    for (const Event& event : *both) {
        EXPECT_THAT(event.json(), HasSubstr(R"(,"trace":)"));
        EXPECT_THAT(event.json(), HasSubstr(R"(,"file":")" + folder_.path()));
    }
}

TEST_F(OpenedTraces, AreFiltered) {
    const std::string path = write_sales(folder_.file("a.etl"), 5, "tea");
    EXPECT_THAT(sales_of(path, {.where = "data.Order >= 4"}), ElementsAre("tea 4", "tea 5"));
    EXPECT_THAT(sales_of(path, {.where = "event == Sold && level < 4"}), IsEmpty());
    EXPECT_THAT(sales_of(path, {.from = "2s", .to = "+4s"}), ElementsAre("tea 2", "tea 3"));
    EXPECT_THAT(sales_of(path, {.where = "data.Order != 2", .to = "3s"}), ElementsAre("tea 1"));
}

TEST_F(OpenedTraces, TellNamesThatNothingHas) {
    auto trace =
        Trace::open(write_sales(folder_.file("a.etl"), 1, "tea"), {.where = "data.Ordre == 1"});
    EXPECT_THAT(sales(trace), IsEmpty());
    EXPECT_THAT(trace->remarks(), ElementsAre(HasSubstr("no event has a field 'Ordre'")));
}

TEST_F(OpenedTraces, SayWhyTheyCannotBe) {
    const auto code_of = [](const std::string& path, const TraceOptions& options) {
        const auto trace = Trace::open(path, options);
        return trace ? ErrorCode::none : trace.error().code;
    };
    const std::string path = write_sales(folder_.file("a.etl"), 1, "tea");
    EXPECT_EQ(code_of(folder_.file("nothing.etl"), {}), ErrorCode::not_found);
    EXPECT_EQ(code_of(path, {.where = "data.Order =="}), ErrorCode::invalid_option);
    EXPECT_EQ(code_of(path, {.where = "time > soon"}), ErrorCode::invalid_option);
    EXPECT_EQ(code_of(path, {.from = "soon"}), ErrorCode::invalid_option);
    EXPECT_EQ(code_of(path, {.schemas = {folder_.file("no.man")}}), ErrorCode::not_found);
    std::ofstream(folder_.file("text.etl")) << "not a trace, however long this text may be made";
    EXPECT_EQ(code_of(folder_.file("text.etl"), {}), ErrorCode::not_a_trace);
    std::filesystem::create_directory(folder_.file("empty"));
    EXPECT_EQ(code_of(folder_.file("empty"), {}), ErrorCode::not_found);

    const auto nothing = Trace::open(folder_.file("nothing.etl"));
    EXPECT_THAT(describe(nothing.error()), HasSubstr("nothing.etl: not found"));
    const auto soon = Trace::open(path, {.where = "time > soon"});
    EXPECT_THAT(describe(soon.error()), HasSubstr("where: "));
    EXPECT_THAT(describe(soon.error()), HasSubstr("time > soon"));
}

TEST_F(OpenedTraces, TellOfInputsThatAreMissing) {
    auto trace = Trace::open_all(
        {write_sales(folder_.file("a.etl"), 1, "tea"), folder_.file("nothing.etl")});
    EXPECT_THAT(sales(trace), ElementsAre("tea 1"));
    ASSERT_THAT(trace->problems(), SizeIs(1));
    EXPECT_EQ(trace->problems()[0].code, ErrorCode::not_found);
    EXPECT_THAT(trace->problems()[0].about, HasSubstr("nothing.etl"));
}

TEST_F(OpenedTraces, KeepWhatIsWrongWithThem) {
    auto trace = Trace::open(corpus("good/disordered.etl"));
    ASSERT_TRUE(trace);
    for ([[maybe_unused]] const Event& event : *trace) {
    }
    EXPECT_EQ(trace->error(), nullptr);
    EXPECT_EQ(trace->findings().size(), trace->finding_count());
    for (const auto& entry : std::filesystem::directory_iterator(corpus("damaged"))) {
        auto damaged = Trace::open(entry.path().string());
        if (damaged) {
            for (const Event& event : *damaged) {
                EXPECT_THAT(event.json(), testing::StartsWith("{"));
                EXPECT_LE(event.fields().size(), event.json().size());
                EXPECT_LT(event.message().size(), 1'000'000U);
            }
            EXPECT_GE(damaged->finding_count(), damaged->findings().size()) << entry.path();
        }
    }
}

TEST_F(OpenedTraces, AgreeWithTheDump) {
    for (const char* const name : {"good/tracelogging-types.etl", "good/kernel-events-64.etl",
                                   "good/every-record-kind.etl", "good/merged-event-info.etl"}) {
        auto trace = Trace::open(corpus(name));
        ASSERT_TRUE(trace) << name;
        std::size_t events = 0;
        sink::JsonLines dump({.schemas = schemas_of(corpus(name))});
        for (const Event& event : *trace) {
            ++events;
            const std::string json = event.json();
            std::string line;
            dump.encode(event, line);
            EXPECT_EQ(json + "\n", line);
            for (const Field& field : event.fields()) {
                EXPECT_THAT(json, HasSubstr("\"" + std::string(field.name()))) << name;
                EXPECT_EQ(event[field.name()].text(), field.text()) << name << ": " << json;
            }
        }
        EXPECT_GT(events, 1U) << name;
    }
}

TEST_F(OpenedTraces, KnowMessagesOfTheirSchemas) {
    auto trace = Trace::open(corpus("good/wpp-messages.etl"),
                             {.schemas = {corpus("good/wpp-messages.tmf")}});
    ASSERT_TRUE(trace) << describe(trace.error());
    std::size_t messages = 0;
    for (const Event& event : *trace) {
        messages += event.message().empty() ? 0U : 1U;
    }
    EXPECT_GT(messages, 0U);
}

TEST_F(OpenedTraces, KnowProcessesIfAskedTo) {
    const auto names = [](bool enrich) {
        std::vector<std::string> all;
        std::size_t frames = 0;
        auto trace = Trace::open(corpus("good/machine-facts.etl"), {.enrich = enrich});
        for (const Event& event : *trace) {
            all.emplace_back(event.process());
            frames += event.frames().size();
            EXPECT_TRUE(event.frames().empty() || event.frames().size() == event.stack().size());
        }
        EXPECT_EQ(frames > 0, enrich);
        std::erase(all, "");
        return all;
    };
    EXPECT_THAT(names(false), IsEmpty());
    EXPECT_THAT(names(true), testing::Not(IsEmpty()));
}

TEST_F(OpenedTraces, AllocateNothingForEachEvent) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations cannot be counted";
    }
    const auto cost = [&](int events) {
        auto trace = Trace::open(
            write_sales(folder_.file("a.etl"), events, "tea with a name beyond small strings"),
            {.where = "data.Order > 0", .threads = 1});
        std::string text;
        text.reserve(1000);
        const std::size_t before = allocations().count;
        for (const Event& event : *trace) {
            text.assign(event.provider()).append(event.name());
            for (const Field& field : event.fields()) {
                field.append_text(text);
            }
            EXPECT_GT(event["Order"].as<int>().value_or(0), 0);
        }
        return allocations().count - before;
    };
    // In one buffer, and no number of events doubles the array of events in between.
    EXPECT_EQ(cost(130), cost(250));
}

TEST_F(OpenedTraces, AreSaved) {
    auto trace = Trace::open(write_sales(folder_.file("a.etl"), 5, "tea"),
                             {.where = "data.Order != 3", .from = "2s"});
    ASSERT_TRUE(trace) << describe(trace.error());
    const auto saved = trace->save(folder_.file("saved.etl"));
    ASSERT_TRUE(saved) << describe(saved.error());
    EXPECT_EQ(*saved, 3U);
    EXPECT_THAT(sales_of(folder_.file("saved.etl"), {}), ElementsAre("tea 2", "tea 4", "tea 5"));
    EXPECT_THAT(sales(trace), ElementsAre("tea 2", "tea 4", "tea 5")); // walks anew
    EXPECT_EQ(trace->save(folder_.file("no/folder.etl")).error().code, ErrorCode::not_found);

    write_sales(folder_.file("b.etl"), 1, "cake");
    auto both = Trace::open_all({folder_.file("a.etl"), folder_.file("b.etl")});
    EXPECT_EQ(both->save(folder_.file("both.etl")).error().code, ErrorCode::unsupported);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("both.etl")));
}

TEST_F(OpenedTraces, AreSavedOverNothingUnasked) {
    const std::string input = write_sales(folder_.file("a.etl"), 5, "tea");
    write_sales(folder_.file("old.etl"), 1, "cake");
    auto trace = Trace::open(input, {.where = "data.Order > 3"});
    ASSERT_TRUE(trace) << describe(trace.error());
    EXPECT_EQ(trace->save(folder_.file("old.etl")).error().code, ErrorCode::invalid_option);
    EXPECT_THAT(sales_of(folder_.file("old.etl"), {}), ElementsAre("cake 1"));
    EXPECT_TRUE(trace->save(folder_.file("old.etl"), Existing::replace));
    EXPECT_THAT(sales_of(folder_.file("old.etl"), {}), ElementsAre("tea 4", "tea 5"));
    std::filesystem::create_hard_link(input, folder_.file("other name.etl"));
    for (const std::string& path : {input, folder_.file("other name.etl")}) {
        EXPECT_EQ(trace->save(path, Existing::replace).error().code, ErrorCode::invalid_option);
        EXPECT_EQ(sales_of(path, {}).size(), 5U);
    }
}

#ifndef _WIN32 // there, who may read a new file is up to its directory

TEST_F(OpenedTraces, AreSavedForThoseWhoMayReadThem) {
    using std::filesystem::perms;
    const std::string input = write_sales(folder_.file("secret.etl"), 5, "tea");
    std::filesystem::permissions(input, perms::owner_read | perms::owner_write);
    auto trace = Trace::open(input);
    ASSERT_TRUE(trace->save(folder_.file("copy.etl")));
    EXPECT_EQ(std::filesystem::status(folder_.file("copy.etl")).permissions(),
              perms::owner_read | perms::owner_write);
}

#endif

// The extended data items of an event, as a program that links the library sees them.
TEST_F(OpenedTraces, HaveEventsWithExtendedItems) {
    auto trace = Trace::open(corpus("good/first-steps.etl"));
    ASSERT_TRUE(trace) << describe(trace.error());
    std::set<format::ItemType> types;
    for (const Event& event : *trace) {
        format::ExtendedItems items(event.header().items);
        for (format::ExtendedItem item; items.next(item);) {
            types.insert(item.type);
            EXPECT_FALSE(item.data.empty());
        }
    }
    EXPECT_THAT(types, testing::IsSupersetOf(
                           {format::ItemType::event_schema_tl, format::ItemType::provider_traits}));
}

// The headers of context events do not match; their payloads must be kept all the same.
TEST_F(OpenedTraces, AreSavedWithTheirContext) {
    const auto with_names = [&](const std::string& path) {
        auto trace = Trace::open(path, {.enrich = true});
        std::set<std::string> names;
        for (const Event& event : *trace) {
            names.emplace(event.process());
        }
        names.erase("");
        return names.size();
    };
    auto trace = Trace::open(corpus("good/machine-facts.etl"), {.where = "pid == 1"});
    ASSERT_TRUE(trace);
    ASSERT_TRUE(trace->save(folder_.file("saved.etl")));
    EXPECT_GT(with_names(folder_.file("saved.etl")), 0U);
}

TEST_F(OpenedTraces, CanBeInMemory) {
    std::ifstream file(write_sales(folder_.file("a.etl"), 2, "tea"), std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(file), {});
    const Bytes bytes = std::as_bytes(std::span(content));
    auto trace = Trace::open_memory(std::vector(bytes.begin(), bytes.end()), "memory",
                                    {.where = "data.Order == 2"});
    EXPECT_THAT(sales(trace), ElementsAre("tea 2"));
    const auto nothing = Trace::open_memory({}, "nothing");
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, ErrorCode::empty_file);
    EXPECT_EQ(nothing.error().about, "nothing");
}

TEST_F(OpenedTraces, CanBeMoved) {
    auto opened = Trace::open(write_sales(folder_.file("a.etl"), 1, "tea"));
    ASSERT_TRUE(opened);
    Trace trace = *std::move(opened);
    int seen = 0;
    for (const Event& event : trace) {
        seen += event.name() == "Sold" ? 1 : 0;
    }
    EXPECT_EQ(seen, 1);
}

} // namespace
} // namespace etl::trace_test
