#include "schema/compact.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

namespace etl::schema::compact_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::string_view head = "provider Tea 6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11\n";

std::expected<SchemaSet, FileError> parse_compact_text(std::string_view text) {
    return parse_compact(std::as_bytes(std::span(text)));
}

/// The lines after `provider`, which must be accepted.
SchemaSet tea(std::string_view lines) {
    auto set = parse_compact_text(std::string(head) + std::string(lines));
    if (!set) {
        ADD_FAILURE() << set.error().line << ":" << set.error().column << ": "
                      << set.error().reason;
        return {};
    }
    return std::move(*set);
}

/// Line, column, and reason of a rejection of these lines after `provider`.
std::string rejection_of(std::string_view lines) {
    const auto set = parse_compact_text(std::string(head) + std::string(lines));
    return set ? "accepted"
               : fmt::format("{}:{}: {}", set.error().line, set.error().column, set.error().reason);
}

const Field& field_of(const SchemaSet& set, std::size_t index) {
    return set.events.at(0)->fields.at(index);
}

TEST(Compact, ReadsTheNamesOfAProvider) {
    const SchemaSet set =
        tea("keyword 0x10 Hot\nkeyword 3 \"two \\\"words\\\"\\x0a\"\n"
            "channel 16 Tea/Operational # comment\n\n# comment\nlevel 17 Quiet\r\n");
    ASSERT_EQ(set.providers.size(), 1U);
    const ProviderNames& names = *set.providers[0];
    EXPECT_EQ(names.name, "Tea");
    EXPECT_EQ(to_string(names.guid), "6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11");
    EXPECT_THAT(names.keywords, ElementsAre(Pair(16, "Hot"), Pair(3, "two \"words\"\n")));
    EXPECT_THAT(names.channels, ElementsAre(Pair(16, "Tea/Operational")));
    EXPECT_THAT(names.levels, ElementsAre(Pair(17, "Quiet")));
}

std::string builds_in(const EventSchema& event) {
    return fmt::format("{}{}", event.is_of_any_build ? "any " : "",
                       fmt::join(builds_of(event), " "));
}

TEST(Compact, ReadsBuildsOfWindows) {
    const SchemaSet set = tea("builds 7600 10240 19041 22000\n"
                              "event 1 0\nevent 1 1 builds 10240-\nevent 1 2 builds -10240 22000\n"
                              "event 1 3 builds *\nevent 1 4 builds * 19041\nevent 1 5 builds -\n"
                              "event 1 6 builds 8000-20000 level 4\n");
    EXPECT_THAT(set.providers[0]->builds, ElementsAre(7600, 10240, 19041, 22000));
    std::vector<std::string> found;
    for (const auto& event : set.events) {
        found.push_back(builds_in(*event));
    }
    EXPECT_THAT(found,
                ElementsAre("7600 10240 19041 22000", "10240 19041 22000", "7600 10240 22000",
                            "any ", "any 19041", "7600 10240 19041 22000", "10240 19041"));
    EXPECT_EQ(set.events.back()->level, 4) << "other properties may follow";
    EXPECT_EQ(builds_in(*tea("event 1 0\n").events.at(0)), "any ") << "nothing is known of builds";
}

TEST(Compact, RejectsBuildsThatMeanNothing) {
    EXPECT_EQ(rejection_of("builds 10240 7600\n"), "2:18: builds must ascend");
    EXPECT_EQ(rejection_of("event 1 0\nbuilds 7600\n"),
              "3:8: the builds of a provider stand once, before its events, found `7600`");
    EXPECT_EQ(rejection_of("builds 7600\nevent 1 0 builds 9000-\n"),
              "3:18: expected a range of the provider's builds, found `9000-`");
    EXPECT_EQ(rejection_of("event 1 0 builds 7600\n"),
              "2:18: expected a range of the provider's builds, found `7600`");
    EXPECT_EQ(rejection_of("builds 7600\nevent 1 0 builds\n"),
              "3:17: expected a range of the provider's builds");
    EXPECT_EQ(rejection_of("builds\n"), "2:7: expected a build");
    std::string many = "builds";
    for (int i = 1; i <= 65; ++i) {
        many += fmt::format(" {}", i);
    }
    EXPECT_EQ(rejection_of(many + "\n"), "2:191: more than 64 builds, found `65`");
}

TEST(Compact, ReadsNamesWhoseNumbersAreUnknown) {
    const SchemaSet set = tea("event 1 0 task ?=Brew opcode ?=Pour\n");
    const EventSchema& event = *set.events.at(0);
    EXPECT_TRUE(event.is_task_unknown && event.is_opcode_unknown);
    EXPECT_EQ(event.event_name, "Brew/Pour");
    EXPECT_EQ(rejection_of("event 1 0 task ?\n"), "2:17: expected `=`");
}

TEST(Compact, ReadsAGuessedGuid) {
    const auto set =
        parse_compact_text("provider Tea 6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11 guess\n");
    ASSERT_TRUE(set);
    EXPECT_TRUE(set->providers[0]->is_guess);
    EXPECT_FALSE(tea("").providers[0]->is_guess);
}

