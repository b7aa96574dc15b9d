// What is embedded are the files of schemas/kernel and schemas/providers, found by their providers.
#include "catalog/built_in.hpp"
#include "catalog/built_in_data.hpp"
#include "catalog/catalog.hpp"
#include "catalog/schema_file.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace etl::catalog::built_in_test {
namespace {

namespace fs = std::filesystem;

using namespace etl::literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Guid process_class = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid;
constexpr Guid kernel_process = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"_guid;
constexpr Guid nobody = "11111111-2222-3333-4444-555555555555"_guid;

/// By name.
std::map<std::string, std::string> files_on_disk() {
    std::map<std::string, std::string> files;
    const fs::path schemas = fs::path(ETL_SOURCE_DIR) / "schemas";
    for (const auto& [folder, extension] :
         {std::pair("kernel", ".mof"), std::pair("providers", ".txt")}) {
        for (const auto& entry : fs::directory_iterator(schemas / folder)) {
            if (entry.path().extension() == extension) {
                std::ifstream file(entry.path(), std::ios::binary);
                files[entry.path().filename().string()] =
                    std::string(std::istreambuf_iterator<char>(file), {});
            }
        }
    }
    return files;
}

std::vector<std::string> taken(BuiltIn& built_in, const std::unordered_set<Guid>& providers) {
    std::vector<std::string> names;
    built_in.take(providers,
                  [&](std::string_view name, std::string_view) { names.emplace_back(name); });
    return names;
}

TEST(BuiltIn, AreTheFilesByteByByte) {
    std::map<std::string, std::string> embedded;
    BuiltIn().take_all([&](std::string_view name, std::string_view text) {
        EXPECT_TRUE(embedded.emplace(name, text).second) << name;
    });
    EXPECT_EQ(embedded, files_on_disk());
}

TEST(BuiltIn, HaveAnIndexOfAllTheyDefine) {
    std::map<std::string, std::vector<Guid>> index;
    for (const BuiltInProvider& provider : built_in_providers()) {
        index[std::string(built_in_files()[provider.file].name)].push_back(provider.guid);
    }
    for (const auto& [name, text] : files_on_disk()) {
        const auto found = recognise(std::as_bytes(std::span(text)));
        ASSERT_TRUE(found) << name;
        EXPECT_THAT(index[name], ::testing::UnorderedElementsAreArray(found->providers)) << name;
    }
}

TEST(BuiltIn, AreTakenOnce) {
    BuiltIn built_in;
    EXPECT_THAT(taken(built_in, {nobody}), IsEmpty());
    EXPECT_THAT(taken(built_in, {kernel_process, process_class}),
                ElementsAre("process.mof", "Microsoft-Windows-Kernel-Process.txt"));
    EXPECT_THAT(taken(built_in, {kernel_process}), IsEmpty());
    std::size_t rest = 0;
    built_in.take_all([&](std::string_view, std::string_view) { ++rest; });
    EXPECT_EQ(rest, files_on_disk().size() - 2);
}

TEST(BuiltIn, ServeACatalogWithoutPaths) {
    auto catalog = Catalog::open({.environment = false});
    ASSERT_TRUE(catalog);
    EXPECT_EQ(catalog->files(), 0U);
    schema::SchemaStore store;
    catalog->load({kernel_process}, store);
    store.freeze();
    const auto match = store.find({kernel_process, 1, 3});
    ASSERT_EQ(match.candidates.size(), 1U);
    EXPECT_EQ(match.candidates.front()->event_name, "ProcessStart/Start");
    const schema::SchemaFile* const file = store.file_of(*match.candidates.front());
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(file->name, "Microsoft-Windows-Kernel-Process.txt");
    EXPECT_TRUE(file->built_in);
    EXPECT_TRUE(store.find({process_class, 1, 4}).candidates.empty()) << "nobody asked for it";
}

} // namespace
} // namespace etl::catalog::built_in_test
