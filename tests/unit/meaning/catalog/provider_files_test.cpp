// The files of schemas/providers: the generator wrote them, they survive our manifest writer, and
// they have every layout of the sources that are at hand.
#include "authoring/compact_writer.hpp"
#include "authoring/compare.hpp"
#include "authoring/manifest_writer.hpp"
#include "authoring/merge.hpp"
#include "authoring/provider_events.hpp"
#include "catalog/catalog.hpp"
#include "schema/compact.hpp"
#include "schema/manifest.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace etl::catalog::provider_files_test {
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
         fs::directory_iterator(fs::path(ETL_SOURCE_DIR) / "schemas" / "providers")) {
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
    const fs::path file =
        fs::path(ETL_SOURCE_DIR) / "schemas" / "providers" / "Microsoft-Windows-Kernel-Network.txt";
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
        // Maps of one name differ between builds; a manifest has to name them apart.
        for (const std::string& note : written->notes) {
            EXPECT_TRUE(note.starts_with("map `")) << name << ": " << note;
        }
        for (const authoring::Difference& difference : authoring::compare(set, *again)) {
            EXPECT_TRUE(!written->notes.empty() && difference.property == "type" &&
                        difference.after.starts_with(difference.before + "."))
                << name << " " << difference.id << ": " << difference.after;
        }
    }
}

TEST(ProviderFiles, HaveEveryLayoutOfTheirSources) {
    const fs::path folder = fs::path(ETL_SHARED_CORPUS) / "manifests";
    if (!fs::exists(folder)) {
        GTEST_SKIP() << "no " << folder;
    }
    std::map<Guid, std::vector<SchemaSet>> sources;
    auto catalog =
        Catalog::open({.paths = {folder.string()}, .environment = false, .built_in = false});
    ASSERT_TRUE(catalog);
    catalog->load_all([&](const LoadedFile&, SchemaSet&& set) {
        for (const auto& provider : authoring::group_by_provider(authoring::facts_of(set))) {
            SchemaSet one;
            one.events = provider.events;
            sources[provider.names.guid].push_back(std::move(one));
        }
    });
    std::size_t compared = 0;
    for (const auto& [name, text] : provider_files()) {
        const SchemaSet set = parsed(text);
        std::vector<SchemaSet> all = {set};
        for (SchemaSet& source : sources[set.providers.at(0)->guid]) {
            all.push_back(std::move(source));
            ++compared;
        }
        const auto merged = authoring::write_compact(authoring::merge(all));
        EXPECT_TRUE(merged && merged->text == text) << name << ": a source adds to it";
    }
    EXPECT_GT(compared, 500U);
}

} // namespace
} // namespace etl::catalog::provider_files_test