TEST(Compact, ReadsAnEvent) {
    const SchemaSet set =
        tea("opcode 12 Spill\ntask 3 Brew 6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b12\n"
            "opcode 10 Pour\nfields 1\n  N UInt32\n"
            "event 7 2 level 4 channel 16 task 3 opcode 10 keywords 0x8000000000000010 "
            "symbol S tags 5 fields 1\n");
    const EventSchema& event = *set.events.at(0);
    EXPECT_EQ(event.provider, set.providers.at(0));
    EXPECT_EQ(event.origin, Origin::manifest);
    EXPECT_EQ(event.id, 7);
    EXPECT_EQ(event.version, 2);
    EXPECT_EQ(event.level, 4);
    EXPECT_EQ(event.channel, 16);
    EXPECT_EQ(event.task, 3);
    EXPECT_EQ(event.task_name, "Brew");
    EXPECT_EQ(to_string(event.task_guid), "6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b12");
    EXPECT_EQ(event.opcode, 10);
    EXPECT_EQ(event.opcode_name, "Pour");
    EXPECT_EQ(event.keyword, 0x8000000000000010U);
    EXPECT_EQ(event.symbol, "S");
    EXPECT_EQ(event.tags, 5U);
    EXPECT_EQ(event.event_name, "Brew/Pour");
    ASSERT_EQ(event.fields.size(), 1U);
    EXPECT_EQ(event.fields[0].name, "N");
}

TEST(Compact, LooksUpOpcodesInTheTaskThenInTheProviderThenInWindows) {
    const SchemaSet set = tea("opcode 10 Ours\nopcode 11 Ours\ntask 3 Brew\nopcode 10 Tasks\n"
                              "event 1 0 task 3 opcode 10\nevent 2 0 task 3 opcode 11\n"
                              "event 3 0 task 3 opcode 1\nevent 4 0 task 3=Drink opcode 10=\"\"\n"
                              "event 5 0 opcode 0\nevent 6 0 symbol S\nevent 7 0 name Own\n");
    std::vector<std::string> names;
    for (const auto& event : set.events) {
        names.push_back(event->event_name);
    }
    EXPECT_THAT(names,
                ElementsAre("Brew/Tasks", "Brew/Ours", "Brew/Start", "Drink", "Info", "S", "Own"));
}

TEST(Compact, ReadsTypes) {
    const SchemaSet set = tea("map Sort 1=A 2=B\n  3=C\nbits Flags 0x1=X\nfields 1\n"
                              "  Count UInt16\n"
                              "  \"a b\" UnicodeString(Count)[3] as Xml by map Sort tags 0x12\n"
                              "  Rest UInt8[*]\n  Lost UInt8[?]\n  u16 UInt8\n"
                              "  Prefixed UInt8[u16 before it]\n  Quoted UInt8[\"u16\"]\n"
                              "  Count UInt8\n  First Binary(@0)\n  Odd type 77 as out type 99\n"
                              "  F UInt32 by map Flags\nevent 1 0 fields 1\n");
    const Field& text = field_of(set, 1);
    EXPECT_EQ(text.name, "a b");
    EXPECT_EQ(text.in_type, InType::unicode_string);
    EXPECT_EQ(text.length.kind, Extent::Kind::field);
    EXPECT_EQ(text.length.value, 0U);
    EXPECT_TRUE(field_of(set, 0).referenced);
    EXPECT_EQ(text.count.kind, Extent::Kind::fixed);
    EXPECT_EQ(text.count.value, 3U);
    EXPECT_EQ(text.out_type, OutType::xml);
    EXPECT_EQ(text.tags, 0x12U);
    EXPECT_THAT(set.events[0]->maps.at(text.map)->entries,
                ElementsAre(Pair(1, "A"), Pair(2, "B"), Pair(3, "C")));
    EXPECT_EQ(field_of(set, 2).count.kind, Extent::Kind::rest);
    EXPECT_EQ(field_of(set, 3).count.kind, Extent::Kind::unknown);
    EXPECT_EQ(field_of(set, 5).count.kind, Extent::Kind::prefixed);
    EXPECT_EQ(field_of(set, 6).count.value, 4U);
    EXPECT_EQ(field_of(set, 8).length.value, 0U) << "by number, not by name";
    EXPECT_EQ(static_cast<unsigned>(field_of(set, 9).in_type), 77U);
    EXPECT_EQ(static_cast<unsigned>(field_of(set, 9).out_type), 99U);
    EXPECT_EQ(set.events[0]->maps.at(field_of(set, 10).map)->kind, ValueMap::Kind::bits);
}

TEST(Compact, ReadsStructures) {
    const SchemaSet set = tea("fields 1\n  N UInt8\n  S Struct[N]\n    N UInt16\n    T Struct\n"
                              "      X UInt8[N]\n    Y UInt8\n  Z UInt8[N]\n  E Struct\n"
                              "event 1 0 fields 1\n");
    EXPECT_EQ(field_of(set, 1).members, 4);
    EXPECT_EQ(field_of(set, 3).members, 1);
    EXPECT_EQ(field_of(set, 4).count.value, 2U) << "the N of the structure";
    EXPECT_EQ(field_of(set, 6).count.value, 0U) << "the outer N";
    EXPECT_EQ(field_of(set, 7).members, 0);
}

