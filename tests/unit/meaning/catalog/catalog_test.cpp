#include "authoring/compact_writer.hpp"
#include "authoring/compare.hpp"
#include "authoring/manifest_writer.hpp"
#include "authoring/merge.hpp"
#include "authoring/provider_events.hpp"
#include "base/text.hpp"
#include "catalog/cache.hpp"
#include "catalog/catalog.hpp"
#include "schema/compact.hpp"
#include "schema/manifest.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/images/pdb_builder.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

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

// The files of schemas/additions, and the list of providers that have to be described.

namespace {

namespace fs = std::filesystem;

using schema::SchemaSet;

const fs::path schemas_directory = fs::path(test::source_dir()) / "schemas";

std::string text_at(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

SchemaSet compact_at(const fs::path& path) {
    const std::string text = text_at(path);
    auto set = schema::parse_compact(std::as_bytes(std::span(text)));
    if (!set) {
        ADD_FAILURE() << path << ":" << set.error().line << ": " << set.error().reason;
        return {};
    }
    return std::move(*set);
}

std::vector<fs::path> additions() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(schemas_directory / "additions")) {
        paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    return paths;
}

fs::path provider_file_of(const fs::path& addition) {
    return schemas_directory / "providers" / addition.filename();
}

/// The lines of a list, without comments.
std::vector<std::string> lines_of(const fs::path& path) {
    std::vector<std::string> lines;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line[0] != '#') {
            lines.push_back(line);
        }
    }
    return lines;
}

TEST(Additions, NameTheirSource) {
    EXPECT_GE(additions().size(), 6U);
    for (const fs::path& path : additions()) {
        const std::string text = text_at(path);
        EXPECT_TRUE(text.starts_with("# ")) << path;
        EXPECT_NE(text.substr(0, text.find("\nprovider ")).find("Source: "), std::string::npos)
            << path;
        EXPECT_EQ(compact_at(path).providers.size(), 1U) << path;
    }
}

// The generator wrote the files of providers with the additions as its last source.
TEST(Additions, AreInTheFilesOfProviders) {
    for (const fs::path& path : additions()) {
        const std::string built_in = text_at(provider_file_of(path));
        const std::vector<SchemaSet> sets = {compact_at(provider_file_of(path)),
                                             authoring::facts_of(compact_at(path))};
        const auto merged = authoring::write_compact(authoring::facts_of(authoring::merge(sets)));
        ASSERT_TRUE(merged) << path;
        const auto [ours, theirs] = std::ranges::mismatch(merged->text, built_in);
        const auto at = static_cast<std::size_t>(ours - merged->text.begin());
        EXPECT_TRUE(ours == merged->text.end() && theirs == built_in.end())
            << path << ": `" << merged->text.substr(at, 100) << "` in place of `"
            << built_in.substr(std::min(at, built_in.size()), 100) << "`";
    }
}

// An addition has only events, versions, and layouts that the manifests lack.
TEST(Additions, ChangeNothingThatManifestsSay) {
    const fs::path folder = fs::path(test::shared_corpus()) / "manifests";
    if (!fs::exists(folder)) {
        GTEST_SKIP() << "no " << folder;
    }
    std::set<Guid> wanted;
    std::vector<SchemaSet> sets;
    for (const fs::path& path : additions()) {
        wanted.insert(compact_at(path).providers.at(0)->guid);
    }
    for (const char* source : {"apps", "win10-18990", "win10-17134", "win10-10240", "win7-7600"}) {
        auto catalog = Catalog::open({.paths = {(folder / source).string() + ".tar.zst"},
                                      .environment = false,
                                      .built_in = false});
        ASSERT_TRUE(catalog) << source;
        catalog->load_all([&](const LoadedFile&, SchemaSet&& set) {
            const auto other = [&](const auto& event) {
                return !wanted.contains(event->provider->guid);
            };
            std::erase_if(set.events, other);
            if (!set.events.empty()) {
                sets.push_back(authoring::facts_of(set));
            }
        });
    }
    const SchemaSet before = authoring::facts_of(authoring::merge(sets));
    for (const fs::path& path : additions()) {
        sets.push_back(authoring::facts_of(compact_at(path)));
    }
    const SchemaSet after = authoring::facts_of(authoring::merge(sets));
    std::size_t added = 0;
    for (const authoring::Difference& difference : authoring::compare(before, after)) {
        EXPECT_TRUE(difference.kind == authoring::Difference::Kind::added ||
                    difference.thing == authoring::Difference::Thing::provider)
            << difference.provider_name << " " << difference.id << " " << difference.property
            << ": " << difference.before << " -> " << difference.after;
        added += difference.kind == authoring::Difference::Kind::added ? 1 : 0;
    }
    EXPECT_GT(added, 50U);
}

