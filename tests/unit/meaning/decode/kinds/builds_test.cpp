// Layouts that differ between builds of Windows: which of them an event is decoded by.
#include "decode/decode_note.hpp"
#include "decode/decoder.hpp"
#include "schema/compact.hpp"
#include "tests/unit/meaning/decode/kinds/tea_house.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace etl::builds_test {
namespace {

using namespace test;

constexpr std::string_view dumped = "builds 10240 19041 22000 26100\n";

void add_to(schema::SchemaStore& store, const std::string& lines, bool built_in,
            std::string_view mark = "") {
    const std::string text = "provider Tea-House 7e57ab1e-0000-4000-8000-00000000cafe" +
                             std::string(mark) + "\n" + lines;
    auto set = schema::parse_compact(std::as_bytes(std::span(text)));
    if (!set) {
        ADD_FAILURE() << set.error().line << ": " << set.error().reason;
        return;
    }
    const auto file = std::make_shared<schema::SchemaFile>("tea.txt", built_in);
    for (const auto& event : set->events) {
        store.add(event, file);
    }
}

/// A store of these lines after that of the provider, for a build.
std::shared_ptr<const schema::SchemaStore> store_for(std::uint32_t build, std::string_view lines,
                                                     std::string_view mark = "") {
    auto store = std::make_shared<schema::SchemaStore>();
    add_to(*store, std::string(dumped) + std::string(lines), true, mark);
    store->set_build(build);
    store->freeze();
    return store;
}

/// The fields and the note of event 1 with this payload.
std::string decoded(const std::shared_ptr<const schema::SchemaStore>& store, Bytes payload,
                    std::uint8_t version = 0) {
    decode::Decoder decoder(store);
    const auto one = tea_event(version, payload);
    const auto& event = decoder.decode(one->event);
    std::string text = walked(event);
    std::string note;
    decode::FieldWalker walker;
    if (event.kind->schema != nullptr) {
        walker.start(event.kind->plan, event.body);
        while (walker.next() != decode::Step::end) {
        }
    }
    decode::append_decode_note(note, event, event.kind->schema != nullptr ? &walker : nullptr);
    return note.empty() ? text : text + " (" + note + ")";
}

constexpr std::string_view two_layouts = "fields 1\n  N UInt32\n"
                                         "event 1 0 symbol Brewing fields 1 builds -19041\n"
                                         "fields 2\n  T UnicodeString\n"
                                         "event 1 0 symbol Brewing fields 2 builds 22000-\n";

TEST(Builds, ChooseTheLayout) {
    const auto number = ByteWriter().u32(0x00410042).take();
    const auto text = ByteWriter().zero_terminated16(u"A").take();
    EXPECT_EQ(decoded(store_for(10240, two_layouts), number), "N=42004100");
    EXPECT_EQ(decoded(store_for(26100, two_layouts), text), "T=4100");
    EXPECT_EQ(decoded(store_for(19041, two_layouts), text), "N=41000000")
        << "the build counts, although the layout of another one fits too";
}

TEST(Builds, ThatWereNotDumpedHaveTheLayoutOfTheNextLowerOne) {
    const auto text = ByteWriter().zero_terminated16(u"A").take();
    EXPECT_EQ(decoded(store_for(22631, two_layouts), text), "T=4100");
    EXPECT_EQ(decoded(store_for(30000, two_layouts), text), "T=4100");
    EXPECT_EQ(decoded(store_for(20348, two_layouts), text), "N=41000000");
    EXPECT_EQ(decoded(store_for(7601, two_layouts), text), "N=41000000") << "below all";
}

TEST(Builds, OfOthersAreGuesses) {
    const auto text = ByteWriter().zero_terminated16(u"Earl").take();
    EXPECT_EQ(decoded(store_for(19041, two_layouts), text),
              "T=4500610072006c00 (layout of build 22000)");
    EXPECT_EQ(decoded(store_for(19041, two_layouts), ByteWriter().u8(1).take()),
              " short +01 (built-in schema does not match)")
        << "no layout consumes it";
}

TEST(Builds, ThatAreNearerCountWhateverTheSource) {
    const auto of_build = [](std::uint32_t build, std::string_view builds_of_file) {
        auto store = std::make_shared<schema::SchemaStore>();
        add_to(*store, std::string(dumped) + "fields 1\n  N UInt32\nevent 1 0 fields 1\n", true);
        add_to(*store,
               "builds " + std::string(builds_of_file) +
                   "\nfields 1\n  Cups UInt32\nfields 2\n  Odd UInt16\n"
                   "event 1 0 fields 1\nevent 1 0 fields 2\n",
               false);
        store->set_build(build);
        store->freeze();
        return store;
    };
    const auto four = ByteWriter().u32(7).take();
    EXPECT_EQ(decoded(of_build(22000, "22000"), four), "Cups=07000000") << "files come first";
    EXPECT_EQ(decoded(of_build(22621, "22621"), four), "Cups=07000000");
    EXPECT_EQ(decoded(of_build(22000, "19041"), four), "N=07000000");
    EXPECT_EQ(decoded(of_build(22000, "22621"), four), "N=07000000") << "not that of a later one";
    EXPECT_EQ(decoded(of_build(22000, "19041"), ByteWriter().u16(7).take()),
              "Odd=0700 (layout of build 19041)");
    EXPECT_EQ(decoded(of_build(7601, "7601 22621"), four), "Cups=07000000");
}

TEST(Builds, WithoutTheEventGiveARawOneANameAtMost) {
    constexpr std::string_view later =
        "task 1 Brew\nfields 1\n  N UInt32\nevent 1 0 task 1 fields 1 builds 26100-\n";
    EXPECT_EQ(decoded(store_for(19041, later), ByteWriter().u32(7).take()),
              "N=07000000 (layout of build 26100)");
    const auto odd = ByteWriter().u8(1).take();
    EXPECT_EQ(decoded(store_for(19041, later), odd), "raw (name of build 26100)");
}

TEST(Builds, LeaveLayoutsOfAuthorsAlone) {
    constexpr std::string_view lines = "fields 1\n  N UInt32\nevent 1 0 fields 1 builds * 10240\n"
                                       "fields 2\n  N UInt16\nevent 1 0 fields 2 builds 22000-\n";
    EXPECT_EQ(decoded(store_for(10240, lines), ByteWriter().u32(7).take()), "N=07000000");
    EXPECT_EQ(decoded(store_for(22000, lines), ByteWriter().u16(7).take()), "N=0700");
    EXPECT_EQ(decoded(store_for(22000, lines), ByteWriter().u32(7).take()), "N=07000000")
        << "it is of no build, so that it is no guess";
    EXPECT_EQ(decoded(store_for(19041, lines), ByteWriter().u32(7).take()), "N=07000000");
}

TEST(Builds, ThatAreUnknownTakeTheNewestLayoutThatMatches) {
    const auto unknown = store_for(0, two_layouts);
    EXPECT_EQ(decoded(unknown, ByteWriter().zero_terminated16(u"A").take()),
              "T=4100 (newest layout that matches this payload)");
    EXPECT_EQ(decoded(unknown, ByteWriter().u32(0x0001).take()),
              "N=01000000 (newest layout that matches this payload)")
        << "the text would have a control character";
    EXPECT_EQ(decoded(unknown, ByteWriter().u8(1).take()), "raw (name of build 26100)");
    constexpr std::string_view only = "fields 1\n  N UInt32\nevent 1 0 fields 1 builds 22000-\n";
    EXPECT_EQ(decoded(store_for(0, only), ByteWriter().u32(7).take()), "N=07000000")
        << "there is no choice";
}

TEST(Builds, ComeBeforeLowerVersions) {
    constexpr std::string_view lines = "fields 1\n  N UInt32\nevent 1 0 fields 1\n"
                                       "fields 2\n  M UInt32\nevent 1 1 fields 2 builds 26100-\n";
    EXPECT_EQ(decoded(store_for(19041, lines), ByteWriter().u32(7).take(), 1),
              "M=07000000 (layout of build 26100)");
}

TEST(Builds, OfProvidersByNameAreGuesses) {
    constexpr std::string_view lines = "fields 1\n  N UInt32\nevent 1 0 fields 1\n";
    const auto guessed = store_for(26100, lines, " guess");
    EXPECT_EQ(decoded(guessed, ByteWriter().u32(7).take()), "N=07000000 (provider by its name)");
    EXPECT_EQ(decoded(guessed, ByteWriter().u8(7).take()), "raw (provider by its name)");
    EXPECT_EQ(decoded(guessed, ByteWriter().u8(7).take(), 1), "raw (provider by its name)")
        << "a name of another version does not hide it";
}

} // namespace
} // namespace etl::builds_test
