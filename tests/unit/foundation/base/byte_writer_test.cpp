#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>

namespace etl::byte_writer_test {
namespace {

std::string hex(Bytes bytes) {
    std::string text;
    append_hex_bytes(text, bytes);
    return text;
}

TEST(ByteWriter, WritesLittleEndianInOrder) {
    ByteWriter out;
    out.u8(1).u16(0x0203).u32(0x04050607).u64(0x08090A0B0C0D0E0FULL);
    EXPECT_EQ(hex(out.view()), "01030207060504"
                               "0f0e0d0c0b0a0908");
}

TEST(ByteWriter, WritesTextWithAndWithoutTerminator) {
    ByteWriter out;
    out.text8("ab").zero_terminated8("c").text16(u"d").zero_terminated16(u"e");
    EXPECT_EQ(hex(out.view()), "616263006400"
                               "65000000");
}

TEST(ByteWriter, AlignsToTheNextMultipleOnly) {
    ByteWriter out;
    out.align(8);
    EXPECT_EQ(out.size(), 0U);
    out.u8(1).align(8, std::byte{0xFF});
    EXPECT_EQ(hex(out.view()), "01ffffffffffffff");
    out.align(8);
    EXPECT_EQ(out.size(), 8U);
}

TEST(ByteWriter, PatchesWhatWasWritten) {
    ByteWriter out;
    out.u16(0).u16(7);
    out.patch<std::uint16_t>(0, 0x1234);
    EXPECT_EQ(hex(out.view()), "34120700");
}

TEST(ByteWriter, GivesItsBytesAway) {
    ByteWriter out;
    out.fill(3, std::byte{9});
    const auto bytes = out.take();
    EXPECT_EQ(hex(bytes), "090909");
}

} // namespace
} // namespace etl::byte_writer_test
