#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>

namespace etl::cursor_test {
namespace {

TEST(Cursor, ReadsForward) {
    ByteWriter bytes;
    bytes.u8(1).u16(2).u32(3).u64(4).u32(5).u64(6);
    Cursor in(bytes.view());
    EXPECT_EQ(in.u8("a"), 1);
    EXPECT_EQ(in.u16("b"), 2);
    EXPECT_EQ(in.u32("c"), 3U);
    EXPECT_EQ(in.u64("d"), 4U);
    EXPECT_EQ(in.pointer("e", 4), 5U);
    EXPECT_EQ(in.pointer("f", 8), 6U);
    EXPECT_TRUE(in);
    EXPECT_TRUE(in.is_at_end());
}

TEST(Cursor, KeepsItsFirstFailure) {
    ByteWriter bytes;
    bytes.u8(1).u16(2);
    Cursor in(bytes.view(), FileOffset{0x100});
    EXPECT_EQ(in.u8("kind"), 1);
    EXPECT_EQ(in.u32("count"), 0U);
    EXPECT_EQ(in.u8("tail"), 0); // there was a byte, but it is not at this place any more
    EXPECT_FALSE(in);
    EXPECT_EQ(in.error().code, ErrorCode::truncated);
    EXPECT_STREQ(in.error().what, "count");
    EXPECT_EQ(in.error().where, FileOffset{0x101});
    EXPECT_EQ(in.error().need, 4U);
    EXPECT_EQ(in.error().have, 2U);
}

TEST(Cursor, GivesNothingAfterAFailure) {
    ByteWriter bytes;
    bytes.zero_terminated8("abc");
    Cursor in(bytes.view());
    EXPECT_TRUE(in.bytes("far too much", 100).empty());
    EXPECT_TRUE(in.zero_terminated8("text").empty());
    EXPECT_TRUE(in.zero_terminated16("text").empty());
    EXPECT_EQ(in.left(), 0U);
    EXPECT_STREQ(in.error().what, "far too much");
}

TEST(Cursor, ConsumesTheTerminator) {
    ByteWriter bytes;
    bytes.zero_terminated8("abc").zero_terminated8("").zero_terminated16(u"de").u8(7);
    Cursor in(bytes.view());
    EXPECT_EQ(as_text(in.zero_terminated8("a")), "abc");
    EXPECT_TRUE(in.zero_terminated8("b").empty());
    EXPECT_EQ(in.zero_terminated16("c").size(), 4U);
    EXPECT_EQ(in.u8("d"), 7);
    EXPECT_TRUE(in);
}

TEST(Cursor, RejectsTextWithoutTerminator) {
    ByteWriter bytes;
    bytes.text8("abc");
    Cursor in(bytes.view());
    EXPECT_TRUE(in.zero_terminated8("name").empty());
    EXPECT_EQ(in.error().need, 4U);
    EXPECT_EQ(in.error().have, 3U);
}

TEST(Cursor, DoesNotTakeHalfAUnitForATerminator) {
    ByteWriter bytes;
    bytes.u16(u'x').u8(0);
    Cursor odd(bytes.view());
    EXPECT_TRUE(odd.zero_terminated16("name").empty());
    EXPECT_FALSE(odd);
    // 0x0041 0x4100: two zero bytes side by side, but in two units.
    ByteWriter shifted;
    shifted.u16(0x0041).u16(0x4100).u16(0);
    Cursor in(shifted.view());
    EXPECT_EQ(in.zero_terminated16("name").size(), 4U);
}

} // namespace
} // namespace etl::cursor_test
