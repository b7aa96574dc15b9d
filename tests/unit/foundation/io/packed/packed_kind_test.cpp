#include <etl/byte_writer.hpp>

#include "io/packed/packed_kind.hpp"
#include "io/unpack.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

namespace etl::io::packed_kind_test {
namespace {

PackedKind kind_of(std::string_view head) {
    return packed_kind(std::as_bytes(std::span(head)));
}

using namespace std::string_view_literals;

TEST(PackedKind, NeedsTheWholeMagic) {
    for (const auto& packed :
         {test::compress("gzip", "a"), test::compress("bzip2", "a"), test::compress("xz", "a"),
          test::compress("lzma", "a"), test::compress("zstd", "a"), test::compress("lz4", "a"),
          test::pack("zip", {{"a", "b"}}), test::pack("7zip", {{"a", "b"}}),
          test::pack("ustar", {{"a", "b"}}), test::stored_cab({{"a", "b"}})}) {
        EXPECT_TRUE(is_packed(packed));
        EXPECT_FALSE(is_packed(Bytes(packed).first(3)));
        EXPECT_FALSE(is_packed({}));
    }
}

TEST(PackedKind, DoesNotTakeATraceForPacked) {
    // The first bytes of a trace are the size of a buffer, as 32 bits.
    for (std::uint32_t size = 1024; size <= (16U << 20U); size += 1024) {
        ByteWriter header;
        header.u32(size).u32(size - 72).u32(size - 72).fill(500);
        ASSERT_FALSE(is_packed(header.view())) << size;
    }
}

TEST(PackedKind, TakesAnLzmaStreamOnlyWithUsualProperties) {
    const auto unknown_size = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv;
    const auto lzma = [&](std::string_view properties, std::string_view size) {
        return kind_of(std::string(properties) + std::string(size)) == PackedKind::lzma;
    };
    EXPECT_TRUE(lzma("\x5D\x00\x00\x80\x00"sv, unknown_size));
    EXPECT_TRUE(lzma("\x5D\x00\x00\x18\x00"sv, "\x10\0\0\0\0\0\0\0"sv)); // 2^20 + 2^19
    EXPECT_FALSE(lzma("\x5D\x01\x00\x80\x00"sv, unknown_size));
    EXPECT_FALSE(lzma("\x5D\x00\x00\x00\x00"sv, unknown_size));
    EXPECT_FALSE(lzma("\x5D\x00\x00\x80\x00"sv, "\0\0\0\0\0\0\0\x10"sv));
    EXPECT_FALSE(lzma("\x00\x00\x00\x80\x00"sv, unknown_size));
}

TEST(PackedKind, KnowsAZstdStreamBehindASkippableFrame) {
    EXPECT_EQ(kind_of("\x5A\x2A\x4D\x18\x02\0\0\0xx\x28\xB5\x2F\xFD"sv), PackedKind::zstd);
    EXPECT_EQ(kind_of("\x50\x2A\x4D\x18\0\0\0\0\x28\xB5\x2F\xFD"sv), PackedKind::zstd);
    EXPECT_EQ(kind_of("\x5A\x2A\x4D\x18\xFF\xFF\xFF\xFFxx\x28\xB5\x2F\xFD"sv), PackedKind::none);
    EXPECT_EQ(kind_of("\x5A\x2A\x4D\x18"sv), PackedKind::none);
}

TEST(PackedKind, TellsStreamsFromArchives) {
    for (const auto kind : {PackedKind::gzip, PackedKind::bzip2, PackedKind::xz, PackedKind::lzma,
                            PackedKind::zstd, PackedKind::lz4}) {
        EXPECT_TRUE(is_stream(kind));
    }
    for (const auto kind : {PackedKind::none, PackedKind::tar, PackedKind::zip,
                            PackedKind::seven_zip, PackedKind::cab}) {
        EXPECT_FALSE(is_stream(kind));
    }
}

TEST(NameInside, LosesTheEndingOfTheCompression) {
    EXPECT_EQ(name_inside("x.etl.gz"), "x.etl");
    EXPECT_EQ(name_inside("x.ETL.ZST"), "x.ETL");
    EXPECT_EQ(name_inside("x.etlgz"), "x.etl");
    EXPECT_EQ(name_inside("x.etl.001.xz"), "x.etl.001");
    EXPECT_EQ(name_inside("x.etl"), "x.etl");
    EXPECT_EQ(name_inside("gz"), "gz");
    EXPECT_EQ(name_inside(".gz"), ".gz");
    EXPECT_EQ(name_inside("-"), "-");
    EXPECT_EQ(name_inside(""), "");
}

} // namespace
} // namespace etl::io::packed_kind_test
