#include "base/text.hpp"
#include "symbols/limits.hpp"
#include "symbols/pe_file.hpp"
#include "symbols/stores.hpp"
#include "tests/support/images/code_image_builder.hpp"
#include "tests/support/images/database_builder.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::symbols::stores_test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = SearchPlace::Kind;

TEST(SymbolPath, IsAListOfDirectories) {
    EXPECT_THAT(parse_symbol_path("C:\\symbols; /srv/pdb ;;"),
                ElementsAre(SearchPlace{Kind::directory, "C:\\symbols"},
                            SearchPlace{Kind::directory, "/srv/pdb"}));
    EXPECT_THAT(parse_symbol_path(" ; "), IsEmpty());
}

TEST(SymbolPath, NamesStoresAndServers) {
    EXPECT_THAT(parse_symbol_path("SRV*/cache*/team*https://symbols.example.com/"),
                ElementsAre(SearchPlace{Kind::store, "/cache"}, SearchPlace{Kind::store, "/team"},
                            SearchPlace{Kind::server, "https://symbols.example.com/"}));
    EXPECT_THAT(parse_symbol_path("symsrv*symsrv.dll*/team;cache*/c"),
                ElementsAre(SearchPlace{Kind::store, "/team"}, SearchPlace{Kind::store, "/c"}));
    EXPECT_THAT(parse_symbol_path("https://symbols.example.com"),
                ElementsAre(SearchPlace{Kind::server, "https://symbols.example.com"}));
}

TEST(SymbolPath, HasNoDefaultCache) {
    EXPECT_THAT(parse_symbol_path("srv**http://s;cache*;srv*"),
                ElementsAre(SearchPlace{Kind::server, "http://s"}));
}

TEST(SymbolPath, KeepsOtherAsterisks) {
    EXPECT_THAT(parse_symbol_path("a*b"), ElementsAre(SearchPlace{Kind::directory, "a*b"}));
}

TEST(SymbolPath, IsBounded) {
    std::string text;
    for (std::size_t i = 0; i < limits::search_places + 10; ++i) {
        text += "d;";
    }
    EXPECT_THAT(parse_symbol_path(text), SizeIs(limits::search_places));
}

using test::DatabaseBuilder;
using test::TemporaryFolder;
using testing::HasSubstr;

test::Image database_bytes() {
    DatabaseBuilder pdb;
    pdb.section(0x1000, 0x1000);
    pdb.begin_module();
    pdb.begin_procedure("pump::start", 0x100, 0x40).end_procedure();
    return pdb.build();
}

std::string database() {
    return std::string(as_text(database_bytes()));
}

Identity identity() {
    const auto file = SymbolFile::open(io::InputFile::from_memory(database_bytes(), "test"));
    EXPECT_TRUE(file);
    return file ? (*file)->identity() : Identity{};
}

Stores stores_at(const std::string& path) {
    return Stores(parse_symbol_path(path));
}

class StoresLayout : public testing::TestWithParam<std::string> {};

