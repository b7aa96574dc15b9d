#include "schema/message_table.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/image_builder.hpp"

#include <gtest/gtest.h>

namespace etl::schema::message_table_test {
namespace {

using test::message_table;
using test::MessageText;

using Content = std::vector<std::byte>;

MessageTable parse(const Content& resource) {
    auto table = MessageTable::parse(resource);
    EXPECT_TRUE(table) << describe(table.error());
    return table ? std::move(*table) : MessageTable{};
}

ErrorCode error_of(const Content& resource) {
    const auto table = MessageTable::parse(resource);
    return table ? ErrorCode::none : table.error().code;
}

std::string text(const MessageTable& table, std::uint32_t id) {
    const std::string* found = table.find(id);
    return found == nullptr ? "none" : *found;
}

TEST(MessageTable, FindsTextsOfAllBlocks) {
    const MessageTable table =
        parse(message_table({{1, u"one"}, {2, u"two"}, {7, u"seven"}, {0xB0000001, u"event"}}));
    EXPECT_EQ(table.size(), 4U);
    EXPECT_EQ(text(table, 1), "one");
    EXPECT_EQ(text(table, 2), "two");
    EXPECT_EQ(text(table, 3), "none");
    EXPECT_EQ(text(table, 7), "seven");
    EXPECT_EQ(text(table, 0xB0000001), "event");
}

TEST(MessageTable, ReadsEveryEncoding) {
    EXPECT_EQ(text(parse(message_table({{1, u"Öl €"}})), 1), "Öl €");
    EXPECT_EQ(text(parse(message_table({{1, u"\u00D6l"}}, MessageText::utf8)), 1), "Öl");
    // Text of an ANSI code page: windows-1252 where it is not UTF-8.
    EXPECT_EQ(text(parse(message_table({{1, u"\u00D6l"}}, MessageText::ansi)), 1), "Öl");
}

TEST(MessageTable, TakesTheLineEndAwayThatTheCompilerAdds) {
    const MessageTable table = parse(
        message_table({{1, u"a\r\n"}, {2, u"a\r\n\r\n"}, {3, u"a "}, {4, u""}, {5, u"a%n%0\r\n"}}));
    EXPECT_EQ(text(table, 1), "a");
    EXPECT_EQ(text(table, 2), "a\r\n");
    EXPECT_EQ(text(table, 3), "a");
    EXPECT_EQ(text(table, 4), "");
    EXPECT_EQ(text(table, 5), "a%n%0");
}

TEST(MessageTable, KeepsItsOwnTextsWhenItMergesOthers) {
    MessageTable table = parse(message_table({{1, u"own"}}));
    table.merge(parse(message_table({{1, u"other"}, {2, u"more"}})));
    EXPECT_EQ(text(table, 1), "own");
    EXPECT_EQ(text(table, 2), "more");
}

TEST(MessageTable, RejectsWhatIsCut) {
    const Content whole = message_table({{1, u"one"}, {2, u"two"}, {9, u"nine"}});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_EQ(error_of(test::truncate_at(whole, size)), ErrorCode::truncated) << size;
    }
    EXPECT_EQ(error_of(whole), ErrorCode::none);
}

TEST(MessageTable, RejectsEntriesWithoutASize) {
    const Content whole = message_table({{1, u"one"}});
    const Content three{std::byte{3}};
    EXPECT_EQ(error_of(test::overwrite(whole, 16, three)), ErrorCode::malformed);
}

TEST(MessageTable, RejectsBlocksThatShareEntries) {
    // Three blocks, all of them at the first message.
    Content whole =
        message_table({{1, u"a long text that outweighs the table"}, {3, u""}, {5, u""}});
    const Bytes offset = Bytes(whole).subspan(12, 4);
    const Content first(offset.begin(), offset.end());
    whole = test::overwrite(test::overwrite(whole, 24, first), 36, first);
    EXPECT_EQ(error_of(whole), ErrorCode::limit);
}

TEST(MessageTable, IgnoresBlocksThatEndBeforeTheyBegin) {
    const Content whole = message_table({{5, u"five"}});
    const Content nine{std::byte{9}};
    EXPECT_EQ(parse(test::overwrite(whole, 4, nine)).size(), 0U);
}

} // namespace
} // namespace etl::schema::message_table_test