TEST(Compact, ALaterMapReplacesOneForTheTemplatesThatFollow) {
    const SchemaSet set = tea("map M 1=A\nfields 1\n  X UInt8 by map M\nmap M 1=B\nfields 2\n"
                              "  X UInt8 by map M\nevent 1 0 fields 1\nevent 2 0 fields 2\n");
    EXPECT_EQ(set.events.at(0)->maps.at(0)->entries[0].second, "A");
    EXPECT_EQ(set.events.at(1)->maps.at(0)->entries[0].second, "B");
}

TEST(Compact, RejectsWithLineAndColumn) {
    EXPECT_EQ(rejection_of("tea 1\n"), "2:1: not a valid line, found `tea`");
    EXPECT_EQ(rejection_of("event 1\n"), "2:8: expected a number up to 255");
    EXPECT_EQ(rejection_of("event 70000 0\n"), "2:7: expected a number up to 65535, found `70000`");
    EXPECT_EQ(rejection_of("event 1 0 tea 4\n"),
              "2:11: not a valid property of an event, found `tea`");
    EXPECT_EQ(rejection_of("event 1 0 fields 4\n"), "2:19: fields 4 are missing");
    EXPECT_EQ(rejection_of("level 1 A B\n"), "2:11: expected the end of the line, found `B`");
    EXPECT_EQ(rejection_of("level 1 \"A\n"), "2:9: a quote is not closed, found `A`");
    EXPECT_EQ(rejection_of("  X UInt8\n"),
              "2:3: indented, but not after `fields` or `map`, found `X`");
    EXPECT_EQ(rejection_of("fields 1\n   X UInt8\n"),
              "3:4: expected an indentation by a multiple of two blanks, found `X`");
    EXPECT_EQ(rejection_of("fields 1\n  X UInt8\n    Y UInt8\n"),
              "4:5: indented, but not after a structure, found `Y`");
    EXPECT_EQ(rejection_of("fields 1\n  X Tea\n"), "3:5: expected a type, found `Tea`");
    EXPECT_EQ(rejection_of("fields 1\n  X UInt8[Y]\n"),
              "3:11: expected an earlier integer field, found `Y`");
    EXPECT_EQ(rejection_of("fields 1\n  X Float\n  Y UInt8[@0]\n"),
              "4:11: expected an earlier integer field, found `@0`");
    EXPECT_EQ(rejection_of("fields 1\n  X UInt8 by map M\n"),
              "3:18: expected the name of a map above, found `M`");
    EXPECT_EQ(rejection_of("level 1 \"\\q\"\n"),
              "2:9: not a valid escape (valid: \\\" \\\\ \\x00 to \\x7f)");
}

TEST(Compact, RejectsOtherFiles) {
    const auto reason = [](std::string_view text) {
        const auto set = parse_compact_text(text);
        return set ? std::string("accepted") : set.error().reason;
    };
    EXPECT_EQ(reason(""), "defines no provider");
    EXPECT_EQ(reason("# nothing\n"), "defines no provider");
    EXPECT_EQ(reason("event 1 0\n"), "expected `provider`, found `event`");
    EXPECT_EQ(reason("\xFF"), "is not UTF-8");
    EXPECT_EQ(reason("provider A B\n"), "expected a GUID, found `B`");
}

TEST(Compact, BoundsWhatAFileCanAskFor) {
    std::string fields = "fields 1\n";
    for (int i = 0; i < 4097; ++i) {
        fields += "  X UInt8\n";
    }
    EXPECT_EQ(rejection_of(fields), "4099:3: a template has more than 4096 fields, found `X`");
    std::string nested = "fields 1\n";
    for (std::size_t i = 0; i < 10; ++i) {
        nested += std::string(2 * i + 2, ' ') + "S Struct\n";
    }
    EXPECT_EQ(rejection_of(nested), "12:21: structures are nested too deep, found `S`");
    std::string events = "fields 1 userdata \"" + std::string(1U << 20U, 'x') + "\"\n";
    for (int i = 0; i < 300; ++i) {
        events += "event 1 0 fields 1\n";
    }
    EXPECT_THAT(rejection_of(events),
                testing::HasSubstr("its schemas would take more than 256 MB"));
}

TEST(CompactScan, FindsProviders) {
    const auto scan = [](std::string_view text) {
        return scan_compact_providers(std::as_bytes(std::span(text)));
    };
    const std::string two = "# c\n\n" + std::string(head) + "event 1 0\n" + std::string(head) +
                            "provider \"a b\" 6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b12\n";
    EXPECT_EQ(scan(two).size(), 2U);
    EXPECT_TRUE(scan("provider A\n").empty());
    EXPECT_TRUE(scan("<xml>\n" + std::string(head)).empty());
    EXPECT_TRUE(scan("").empty());
}

} // namespace
} // namespace etl::schema::compact_test
