// The files of schemas/additions, and the list of providers that have to be described.
#include "authoring/compact_writer.hpp"
#include "authoring/compare.hpp"
#include "authoring/merge.hpp"
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "schema/compact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace etl::catalog::additions_test {
namespace {

namespace fs = std::filesystem;

using schema::SchemaSet;

const fs::path schemas_directory = fs::path(ETL_SOURCE_DIR) / "schemas";

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
        EXPECT_TRUE(merged && merged->text == built_in) << path;
    }
}

// An addition has only events, versions, and layouts that the manifests lack.
TEST(Additions, ChangeNothingThatManifestsSay) {
    const fs::path folder = fs::path(ETL_SHARED_CORPUS) / "manifests";
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
} // namespace etl::catalog::additions_test