TEST(RequiredProviders, AreBuiltInOrKnownToBeMissing) {
    std::vector<std::string> built_in;
    for (const auto& entry : fs::directory_iterator(schemas_directory / "providers")) {
        if (entry.path().extension() == ".txt") {
            built_in.push_back(entry.path().stem().string());
        }
    }
    const std::string readme = text_at(schemas_directory / "README.md");
    const auto required = lines_of(schemas_directory / "REQUIRED");
    EXPECT_GE(required.size(), 65U);
    std::size_t missing = 0;
    for (const std::string& name : required) {
        const bool found = std::ranges::any_of(
            built_in, [&](const std::string& file) { return matches_glob(name, file); });
        const bool listed = readme.contains("\n| " + name + " |");
        EXPECT_NE(found, listed) << name;
        missing += listed ? 1 : 0;
    }
    EXPECT_LE(missing, 2U);
}

} // namespace

// The files of schemas/providers: the generator wrote them, they survive our manifest writer, and
// they have every layout of the sources that are at hand.

namespace {

namespace fs = std::filesystem;

using namespace etl::literals;
using schema::SchemaSet;

Bytes provider_bytes(const std::string& text) {
    return std::as_bytes(std::span(text));
}

/// By file name.
std::map<std::string, std::string> provider_files() {
    std::map<std::string, std::string> files;
    for (const auto& entry :
         fs::directory_iterator(fs::path(test::source_dir()) / "schemas" / "providers")) {
        if (entry.path().extension() == ".txt") {
            std::ifstream in(entry.path(), std::ios::binary);
            files[entry.path().filename().string()] =
                std::string(std::istreambuf_iterator<char>(in), {});
        }
    }
    return files;
}

SchemaSet parsed(const std::string& text) {
    auto set = schema::parse_compact(provider_bytes(text));
    if (!set) {
        ADD_FAILURE() << set.error().line << ":" << set.error().column << ": "
                      << set.error().reason;
        return {};
    }
    return std::move(*set);
}

TEST(ProviderFiles, AreAsTheWriterWritesThem) {
    const auto files = provider_files();
    EXPECT_GT(files.size(), 100U);
    for (const auto& [name, text] : files) {
        const auto written = authoring::write_compact(authoring::facts_of(parsed(text)));
        ASSERT_TRUE(written && written->text == text) << name;
    }
}

TEST(ProviderFiles, AreSchemaFiles) {
    const fs::path file = fs::path(test::source_dir()) / "schemas" / "providers" /
                          "Microsoft-Windows-Kernel-Network.txt";
    auto catalog =
        Catalog::open({.paths = {file.string()}, .environment = false, .built_in = false});
    ASSERT_TRUE(catalog);
    schema::SchemaStore store;
    catalog->load_all(store);
    store.freeze();
    constexpr Guid kernel_network = "7dd42a49-5329-4832-8dfd-43d979153a88"_guid;
    const auto match = store.find({kernel_network, 10, 0});
    ASSERT_FALSE(match.candidates.empty());
    EXPECT_EQ(match.candidates[0]->fields.at(2).out_type, schema::OutType::ipv4);
    EXPECT_TRUE(catalog->remarks().empty());
}

TEST(ProviderFiles, AreManifestsToo) {
    for (const auto& [name, text] : provider_files()) {
        const SchemaSet set = parsed(text);
        const auto written = authoring::write_manifest(set);
        ASSERT_TRUE(written) << name;
        const auto again = schema::parse_manifest(provider_bytes(written->text));
        ASSERT_TRUE(again) << name;
        // Maps of one name differ between builds; a manifest has to name them apart. It has neither
        // builds nor names without numbers.
        for (const std::string& note : written->notes) {
            EXPECT_TRUE(note.starts_with("map `") || note.contains("the builds of Windows") ||
                        note.ends_with("its name becomes its symbol") ||
                        note.contains("the name `"))
                << name << ": " << note;
        }
        std::set<unsigned> unnumbered;
        for (const auto& event : set.events) {
            if (event->is_task_unknown || event->is_opcode_unknown) {
                unnumbered.insert(event->id);
            }
        }
        for (const authoring::Difference& difference : authoring::compare(set, *again)) {
            const bool is_name = difference.property == "task" || difference.property == "opcode" ||
                                 difference.property == "symbol" || difference.property == "name";
            EXPECT_TRUE((unnumbered.contains(difference.id) && is_name) ||
                        (difference.property == "type" &&
                         difference.after.starts_with(difference.before + ".")))
                << name << " " << difference.id << ": " << difference.property << " "
                << difference.after;
        }
    }
}

using test::TemporaryFolder;

constexpr Guid second = "22222222-2222-3333-4444-555555555555"_guid;
constexpr Guid three = "33333333-2222-3333-4444-555555555555"_guid;

/// A manifest of providers with event 1 each, whose symbol tells the file.
std::string manifest(const std::vector<std::pair<Guid, std::string>>& providers) {
    std::string text = "<instrumentationManifest><instrumentation><events>";
    for (const auto& [guid, symbol] : providers) {
        text += "<provider name=\"P\" guid=\"{" + to_string(guid) +
                "}\"><events><event value=\"1\" symbol=\"" + symbol + "\"/></events></provider>";
    }
    return text + "</events></instrumentation></instrumentationManifest>";
}

/// Nothing of the machine's own configuration.
Catalog must_open(std::vector<std::string> paths) {
    auto catalog =
        Catalog::open({.paths = std::move(paths), .environment = false, .built_in = false});
    return catalog ? std::move(*catalog) : throw std::logic_error("cannot be opened");
}

TEST(Catalog, LoadsTheFilesOfAProviderWithThoseThatShareAnother) {
    const TemporaryFolder folder;
    const std::string second_of_two = folder.file("a.man", manifest({{second, "A"}}));
    const std::string both = folder.file("b.man", manifest({{one, "B1"}, {second, "B2"}}));
    const std::string other = folder.file("c.man", manifest({{three, "C"}}));
    Catalog catalog = must_open({second_of_two, both, other});
    schema::SchemaStore store;
    catalog.load_related(one, store);
    EXPECT_EQ(store.size(), 3U) << "those of one and second, not of three";
    catalog.load_related(second, store);
    EXPECT_EQ(store.size(), 3U) << "they are there already";
    store.freeze();
    const auto candidates = store.find({second, 1, 0}).candidates;
    ASSERT_EQ(candidates.size(), 2U);
    EXPECT_EQ(candidates[0]->symbol, "A") << "in the order of the paths";
    EXPECT_EQ(candidates[1]->symbol, "B2");
}

} // namespace

