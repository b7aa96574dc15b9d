#include "catalog/catalog.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace etl::catalog::related_files_test {
namespace {

using namespace etl::literals;
using test::TemporaryFolder;

constexpr Guid one = "11111111-2222-3333-4444-555555555555"_guid;
constexpr Guid two = "22222222-2222-3333-4444-555555555555"_guid;
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
    const std::string second_of_two = folder.file("a.man", manifest({{two, "A"}}));
    const std::string both = folder.file("b.man", manifest({{one, "B1"}, {two, "B2"}}));
    const std::string other = folder.file("c.man", manifest({{three, "C"}}));
    Catalog catalog = must_open({second_of_two, both, other});
    schema::SchemaStore store;
    catalog.load_related(one, store);
    EXPECT_EQ(store.size(), 3U) << "those of one and two, not of three";
    catalog.load_related(two, store);
    EXPECT_EQ(store.size(), 3U) << "they are there already";
    store.freeze();
    const auto candidates = store.find({two, 1, 0}).candidates;
    ASSERT_EQ(candidates.size(), 2U);
    EXPECT_EQ(candidates[0]->symbol, "A") << "in the order of the paths";
    EXPECT_EQ(candidates[1]->symbol, "B2");
}

} // namespace
} // namespace etl::catalog::related_files_test
