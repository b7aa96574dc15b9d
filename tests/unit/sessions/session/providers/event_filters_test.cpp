// Filters: their bytes, and which events pass.
#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "host/process.hpp"
#include "session/providers/event_filters.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <gtest/gtest.h>

#include <array>

namespace etl::session::event_filters_test {
namespace {

std::unique_ptr<const EventFilters> parsed(const Filter& filter) {
    auto result = EventFilters::parse(std::array{filter});
    EXPECT_TRUE(result) << describe(result.error());
    return std::move(*result);
}

Status refused(const Filter& filter) {
    const auto result = EventFilters::parse(std::array{filter});
    return result ? Status::success : result.error().status;
}

struct NameFilter {
    std::uint64_t any = 0, all = 0;
    std::uint8_t level = 0;
    bool keeps = true;
};

Filter of_names(std::uint32_t type, const NameFilter& how,
                std::initializer_list<std::string_view> names) {
    ByteWriter out;
    out.u64(how.any).u64(how.all).u8(how.level).u8(how.keeps ? 1 : 0);
    out.u16(static_cast<std::uint16_t>(names.size()));
    for (const std::string_view name : names) {
        out.zero_terminated8(name);
    }
    return {type, out.take()};
}

Filter of_level(const NameFilter& how) {
    ByteWriter out;
    out.u64(how.any).u64(how.all).u8(how.level).u8(how.keeps ? 1 : 0).fill(6);
    return {filter_type::stack_walk_level_keyword, out.take()};
}

Filter retyped(std::uint32_t type, Filter filter) {
    filter.type = type;
    return filter;
}

/// An event; with a name it describes itself.
class Asked {
public:
    explicit Asked(const format::EventDescriptor& descriptor) : descriptor_(descriptor) {}

    Asked(const format::EventDescriptor& descriptor, std::string_view name)
        : descriptor_(descriptor),
          metadata_(etl::test::TraceLoggingEvent(std::string(name)).i32("Answer", 42).metadata()),
          items_{{format::ItemType::event_schema_tl, metadata_}} {}

    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;