// TMFs and program databases among the schema files.

namespace {

using test::Environment;
using test::TemporaryFolder;
using testing::IsEmpty;

constexpr Guid pump_c = *parse_guid("7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f01");
constexpr Guid valve_cpp = *parse_guid("7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f02");

std::string sample(const std::string& ending) {
    return test::source_dir() + "/corpus/good/wpp-messages." + ending;
}

std::size_t found(Catalog& catalog, const Guid& guid) {
    schema::SchemaStore store;
    catalog.load({guid}, store);
    return store.size();
}

TEST(Catalog, LoadsTmfsAndProgramDatabases) {
    auto catalog = Catalog::open(
        {.paths = {sample("tmf"), sample("pdb")}, .environment = false, .built_in = false});
    ASSERT_TRUE(catalog);
    EXPECT_EQ(catalog->files(), 2U);
    EXPECT_EQ(found(*catalog, valve_cpp), 1U);
    EXPECT_EQ(found(*catalog, pump_c), 15U);
    ASSERT_EQ(catalog->remarks().size(), 1U) << "on the item that nobody knows";
    EXPECT_FALSE(catalog->remarks()[0].rejected);
    EXPECT_GT(catalog->remarks()[0].line, 100U);
}

TEST(Catalog, FindsTmfsInFoldersAmongOtherFiles) {
    auto catalog = Catalog::open(
        {.paths = {test::source_dir() + "/corpus/good"}, .environment = false, .built_in = false});
    ASSERT_TRUE(catalog);
    EXPECT_EQ(found(*catalog, pump_c), 15U);
}

TEST(Catalog, SearchesWhereWindowsLooksForTmfs) {
    const Environment path("TRACE_FORMAT_SEARCH_PATH", sample("tmf"));
    auto catalog = Catalog::open({.paths = {}, .built_in = false});
    ASSERT_TRUE(catalog);
    EXPECT_EQ(found(*catalog, pump_c), 15U);
}

TEST(Catalog, RejectsProgramDatabasesWithoutMessages) {
    const TemporaryFolder folder;
    const auto bytes = test::PdbBuilder().annotation({"Debug", "x"}).build();
    const std::string file = folder.file("empty.pdb", std::string(as_text(bytes)));
    const auto catalog = Catalog::open({.paths = {file}, .environment = false, .built_in = false});
    ASSERT_FALSE(catalog);
    EXPECT_EQ(catalog.error().error.code, ErrorCode::unsupported);
}

} // namespace