// KEY stands for the identity.
TEST_P(StoresLayout, IsSearched) {
    const TemporaryFolder folder;
    std::string path = GetParam();
    if (const std::size_t at = path.find("KEY"); at != path.npos) {
        path.replace(at, 3, identity().key());
    }
    const std::string file = folder.file(path, database());
    const Lookup found = stores_at(folder.path()).find_database("C:\\build\\Pump.pdb", identity());
    ASSERT_TRUE(found.file);
    EXPECT_EQ(found.path, file);
    EXPECT_THAT(found.rejected, IsEmpty());
    EXPECT_THAT(Resolver(found.file).resolve(0x1100), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(Stores, StoresLayout,
                         testing::Values("Pump.pdb", "pdb/Pump.pdb", "symbols/pdb/Pump.pdb",
                                         "Pump.pdb/KEY/Pump.pdb", "Pu/Pump.pdb/KEY/Pump.pdb",
                                         "pump.PDB/KEY/PUMP.pdb", "PUMP.PDB",
                                         "Pump.pdb/KEY/msfz0/Pump.pdb",
                                         "pu/pump.pdb/KEY/pump.pdb"));

TEST(Stores, UnpackCompressedFiles) {
    const TemporaryFolder folder;
    const auto cabinet = test::stored_cab({{"Pump.pdb", database()}});
    folder.file("Pump.pdb/" + identity().key() + "/Pump.pd_", std::string(as_text(cabinet)));
    EXPECT_TRUE(stores_at(folder.path()).find_database("Pump.pdb", identity()).file);
}

TEST(Stores, FindExecutablesByTimeStampAndSize) {
    const test::Image image = test::CodeImageBuilder().exported("start", 0x1100).build();
    const auto named = read_image_identity(image);
    ASSERT_TRUE(named);
    const std::string entry = "Pump.exe/" + named->key();
    const std::string content(as_text(image));
    const std::pair<std::string, std::string> files[] = {
        {"Pump.exe", content},
        {"Pump.ex_", std::string(as_text(test::stored_cab({{"Pump.exe", content}})))}};
    for (const auto& [name, bytes] : files) {
        const TemporaryFolder folder;
        const std::string path = folder.file(entry + "/" + name, bytes);
        Stores stores = stores_at(folder.path());
        const Lookup found = stores.find_image("Pump.exe", named->time_stamp, named->image_size);
        ASSERT_TRUE(found.file) << name;
        EXPECT_EQ(found.path, path);
        EXPECT_EQ(as_text(found.file->bytes()), content);
    }
}

TEST(Stores, RejectExecutablesOfAnotherTime) {
    const TemporaryFolder folder;
    const test::Image image = test::CodeImageBuilder().build();
    folder.file("Pump.exe", std::string(as_text(image)));
    const auto named = read_image_identity(image);
    ASSERT_TRUE(named);
    const Lookup found =
        stores_at(folder.path()).find_image("Pump.exe", named->time_stamp + 1, named->image_size);
    EXPECT_FALSE(found.file);
    ASSERT_THAT(found.rejected, SizeIs(1));
    EXPECT_THAT(found.rejected[0].reason, HasSubstr("another image: " + named->key()));
}

TEST(Stores, FollowPointersToFiles) {
    const TemporaryFolder folder;
    const std::string there = folder.file("elsewhere/x.bin", database());
    const std::string entry = "Pump.pdb/" + identity().key() + "/file.ptr";
    folder.file(entry, "PATH:" + there + "\r\n");
    EXPECT_EQ(stores_at("srv*" + folder.path()).find_database("Pump.pdb", identity()).path, there);
    folder.file(entry, "MSG: not for you");
    const Lookup refused = stores_at("srv*" + folder.path()).find_database("Pump.pdb", identity());
    ASSERT_THAT(refused.rejected, SizeIs(1));
    EXPECT_THAT(refused.rejected[0].reason, HasSubstr("not for you"));
}

TEST(Stores, RejectFilesOfAnotherIdentity) {
    const TemporaryFolder folder;
    folder.file("Pump.pdb", database());
    Identity other = identity();
    ++other.age;
    const Lookup found = stores_at(folder.path()).find_database("Pump.pdb", other);
    EXPECT_FALSE(found.file);
    ASSERT_THAT(found.rejected, SizeIs(1));
    EXPECT_THAT(found.rejected[0].reason, HasSubstr("another identity: " + identity().key()));
}

TEST(Stores, RejectDamagedFilesAndGoOn) {
    const TemporaryFolder folder;
    folder.file("a/Pump.pdb", "no database");
    folder.file("b/Pump.pdb", database());
    const Lookup found =
        stores_at(folder.path("a") + ";" + folder.path("b")).find_database("Pump.pdb", identity());
    EXPECT_EQ(found.path, folder.path("b") + "/Pump.pdb");
    EXPECT_THAT(found.rejected, SizeIs(1));
}

TEST(Stores, NeverLeaveTheirDirectories) {
    const TemporaryFolder folder;
    folder.file("secret.pdb", database());
    Stores stores = stores_at(folder.path("a"));
    for (const char* const name : {"../secret.pdb", "..", ".", "", "x\\..\\", "a/"}) {
        const Lookup found = stores.find_database(name, identity());
        EXPECT_FALSE(found.file) << name;
        EXPECT_THAT(found.rejected, IsEmpty()) << name;
    }
}

TEST(Stores, ContactNoServer) {
    Stores stores = stores_at("https://symbols.example.com/");
    EXPECT_FALSE(stores.find_database("Pump.pdb", identity()).file);
    ASSERT_THAT(stores.places(), SizeIs(1));
    EXPECT_EQ(stores.places()[0].kind, SearchPlace::Kind::server);
}

} // namespace

} // namespace etl::symbols::stores_test