    FilteredEvent event() const { return {&descriptor_, items_, {}}; }

private:
    format::EventDescriptor descriptor_;
    std::vector<std::byte> metadata_;
    std::vector<format::ExtendedItem> items_;
};

bool admits(const EventFilters& filters, const Asked& asked) {
    return filters.admits(asked.event());
}

TEST(EventFilters, KeepListedIds) {
    const auto filters = parsed(make_event_filter({9, 3, 7}));
    EXPECT_TRUE(admits(*filters, Asked({.id = 3})));
    EXPECT_TRUE(admits(*filters, Asked({.id = 9})));
    EXPECT_FALSE(admits(*filters, Asked({.id = 4})));
}

TEST(EventFilters, DropListedIds) {
    const auto filters = parsed(make_event_exclusion_filter({9, 3, 7}));
    EXPECT_FALSE(admits(*filters, Asked({.id = 3})));
    EXPECT_TRUE(admits(*filters, Asked({.id = 4})));
}

TEST(EventFilters, ByIdLeaveEventsThatDescribeThemselves) {
    const auto filters = parsed(make_event_filter({9}));
    EXPECT_TRUE(admits(*filters, Asked({.id = 4}, "Brewed")));
}

TEST(EventFilters, ByNameLeaveEventsOfManifests) {
    const auto filters = parsed(of_names(filter_type::event_name, {}, {"Brewed"}));
    EXPECT_TRUE(admits(*filters, Asked({.id = 4})));
}

TEST(EventFilters, KeepListedNames) {
    const auto filters = parsed(of_names(filter_type::event_name, {}, {"Served", "Brewed"}));
    EXPECT_TRUE(admits(*filters, Asked({}, "Brewed")));
    EXPECT_TRUE(admits(*filters, Asked({}, "Served")));
    EXPECT_FALSE(admits(*filters, Asked({}, "Spilled")));
    EXPECT_FALSE(admits(*filters, Asked({}, "")));
}

TEST(EventFilters, DropListedNames) {
    const auto filters = parsed(of_names(filter_type::event_name, {.keeps = false}, {"Spilled"}));
    EXPECT_TRUE(admits(*filters, Asked({}, "Brewed")));
    EXPECT_FALSE(admits(*filters, Asked({}, "Spilled")));
}

TEST(EventFilters, OfNamesDecideAmongTheirLevelAndKeywordsOnly) {
    const auto filters =
        parsed(of_names(filter_type::event_name, {.any = 3, .all = 1, .level = 4}, {"Brewed"}));
    EXPECT_FALSE(admits(*filters, Asked({.level = 4, .keyword = 1}, "Spilled")));
    EXPECT_FALSE(admits(*filters, Asked({.level = 4, .keyword = 0}, "Spilled")));
    EXPECT_TRUE(admits(*filters, Asked({.level = 5, .keyword = 1}, "Spilled")));
    EXPECT_TRUE(admits(*filters, Asked({.level = 4, .keyword = 2}, "Spilled")));
}

TEST(EventFilters, AllMustPass) {
    const auto filters = EventFilters::parse(
        std::array{make_event_filter({3}), of_names(filter_type::event_name, {}, {"Brewed"})});
    ASSERT_TRUE(filters);
    EXPECT_FALSE(admits(**filters, Asked({.id = 4})));
    EXPECT_FALSE(admits(**filters, Asked({.id = 3}, "Spilled")));
    EXPECT_TRUE(admits(**filters, Asked({.id = 4}, "Brewed")));
}

TEST(EventFilters, SayWhichEventsGetStacks) {
    const auto by_id = parsed(retyped(filter_type::stack_walk, make_event_filter({3})));
    EXPECT_TRUE(by_id->wants_stack(Asked({.id = 3}).event()));
    EXPECT_FALSE(by_id->wants_stack(Asked({.id = 4}).event()));
    EXPECT_TRUE(admits(*by_id, Asked({.id = 4})));

    const auto by_name = parsed(of_names(filter_type::stack_walk_name, {}, {"Brewed"}));
    EXPECT_TRUE(by_name->wants_stack(Asked({}, "Brewed").event()));
    EXPECT_FALSE(by_name->wants_stack(Asked({}, "Spilled").event()));
    EXPECT_TRUE(admits(*by_name, Asked({}, "Spilled")));

    const auto by_level = parsed(of_level({.any = 6, .level = 2}));
    EXPECT_TRUE(by_level->wants_stack(Asked({.level = 2, .keyword = 4}).event()));
    EXPECT_FALSE(by_level->wants_stack(Asked({.level = 3, .keyword = 4}).event()));
    EXPECT_FALSE(by_level->wants_stack(Asked({.level = 2, .keyword = 1}).event()));

    const auto all_others = parsed(of_level({.level = 2, .keeps = false}));
    EXPECT_FALSE(all_others->wants_stack(Asked({.level = 2}).event()));
    EXPECT_TRUE(all_others->wants_stack(Asked({.level = 3}).event()));
}

TEST(EventFilters, WithoutOnesForStacksEveryEventMayHaveOne) {
    EXPECT_TRUE(parsed(make_event_filter({3}))->wants_stack(Asked({.id = 3}).event()));
}

TEST(EventFilters, AreNoneWhereNoneIsAboutEvents) {
    EXPECT_EQ(parsed({filter_type::schematized, std::vector<std::byte>(4)}), nullptr);
    EXPECT_EQ(parsed({filter_type::trace_handle, std::vector<std::byte>(8)}), nullptr);
    EXPECT_EQ(parsed(make_process_filter({1})), nullptr);
    EXPECT_EQ(parsed({0, {}}), nullptr);
}

TEST(EventFilters, RefuseBytesThatEndEarly) {
    for (const Filter& whole :
         {make_event_filter({1, 2, 3}), of_names(filter_type::event_name, {}, {"Brewed", "Served"}),
          of_names(filter_type::stack_walk_name, {}, {"Brewed"})}) {
        Filter cut = whole;
        EXPECT_EQ(refused(cut), Status::success);
        while (!cut.data.empty()) {
            cut.data.pop_back();
            EXPECT_EQ(refused(cut), Status::invalid_parameter) << cut.data.size();
        }
    }
    EXPECT_EQ(refused({filter_type::stack_walk_level_keyword, std::vector<std::byte>(17)}),
              Status::invalid_parameter);
}

TEST(EventFilters, RefuseTypesThatAreUnknown) {
    EXPECT_EQ(refused({0x80FF0000, {}}), Status::invalid_parameter);
    EXPECT_EQ(refused({0x1234, {}}), Status::success); // the provider's own
}

TEST(EventFilters, RefuseProcessesThatAreNone) {
    EXPECT_EQ(refused(make_process_filter({})), Status::invalid_parameter);
    EXPECT_EQ(refused(make_executable_filter("")), Status::invalid_parameter);
    EXPECT_EQ(refused({filter_type::pid, std::vector<std::byte>(5)}), Status::invalid_parameter);
}

bool admits_us(const Filter& filter) {
    return admits_process(std::array{filter}, this_process());
}

TEST(ProcessFilters, KnowThisProcessByItsId) {
    EXPECT_TRUE(admits_us(make_process_filter({1, host::process_id()})));
    EXPECT_FALSE(admits_us(make_process_filter({1, host::process_id() + 1})));
}

TEST(ProcessFilters, KnowThisProcessByItsName) {
    const std::string own = host::executable_name();
    EXPECT_TRUE(admits_us(make_executable_filter(own)));
    EXPECT_TRUE(admits_us(make_executable_filter("coffee.exe;" + to_lower_ascii(own) + ";x")));
    EXPECT_TRUE(admits_us(make_executable_filter("C:\\bin\\" + own)));
    EXPECT_FALSE(admits_us(make_executable_filter("not-" + own)));
    EXPECT_FALSE(admits_us(make_executable_filter(";")));
}

TEST(ProcessFilters, FindNoPackages) {
    EXPECT_FALSE(admits_us({filter_type::package_id, std::vector<std::byte>(4)}));
    EXPECT_FALSE(admits_us({filter_type::package_app_id, std::vector<std::byte>(4)}));
}

TEST(ProcessFilters, MustAllAdmit) {
    EXPECT_FALSE(admits_process(
        std::array{make_process_filter({host::process_id()}), make_executable_filter("nobody")},
        this_process()));
    EXPECT_TRUE(admits_process({}, this_process()));
}

} // namespace
} // namespace etl::session::event_filters_test
