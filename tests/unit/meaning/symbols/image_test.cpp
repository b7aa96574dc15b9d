#include "symbols/pe_file.hpp"
#include "symbols/symbol_file.hpp"
#include "tests/support/codecs/packed_bytes.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/code_image_builder.hpp"
#include "tests/support/images/portable_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::symbols::image_test {
namespace {

using test::CodeImageBuilder;
using test::Image;
using test::PortableBuilder;

constexpr Guid guid = *parse_guid("00112233-4455-6677-8899-aabbccddeeff");

std::shared_ptr<const SymbolFile> opened_image(const Image& file) {
    auto result = SymbolFile::open(io::InputFile::from_memory(file, "test"));
    if (!result) {
        ADD_FAILURE() << describe(result.error());
        return nullptr;
    }
    return *result;
}

std::string name_at(const std::shared_ptr<const SymbolFile>& file, std::uint32_t rva) {
    Resolver resolver(file);
    const auto frames = resolver.resolve(rva);
    if (frames.empty()) {
        return "";
    }
    EXPECT_TRUE(frames[0].is_approximate);
    return std::string(frames[0].function) + "+" + std::to_string(frames[0].offset);
}

TEST(ImageSymbols, FindsTheNearestExportOfTheSection) {
    const auto file = opened_image(CodeImageBuilder(0x14C)
                                       .exported("start", 0x1100)
                                       .exported("start_ex", 0x1100)
                                       .exported_by_ordinal(0x1200)
                                       .forwarded("malloc", "ucrt.malloc")
                                       .build());
    EXPECT_EQ(file->kind(), FileKind::executable);
    EXPECT_EQ(name_at(file, 0x10FF), "");
    EXPECT_EQ(name_at(file, 0x1100), "start+0");
    EXPECT_EQ(name_at(file, 0x11FF), "start+255");
    EXPECT_EQ(name_at(file, 0x1203), "Ordinal7+3");
    EXPECT_EQ(name_at(file, 0x2800), "") << "another section";
    Resolver resolver(file);
    EXPECT_EQ(resolver.resolve(0x1100)[0].others, 1U);
}

TEST(ImageSymbols, StopsAtTheEndOfAFunction) {
    const auto file = opened_image(CodeImageBuilder()
                                       .exported("start", 0x1100)
                                       .exported("leaf", 0x1180)
                                       .function(0x1100, 0x1140)
                                       .function(0x1140, 0x1160)
                                       .part(0x1300, 0x1320, 0x1100, 0x1140)
                                       .part(0x1320, 0x1330, 0x1140, 0x1160)
                                       .build());
    EXPECT_EQ(name_at(file, 0x113F), "start+63");
    EXPECT_EQ(name_at(file, 0x1140), "") << "a function that is not exported";
    EXPECT_EQ(name_at(file, 0x1170), "") << "after a function that is not exported";
    EXPECT_EQ(name_at(file, 0x1188), "leaf+8") << "without unwind information";
    EXPECT_EQ(name_at(file, 0x1310), "start+528") << "a separated part";
    EXPECT_EQ(name_at(file, 0x1324), "") << "of a function that is not exported";
}

TEST(ImageSymbols, ReadsBothFormsOfUnwindInformationOfArm) {
    const auto file = opened_image(CodeImageBuilder(0xAA64)
                                       .exported("start", 0x1100)
                                       .exported("stop", 0x1140)
                                       .arm_function(0x1100, 0x20, true)
                                       .arm_function(0x1140, 0x10, false)
                                       .build());
    EXPECT_EQ(name_at(file, 0x111F), "start+31");
    EXPECT_EQ(name_at(file, 0x1120), "");
    EXPECT_EQ(name_at(file, 0x114F), "stop+15");
    EXPECT_EQ(name_at(file, 0x1150), "");
}

TEST(ImageSymbols, NamesTheDatabase) {
    const Image file = CodeImageBuilder().database(guid, 0x1A, "C:\\out\\caf\xE9.pdb").build();
    const auto identity = read_image_identity(file);
    ASSERT_TRUE(identity);
    EXPECT_EQ(identity->key(), "5F00AB126000");
    ASSERT_TRUE(identity->database);
    EXPECT_EQ(identity->database->identity.key(), "00112233445566778899AABBCCDDEEFF1A");
    EXPECT_TRUE(identity->database->path.starts_with("C:\\out\\caf"));
    EXPECT_FALSE(identity->database->is_portable);
    EXPECT_EQ(opened_image(file)->identity(), identity->database->identity);
    EXPECT_FALSE(read_image_identity(CodeImageBuilder().build())->database);
}

TEST(ImageSymbols, ReadsAnEmbeddedDatabase) {
    PortableBuilder pdb;
    pdb.document({"", "src", "Program.cs"});
    pdb.method({{0, 7}, {4, 9}});
    const Image portable = pdb.build();
    const Image file = CodeImageBuilder()
                           .database(PortableBuilder::guid, 1, "Program.pdb", true)
                           .embedded(test::deflate_of(portable), portable.size())
                           .build();
    const auto opened = opened_image(file);
    EXPECT_EQ(opened->identity(), (Identity{PortableBuilder::guid, 0xFFFFFFFF}));
    const auto line = opened->managed_line(0x06000001, 5);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->line, 9U);
    EXPECT_EQ(line->file, "/src/Program.cs");
}

TEST(ImageSymbols, SurvivesAnyChangedByte) {
    const Image whole = CodeImageBuilder()
                            .exported("start", 0x1100)
                            .function(0x1100, 0x1140)
                            .part(0x1300, 0x1320, 0x1100, 0x1140)
                            .database(guid, 1, "a.pdb")
                            .build();
    std::size_t named = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        Image changed = whole;
        changed[i] ^= std::byte{0xFF};
        const auto file = SymbolFile::open(io::InputFile::from_memory(changed, "test"));
        if (file) {
            Resolver resolver(*file);
            for (const std::uint32_t rva : {0x1100U, 0x1310U, 0x2000U, 0xFFFFFFFFU}) {
                named += resolver.resolve(rva).size();
            }
        }
    }
    EXPECT_GT(named, whole.size());
}

TEST(ImageSymbols, RejectsWhatIsNoImage) {
    EXPECT_FALSE(read_image_identity({}));
    const Image whole = CodeImageBuilder().build();
    EXPECT_FALSE(read_image_identity(test::truncate_at(whole, 0x80)));
    EXPECT_FALSE(read_image_identity(test::truncate_at(whole, 2)));
}

} // namespace
} // namespace etl::symbols::image_test
