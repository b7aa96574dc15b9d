#include "base/text.hpp"
#include "gather/store_symbols.hpp"
#include "tests/support/images/database_builder.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::gather::store_symbols_test {
namespace {

using test::DatabaseBuilder;
using test::TemporaryFolder;
using testing::SizeIs;

std::string database() {
    DatabaseBuilder pdb;
    pdb.section(0x1000, 0x1000);
    pdb.begin_module();
    pdb.begin_procedure("pump::start", 0x100, 0x40).end_procedure();
    pdb.public_symbol("?stop@pump@@YAXXZ", 0x140);
    return std::string(as_text(pdb.build()));
}

facts::Image image_with(std::uint32_t database_age) {
    return {.process = 4,
            .base = 0x7ff600000000,
            .size = 0x5000,
            .path = "\\Device\\HarddiskVolume2\\Works\\pump.exe",
            .pdb = facts::PdbIdentity{DatabaseBuilder::guid, database_age, "D:\\works\\pump.pdb"}};
}

constexpr std::uint32_t age = 3; // that of the builder

TEST(StoreSymbols, NameFunctionsOfImages) {
    const TemporaryFolder folder;
    folder.file("pump.pdb", database());
    StoreSymbols symbols(symbols::parse_symbol_path(folder.path()));
    const facts::Image image = image_with(age);
    const auto found = symbols.find(image, 0x1104);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "pump::start");
    EXPECT_EQ(found->start, 0x1100U);
    EXPECT_EQ(symbols.symbols_of(image).status, SymbolStatus::found);
    EXPECT_EQ(symbols.symbols_of(image).path, folder.path("pump.pdb"));
    EXPECT_EQ(symbols.counts().images, 1U);
    EXPECT_EQ(symbols.counts().unnamed, 0U);
    EXPECT_EQ(symbols.counts().silent, 0U);
}

TEST(StoreSymbols, SayThatAFileNamesNothing) {
    const TemporaryFolder folder;
    DatabaseBuilder stripped;
    stripped.section(0x1000, 0x1000).begin_module();
    folder.file("pump.pdb", std::string(as_text(stripped.build())));
    StoreSymbols symbols(symbols::parse_symbol_path(folder.path()));
    EXPECT_FALSE(symbols.find(image_with(age), 0x1104));
    EXPECT_EQ(symbols.symbols_of(image_with(age)).status, SymbolStatus::no_names);
    EXPECT_EQ(symbols.symbols_of(image_with(age)).path, folder.path("pump.pdb"));
    EXPECT_EQ(symbols.counts().unnamed, 1U);
    EXPECT_EQ(symbols.counts().silent, 0U);
}

TEST(StoreSymbols, CountFilesThatNamedNoAddress) {
    const TemporaryFolder folder;
    folder.file("pump.pdb", database());
    StoreSymbols symbols(symbols::parse_symbol_path(folder.path()));
    EXPECT_FALSE(symbols.find(image_with(age), 0x4000));
    EXPECT_EQ(symbols.counts().unnamed, 0U);
    EXPECT_EQ(symbols.counts().silent, 1U);
    EXPECT_TRUE(symbols.find(image_with(age), 0x1104));
    EXPECT_EQ(symbols.counts().silent, 0U);
}

TEST(StoreSymbols, MarkTheNearestPublicSymbol) {
    const TemporaryFolder folder;
    folder.file("pump.pdb", database());
    StoreSymbols symbols(symbols::parse_symbol_path(folder.path()));
    const auto found = symbols.find(image_with(age), 0x1144);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "~pump::stop");
}

TEST(StoreSymbols, UseNoFileOfAnotherIdentity) {
    const TemporaryFolder folder;
    folder.file("pump.pdb", database());
    StoreSymbols symbols(symbols::parse_symbol_path(folder.path()));
    const facts::Image other = image_with(age + 1);
    EXPECT_FALSE(symbols.find(other, 0x1104));
    EXPECT_EQ(symbols.symbols_of(other).status, SymbolStatus::mismatch);
    EXPECT_THAT(symbols.symbols_of(other).rejected, SizeIs(1));
}

TEST(StoreSymbols, SayWhatIsMissing) {
    const TemporaryFolder folder;
    StoreSymbols symbols(symbols::parse_symbol_path(folder.path()));
    EXPECT_EQ(symbols.symbols_of(image_with(1)).status, SymbolStatus::missing);
    EXPECT_EQ(symbols.symbols_of({.path = "x.dll"}).status, SymbolStatus::no_identity);
    EXPECT_FALSE(symbols.find(image_with(1), 0x1104));
}

} // namespace
} // namespace etl::gather::store_symbols_test