// A real archive of manifests, where it is at hand: it is not ours and not part of the project.

namespace {

using namespace etl::literals;

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

TEST(CatalogCorpus, FindsTwoProvidersAmongHundredsOfManifests) {
    const std::filesystem::path archive =
        std::filesystem::path(test::shared_corpus()) / "manifests" / "win10-18990.tar.zst";
    if (!std::filesystem::exists(archive)) {
        GTEST_SKIP() << "no " << archive;
    }
    auto start = std::chrono::steady_clock::now();
    auto catalog =
        Catalog::open({.paths = {archive.string()}, .environment = false, .built_in = false});
    ASSERT_TRUE(catalog) << describe(catalog.error().error);
    RecordProperty("open_ms", std::to_string(milliseconds_since(start)));
    EXPECT_EQ(catalog->files(), 607U);

    constexpr Guid kernel_process = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"_guid;
    constexpr Guid http_service = "dd5ef90a-6398-47a4-ad34-4dcecdef795f"_guid;
    start = std::chrono::steady_clock::now();
    schema::SchemaStore store;
    catalog->load({kernel_process, http_service}, store);
    store.freeze();
    RecordProperty("load_ms", std::to_string(milliseconds_since(start)));
    EXPECT_FALSE(store.find({kernel_process, 1, 3}).candidates.empty());
    EXPECT_FALSE(store.find({http_service, 1, 0}).candidates.empty());
    EXPECT_TRUE(catalog->remarks().empty());

    schema::SchemaStore all;
    catalog->load_all(all);
    EXPECT_EQ(store.size() + all.size(), 38929U);
    std::size_t repaired = 0;
    for (const Remark& remark : catalog->remarks()) {
        EXPECT_FALSE(remark.rejected) << remark.file << ": " << remark.text;
        repaired += remark.text.find("repaired") != std::string::npos ? 1U : 0U;
    }
    EXPECT_GT(repaired, 0U);
}

} // namespace

} // namespace etl::catalog::catalog_test
