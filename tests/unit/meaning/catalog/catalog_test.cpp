#include "base/text.hpp"
#include "catalog/cache.hpp"
#include "catalog/catalog.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace etl::catalog::catalog_test {
namespace {

using namespace etl::literals;
using test::ByteVector;
using test::Environment;
using test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Guid one = "11111111-2222-3333-4444-555555555555"_guid;
constexpr Guid two = "99999999-8888-7777-6666-555555555555"_guid;

/// A manifest of one provider with event 1, whose symbol tells the file.
std::string manifest(const Guid& provider, const std::string& symbol) {
    return "<instrumentationManifest><instrumentation><events><provider name=\"P\" guid=\"{" +
           to_string(provider) + "}\"><events><event value=\"1\" symbol=\"" + symbol +
           "\"/></events></provider></events></instrumentation></instrumentationManifest>";
}

std::string text_of(const ByteVector& bytes) {
    return std::string(as_text(bytes));
}

/// Nothing of the machine's own configuration.
Options only(std::vector<std::string> paths) {
    return {.paths = std::move(paths), .environment = false, .built_in = false};
}

Catalog open(const Options& options) {
    auto catalog = Catalog::open(options);
    EXPECT_TRUE(catalog) << catalog.error().path << ": " << describe(catalog.error().error);
    return catalog ? std::move(*catalog) : Catalog(*Catalog::open(only({})));
}

/// The symbols of event 1 of a provider, in order of preference.
std::string symbols(Catalog& catalog, const Guid& provider) {
    schema::SchemaStore store;
    catalog.load({provider}, store);
    store.freeze();
    std::string all;
    for (const schema::EventSchema* schema : store.find({provider, 1, 0}).candidates) {
        all += schema->symbol + " ";
    }
    return all;
}

TEST(SchemaFiles, AreThoseThatACatalogLooksInto) {
    const TemporaryFolder folder;
    const std::string named = folder.file("a.man", "");
    const std::string below = folder.file("deep/below/b.man", "");
    const std::string other = folder.file("environment/c.man", "");
    const test::Environment path("ETL_SCHEMA_PATH", folder.path("environment"));
    const test::Environment none("TRACE_FORMAT_SEARCH_PATH", "");
    const test::Environment home("XDG_CONFIG_HOME", folder.path("no-home"));
    EXPECT_THAT(schema_files({.paths = {named, folder.path("missing"), folder.path("deep")}}),
                ::testing::ElementsAre(named, below, other));
    EXPECT_THAT(schema_files({.paths = {named}, .environment = false}),
                ::testing::ElementsAre(named));
}

TEST(Catalog, LoadsFilesInTheOrderOfThePaths) {
    const TemporaryFolder folder;
    const std::string b = folder.file("b.man", manifest(one, "b"));
    const std::string a = folder.file("a.man", manifest(one, "a"));
    Catalog catalog = open(only({b, a}));
    EXPECT_EQ(catalog.files(), 2U);
    EXPECT_EQ(symbols(catalog, one), "b a ");
    EXPECT_THAT(catalog.remarks(), IsEmpty());
}

TEST(Catalog, LoadsOnlyWhatIsWantedAndOnlyOnce) {
    const TemporaryFolder folder;
    folder.file("one.man", manifest(one, "one"));
    folder.file("two.man", manifest(two, "two"));
    Catalog catalog = open(only({folder.path()}));
    schema::SchemaStore store;
    catalog.load({two}, store);
    EXPECT_EQ(store.size(), 1U);
    catalog.load({two}, store);
    EXPECT_EQ(store.size(), 1U);
    catalog.load_all(store);
    EXPECT_EQ(store.size(), 2U);
    store.freeze();
    EXPECT_NE(store.provider(one), nullptr);
}

TEST(Catalog, KnowsWhichPathsAreOfNoUse) {
    const TemporaryFolder folder;
    const std::string used = folder.file("one.man", manifest(one, "one"));
    const std::string unused = folder.file("other.man", manifest(one, "other"));
    const std::string below = folder.file("two/two.man", manifest(two, "two"));
    Catalog catalog = open(only({used, unused, folder.path("two"), used}));
    schema::SchemaStore store;
    catalog.load({one}, store);
    const auto is_one = [](const schema::EventSchema& schema) { return schema.symbol == "one"; };
    EXPECT_THAT(catalog.unused_paths(is_one), ::testing::ElementsAre(unused, folder.path("two")))
        << "a path that was named twice is not unused";
}

TEST(Catalog, PutsClassesOfTheUserBeforeItsOwn) {
    constexpr Guid process = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid;
    const TemporaryFolder folder;
    const std::string mine = folder.file(
        "mine.mof", "[Guid(\"{3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}\"), EventVersion(0), "
                    "EventType(1)] class Mine {};");
    Options options = only({mine});
    options.built_in = true;
    Catalog catalog = open(options);
    EXPECT_EQ(catalog.files(), 1U);
    EXPECT_EQ(symbols(catalog, process), "Mine Process_V0_TypeGroup1 ");
}

TEST(Catalog, SaysWhereClassesAreBroken) {
    const TemporaryFolder folder;
    const std::string path = folder.file(
        "bad.mof", "[Guid(\"{11111111-2222-3333-4444-555555555555}\")]\nclass A {\n  ;");
    Catalog catalog = open(only({path}));
    EXPECT_EQ(symbols(catalog, one), "");
    ASSERT_EQ(catalog.remarks().size(), 1U);
    EXPECT_TRUE(catalog.remarks().front().rejected);
    EXPECT_EQ(catalog.remarks().front().line, 3U);
    EXPECT_EQ(catalog.remarks().front().column, 3U);
}

TEST(Catalog, DescendsIntoFoldersByName) {
    const TemporaryFolder folder;
    folder.file("sub/deep/b.xml", manifest(one, "b"));
    folder.file("a.man", manifest(one, "a"));
    folder.file("notes.txt", "no manifest");
    folder.file("picture.png", "\x89PNG");
    folder.file("empty.man", "");
    Catalog catalog = open(only({folder.path()}));
    EXPECT_EQ(catalog.files(), 2U);
    EXPECT_EQ(symbols(catalog, one), "a b ");
    EXPECT_THAT(catalog.remarks(), IsEmpty()) << "other files may lie in a folder";
}

TEST(Catalog, ReadsArchivesByTheirContent) {
    const TemporaryFolder folder;
    const std::vector<test::PackedMember> members{{"x/one.man", manifest(one, "one")},
                                                  {"readme.txt", "no manifest"},
                                                  {"two.man", manifest(two, "two")},
                                                  {"again.xml", manifest(one, "again")}};
    const ByteVector tar = test::pack("ustar", members);
    const std::string zip = folder.file("zip.bin", text_of(test::pack("zip", members)));
    const std::string packed_tar =
        folder.file("tar.bin", text_of(test::compress("zstd", text_of(tar))));
    for (const std::string& path : {zip, packed_tar}) {
        Catalog catalog = open(only({path}));
        EXPECT_EQ(catalog.files(), 3U) << path;
        EXPECT_EQ(symbols(catalog, one), "one again ") << path;
        EXPECT_EQ(symbols(catalog, two), "two ") << path;
        EXPECT_THAT(catalog.remarks(), IsEmpty());
    }
}

TEST(Catalog, ReadsASinglePackedManifest) {
    const TemporaryFolder folder;
    const std::string path =
        folder.file("one.man.gz", text_of(test::compress("gzip", manifest(one, "packed"))));
    Catalog catalog = open(only({path}));
    EXPECT_EQ(symbols(catalog, one), "packed ");
}

TEST(Catalog, MembersOfOneNameAreBothKept) {
    const TemporaryFolder folder;
    const std::string path = folder.file(
        "twice.tar", text_of(test::pack("ustar", {{"a.man", manifest(one, "first")},
                                                  {"a.man", manifest(one, "second")}})));
    Catalog catalog = open(only({path}));
    EXPECT_EQ(symbols(catalog, one), "first second ");
}

TEST(Catalog, TakesAFileOnceHoweverItIsReached) {
    const TemporaryFolder folder;
    const std::string file = folder.file("sub/a.man", manifest(one, "a"));
    folder.file("z.tar", text_of(test::pack("ustar", {{"b.man", manifest(one, "b")}})));
    std::filesystem::create_symlink(file, folder.path("link.man"));
    Catalog catalog = open(
        only({file, file, folder.path("sub/../sub/a.man"), folder.path(), folder.path("z.tar")}));
    EXPECT_EQ(symbols(catalog, one), "a b ");
}

TEST(Catalog, AcceptsPatterns) {
    const TemporaryFolder folder;
    folder.file("a1.man", manifest(one, "a1"));
    folder.file("a2.man", manifest(one, "a2"));
    folder.file("b.man", manifest(one, "b"));
    Catalog catalog = open(only({folder.path("a*.man")}));
    EXPECT_EQ(symbols(catalog, one), "a1 a2 ");
}

ErrorCode error_of(const std::string& path) {
    const auto catalog = Catalog::open(only({path}));
    if (catalog) {
        return ErrorCode::none;
    }
    EXPECT_EQ(catalog.error().path, path);
    return catalog.error().error.code;
}

TEST(Catalog, RejectsPathsOfNoUse) {
    const TemporaryFolder folder;
    EXPECT_EQ(error_of(folder.path("gone.man")), ErrorCode::not_found);
    EXPECT_EQ(error_of(folder.file("text.man", "no manifest")), ErrorCode::unsupported);
    EXPECT_EQ(error_of(folder.file("doc.xml", "<doc/>")), ErrorCode::unsupported);
    EXPECT_EQ(error_of(folder.file("e.zip", text_of(test::pack("zip", {{"a.txt", "x"}})))),
              ErrorCode::malformed);
    EXPECT_EQ(error_of(folder.path()), ErrorCode::none) << "a folder may hold nothing for us";
}

TEST(Catalog, RemarksOnWhatItCannotParse) {
    const TemporaryFolder folder;
    std::string broken = manifest(one, "broken");
    broken.replace(broken.find("</provider>"), 11, "\n</other>");
    folder.file("broken.man", broken);
    folder.file("good.man", manifest(one, "good"));
    Catalog catalog = open(only({folder.path()}));
    EXPECT_EQ(symbols(catalog, one), "good ");
    ASSERT_EQ(catalog.remarks().size(), 1U);
    const Remark& remark = catalog.remarks().front();
    EXPECT_EQ(remark.file, folder.path("broken.man"));
    EXPECT_EQ(remark.line, 2U);
    EXPECT_TRUE(remark.rejected);
    EXPECT_THAT(remark.text, HasSubstr("not well-formed"));
}

TEST(Catalog, PassesOnWhatTheParserRemarks) {
    const TemporaryFolder folder;
    const std::string path = folder.file(
        "n.zip", text_of(test::pack("zip", {{"in/n.man", manifest(one, "a \"quoted\" name")}})));
    Catalog catalog = open(only({path}));
    EXPECT_EQ(symbols(catalog, one), "a \"quoted\" name ");
    ASSERT_EQ(catalog.remarks().size(), 1U);
    EXPECT_EQ(catalog.remarks().front().file, path + ":in/n.man");
    EXPECT_FALSE(catalog.remarks().front().rejected);
}

TEST(Catalog, RemarksOnFilesThatAreGoneWhenTheyAreWanted) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.man", manifest(one, "a"));
    const std::string tar =
        folder.file("b.tar", text_of(test::pack("ustar", {{"b.man", manifest(one, "b")}})));
    Catalog catalog = open(only({file, tar}));
    std::filesystem::remove(file);
    folder.file("b.tar", text_of(test::pack("ustar", {})));
    EXPECT_EQ(symbols(catalog, one), "");
    ASSERT_EQ(catalog.remarks().size(), 2U);
    EXPECT_EQ(catalog.remarks()[0].file, file);
    EXPECT_EQ(catalog.remarks()[1].file, tar);
}

