#include "symbols/symbol_file.hpp"
#include "tests/support/images/portable_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::symbols::portable_test {
namespace {

using test::Image;
using test::PortableBuilder;

std::shared_ptr<const SymbolFile> opened_portable(const Image& file) {
    auto result = SymbolFile::open(io::InputFile::from_memory(file, "test"));
    if (!result) {
        ADD_FAILURE() << describe(result.error());
        return nullptr;
    }
    return *result;
}

std::string line_at(const SymbolFile& file, std::uint32_t token, std::uint32_t il_offset) {
    const auto found = file.managed_line(token, il_offset);
    return found ? std::string(found->file) + ":" + std::to_string(found->line) : "";
}

PortableBuilder program() {
    PortableBuilder pdb;
    pdb.document({"C:", "src", "Program.cs"});
    pdb.document({"Generated.cs"});
    pdb.method({{0, 1000}, {5, 0}, {9, 998}, {200, 90'000}, {17'000, 3}});
    pdb.method({});
    pdb.method({{2, 4, 2}, {6, 5, 1}, {8, 6, 2}}, true);
    return pdb;
}

TEST(Portable, FindsLinesOfMethods) {
    const auto file = opened_portable(program().build());
    EXPECT_EQ(file->kind(), FileKind::portable_database);
    EXPECT_EQ(file->identity().key(), "1A2B3C4D5E6F708192A3B4C5D6E7F809FFFFFFFF");
    EXPECT_EQ(line_at(*file, 0x06000001, 0), "C:/src/Program.cs:1000");
    EXPECT_EQ(line_at(*file, 0x06000001, 4), "C:/src/Program.cs:1000");
    EXPECT_EQ(line_at(*file, 0x06000001, 5), "") << "hidden";
    EXPECT_EQ(line_at(*file, 0x06000001, 9), "C:/src/Program.cs:998");
    EXPECT_EQ(line_at(*file, 0x06000001, 200), "C:/src/Program.cs:90000");
    EXPECT_EQ(line_at(*file, 0x06000001, 20'000), "C:/src/Program.cs:3");
}

TEST(Portable, SwitchesDocuments) {
    const auto file = opened_portable(program().build());
    EXPECT_EQ(line_at(*file, 0x06000003, 1), "") << "before the first";
    EXPECT_EQ(line_at(*file, 0x06000003, 2), "Generated.cs:4");
    EXPECT_EQ(line_at(*file, 0x06000003, 6), "C:/src/Program.cs:5");
    EXPECT_EQ(line_at(*file, 0x06000003, 8), "Generated.cs:6");
}

TEST(Portable, HasNothingForOtherTokens) {
    const auto file = opened_portable(program().build());
    for (const std::uint32_t token : {0x06000002U, 0x06000000U, 0x06000004U, 0x02000001U}) {
        EXPECT_EQ(line_at(*file, token, 0), "");
    }
    EXPECT_TRUE(Resolver(file).resolve(0x1000).empty());
}

TEST(Portable, ReadsWideIndices) {
    PortableBuilder pdb = program();
    const std::string long_name(70'000, 'x');
    pdb.document({long_name});
    pdb.document({"a", "After.cs"});
    pdb.method({{0, 8, 4}});
    const auto file = opened_portable(pdb.build());
    EXPECT_EQ(line_at(*file, 0x06000004, 0), "a/After.cs:8");
    EXPECT_EQ(line_at(*file, 0x06000001, 0), "C:/src/Program.cs:1000");
}

TEST(Portable, SurvivesAnyChangedByte) {
    const Image whole = program().build();
    std::size_t lines = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        Image changed = whole;
        changed[i] ^= std::byte{0xFF};
        const auto file = SymbolFile::open(io::InputFile::from_memory(changed, "test"));
        for (std::uint32_t token = 0x06000001; file && token < 0x06000005; ++token) {
            lines += (*file)->managed_line(token, 300) ? 1U : 0U;
        }
    }
    EXPECT_GT(lines, 0U);
}

TEST(NativeMap, FindsRanges) {
    const std::string_view text = "FFFFFFFF 00 00112233445566778899AABBCCDDEEFF\r\n"
                                  "FFFFFFFE 00 1\r\nFFFFFFFD 00 2\r\n"
                                  "00002000 10 System.String A::B(System.Int32)\r\n"
                                  "00001000 8 A::.ctor()\nnonsense\n00003000 0 empty\n";
    const Bytes bytes = std::as_bytes(std::span(text));
    const auto file = opened_portable({bytes.begin(), bytes.end()});
    EXPECT_EQ(file->kind(), FileKind::native_map);
    EXPECT_EQ(file->identity().age, 1U);
    EXPECT_EQ(file->identity().guid.bytes[1], std::byte{0x11});
    Resolver resolver(file);
    const auto frames = resolver.resolve(0x2003);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].function, "System.String A::B(System.Int32)");
    EXPECT_EQ(frames[0].offset, 3U);
    EXPECT_TRUE(resolver.resolve(0x1008).empty());
    EXPECT_TRUE(resolver.resolve(0x3000).empty());
    EXPECT_EQ(resolver.resolve(0x1007).size(), 1U);
}

} // namespace
} // namespace etl::symbols::portable_test
