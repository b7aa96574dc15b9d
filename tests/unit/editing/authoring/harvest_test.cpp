#include "authoring/compact_writer.hpp"
#include "authoring/harvest.hpp"
#include "authoring/merge.hpp"
#include "schema/compact.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::authoring::harvest_test {
namespace {

using schema::Origin;
using schema::SchemaSet;

constexpr std::string_view tea_line = "provider Tea 6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11\n";

SchemaSet source(std::string_view lines, Origin origin = Origin::manifest) {
    const std::string text = std::string(tea_line) + std::string(lines);
    auto set = schema::parse_compact(std::as_bytes(std::span(text)));
    if (!set) {
        ADD_FAILURE() << set.error().line << ": " << set.error().reason;
        return {};
    }
    for (auto& event : set->events) {
        auto copy = std::make_shared<schema::EventSchema>(*event);
        copy->origin = origin;
        event = std::move(copy);
    }
    return std::move(*set);
}

/// The lines after `provider`.
std::string lines_of(const SchemaSet& set) {
    const auto written = write_compact(set);
    return written ? written->text.substr(tea_line.size()) : "not written";
}

std::string bound(std::string_view lines, std::uint32_t build, Origin origin = Origin::manifest) {
    return lines_of(bound_to_build(source(lines, origin), build));
}

TEST(BoundToBuild, StatesTheBuild) {
    EXPECT_EQ(bound("event 1 0\n", 22621), "builds 22621\nevent 1 0\n");
    EXPECT_EQ(bound("event 1 0\n", 0), "event 1 0\n");
}

TEST(BoundToBuild, KeepsBuildsOfTheSource) {
    constexpr std::string_view lines = "builds 7601 19041\nevent 1 0 builds 19041-\n";
    EXPECT_EQ(bound(lines, 22621), lines);
}

TEST(BoundToBuild, LeavesLayoutsOfApplicationsToAnyBuild) {
    EXPECT_EQ(bound("event 1 0\n", 22621, Origin::eventsource),
              "builds 22621\nevent 1 0 builds * -\n");
    EXPECT_EQ(bound("event 1 0 channel 11 name A\n", 22621, Origin::tracelogging),
              "event 1 0 channel 11 name A\n");
}

TEST(BoundToBuild, AddsUpWhenMerged) {
    const std::vector<SchemaSet> sources{
        bound_to_build(source("fields 1\n  A UInt32\nevent 1 0 fields 1\nevent 2 0\n"), 19041),
        bound_to_build(source("fields 1\n  B UInt32\nevent 1 0 fields 1\nevent 2 0\n"), 22621),
        bound_to_build(source("fields 1\n  B UInt32\nevent 1 0 fields 1\n"), 26100)};
    EXPECT_EQ(lines_of(merge(sources)),
              "builds 19041 22621 26100\nfields 1\n  A UInt32\nevent 1 0 fields 1 builds 19041\n"
              "fields 2\n  B UInt32\nevent 1 0 fields 2 builds 22621-\nevent 2 0 builds -22621\n");
}

/// What is left of `lines`, and how many layouts are not.
std::pair<std::string, std::size_t> left(std::string_view lines, std::string_view known,
                                         Known how = Known::for_builds) {
    SchemaSet set = source(lines);
    const std::size_t removed = remove_known(set, source(known), how);
    std::string ids;
    for (const auto& event : set.events) {
        ids += std::to_string(event->id) + " ";
    }
    return {ids, removed};
}

using Left = std::pair<std::string, std::size_t>;

TEST(RemoveKnown, RemovesLayoutsThatWouldBeUsedForTheBuild) {
    constexpr std::string_view known = "builds 19041 22621\nfields 1\n  A UInt32\n"
                                       "event 1 0 fields 1 builds 22621-\nevent 2 0 fields 1\n";
    const auto of_build = [&](std::string_view build) {
        return left("builds " + std::string(build) +
                        "\nfields 1\n  A UInt32\nevent 1 0 fields 1\nevent 2 0 fields 1\n",
                    known);
    };
    EXPECT_EQ(of_build("22621"), Left("", 2));
    EXPECT_EQ(of_build("22631"), Left("", 2)) << "the nearest one below";
    EXPECT_EQ(of_build("19041"), Left("1 ", 1));
    EXPECT_EQ(of_build("19041 22621"), Left("1 ", 1)) << "both builds";
    EXPECT_EQ(left("fields 1\n  A UInt32\nevent 1 0 fields 1\n", known), Left("", 1)) << "any";
}

TEST(RemoveKnown, KeepsOtherLayouts) {
    constexpr std::string_view known = "fields 1\n  A UInt32\nevent 1 0 fields 1\n";
    EXPECT_EQ(left("fields 1\n  B UInt32\nevent 1 0 fields 1\n", known), Left("1 ", 0));
    EXPECT_EQ(left("fields 1\n  A Int32\nevent 1 0 fields 1\n", known), Left("1 ", 0));
    EXPECT_EQ(left("fields 1\n  A UInt32[2]\nevent 1 0 fields 1\n", known), Left("1 ", 0));
    EXPECT_EQ(left("event 1 0\n", known), Left("1 ", 0));
    EXPECT_EQ(left("fields 1\n  A UInt32\nevent 1 1 fields 1\n", known), Left("1 ", 0));
    EXPECT_EQ(left("fields 1\n  A UInt32 as HResult\nevent 1 0 fields 1\n", known), Left("1 ", 0));
    EXPECT_EQ(left("map M 1=One\nfields 1\n  A UInt32 by map M\nevent 1 0 fields 1\n", known),
              Left("1 ", 0));
}

TEST(RemoveKnown, RemovesWhatTheKnownOneHasMoreOf) {
    constexpr std::string_view known = "map M 1=One\nfields 1\n  A UInt32 as HResult by map M\n"
                                       "event 1 0 fields 1\n";
    EXPECT_EQ(left("fields 1\n  A UInt32\nevent 1 0 fields 1\n", known), Left("", 1));
    const auto with_map = [&](std::string_view entries) {
        return left("map M " + std::string(entries) +
                        "\nfields 1\n  A UInt32 by map M\nevent 1 0 fields 1\n",
                    known);
    };
    EXPECT_EQ(with_map("1=One"), Left("", 1));
    EXPECT_EQ(with_map("1=One 2=\"The tea was too hot.\""), Left("", 1)) << "no fact";
    EXPECT_EQ(with_map("1=One 2=Two"), Left("1 ", 0));
    EXPECT_EQ(with_map("1=First"), Left("1 ", 0));
}

TEST(RemoveKnown, ComparesBuildsAsStated) {
    constexpr std::string_view known = "builds 22621\nevent 1 0\n";
    EXPECT_EQ(left("builds 22621\nevent 1 0\n", known, Known::as_stated), Left("", 1));
    EXPECT_EQ(left("builds 22631\nevent 1 0\n", known, Known::as_stated), Left("1 ", 0));
    EXPECT_EQ(left("event 1 0\n", known, Known::as_stated), Left("1 ", 0)) << "any build is more";
    EXPECT_EQ(left("event 1 0\n", "event 1 0\n", Known::as_stated), Left("", 1));
}

TEST(RemoveKnown, ComparesNamesOnly) {
    constexpr std::string_view known = "builds 22621\nfields 1\n  A Pointer\nevent 1 0 fields 1\n";
    EXPECT_EQ(left("fields 1\n  A HexInt64\nevent 1 0 fields 1\n", known, Known::by_names),
              Left("", 1));
    EXPECT_EQ(left("fields 1\n  B Pointer\nevent 1 0 fields 1\n", known, Known::by_names),
              Left("1 ", 0));
}

} // namespace
} // namespace etl::authoring::harvest_test