TEST(Catalog, KeepsWhatStandsBeforeTheDamageOfAnArchive) {
    const TemporaryFolder folder;
    const std::string noise = test::noise_text(200'000);
    const ByteVector tar = test::pack(
        "ustar", {{"a.man", manifest(one, "a")}, {"noise", noise}, {"b.man", manifest(one, "b")}});
    const std::string path = folder.file(
        "cut.tar.gz", text_of(test::first(test::compress("gzip", text_of(tar)), 100'000)));
    Catalog catalog = open(only({path}));
    EXPECT_EQ(catalog.files(), 1U);
    EXPECT_EQ(symbols(catalog, one), "a ");
    ASSERT_FALSE(catalog.remarks().empty());
    EXPECT_EQ(catalog.remarks().front().file, path);
}

TEST(Catalog, SearchesTheEnvironmentBehindThePaths) {
    const TemporaryFolder folder;
    const std::string named = folder.file("named.man", manifest(one, "named"));
    folder.file("list/a.man", manifest(one, "a"));
    const std::string b = folder.file("b.man", manifest(one, "b"));
    folder.file("config/etl/schemas/own.man", manifest(one, "own"));
    const Environment list("ETL_SCHEMA_PATH",
                           folder.path("list") + "::" + folder.path("gone") + ":" + b);
    const Environment config("XDG_CONFIG_HOME", folder.path("config"));
    Catalog catalog = open({.paths = {named}});
    EXPECT_EQ(symbols(catalog, one), "named a b own ");
    ASSERT_EQ(catalog.remarks().size(), 1U) << "a path that is gone is no error there";
    EXPECT_EQ(catalog.remarks().front().file, folder.path("gone"));
}

TEST(Catalog, IsEmptyWithoutAnyPath) {
    Catalog catalog = open(only({}));
    EXPECT_EQ(catalog.files(), 0U);
    EXPECT_EQ(symbols(catalog, one), "");
}

TEST(Cache, TellsProvidersByTheNamesOfItsMembers) {
    schema::ProviderNames names;
    names.guid = one;
    names.name = "Odd/\xC3\xA4 name";
    const std::string member = cache_member_name(names);
    EXPECT_EQ(member, "etl-schema-cache/Odd____name.11111111-2222-3333-4444-555555555555.man");
    EXPECT_EQ(provider_of_cache_member(member), one);
    EXPECT_FALSE(provider_of_cache_member("Odd.11111111-2222-3333-4444-555555555555.man"));
    EXPECT_FALSE(provider_of_cache_member("etl-schema-cache/.man"));
    EXPECT_FALSE(provider_of_cache_member("etl-schema-cache/x.11111111-2222.man"));
    names.name.clear();
    EXPECT_EQ(provider_of_cache_member(cache_member_name(names)), one);
}

TEST(Cache, IsOpenedWithoutALookAtItsManifests) {
    const TemporaryFolder folder;
    schema::ProviderNames first;
    first.guid = one;
    schema::ProviderNames second;
    second.guid = two;
    const std::string path = folder.file(
        "cache.zip", text_of(test::pack("zip", {{cache_member_name(first), "no manifest at all"},
                                                {cache_member_name(second), manifest(two, "B")},
                                                {"other.man", manifest(two, "C")}})));
    Catalog catalog = open(only({path}));
    EXPECT_EQ(catalog.files(), 3U);
    schema::SchemaStore store;
    catalog.load({two}, store);
    EXPECT_THAT(catalog.remarks(), IsEmpty());
    ASSERT_EQ(store.schemas().size(), 2U);
    EXPECT_EQ(store.schemas()[0]->symbol, "B");
    catalog.load_all(store);
    ASSERT_EQ(catalog.remarks().size(), 1U) << "now it is looked at";
    EXPECT_TRUE(catalog.remarks().front().rejected);
}

} // namespace
} // namespace etl::catalog::catalog_test
