// The known anomalies of manifests that were dumped from a live Windows: validation finds as many
// of each sort as an independent reader counted (docs/schemas.md#validate).
#include "authoring/validate.hpp"
#include "tests/support/manifest_archive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace etl::schema {
namespace {

constexpr std::string_view not_well_formed = "not well-formed";

/// Findings by a piece of their text.
class Census {
public:
    explicit Census(std::vector<std::string> sorts) : sorts_(std::move(sorts)) {}

    void add(const authoring::Validation& result) {
        ++files_;
        if (std::ranges::any_of(result.findings, [](const authoring::ManifestFinding& finding) {
                return finding.text.starts_with(not_well_formed);
            })) {
            ++repaired_; // the independent reader leaves these out
            return;
        }
        for (const authoring::ManifestFinding& finding : result.findings) {
            const auto sort = std::ranges::find_if(sorts_, [&](const std::string& text) {
                return finding.text.find(text) != std::string::npos;
            });
            ++counts_[sort == sorts_.end() ? finding.text : *sort];
        }
    }

    std::size_t files() const noexcept { return files_; }

    std::size_t repaired() const noexcept { return repaired_; }

    const std::map<std::string, std::size_t>& counts() const noexcept { return counts_; }

private:
    std::vector<std::string> sorts_;
    std::map<std::string, std::size_t> counts_;
    std::size_t files_ = 0;
    std::size_t repaired_ = 0;
};

TEST(ManifestCensus, AgreesWithAnIndependentCountOfAnomalies) {
    const auto archive = test::manifest_archive("win10-18990");
    if (!std::filesystem::exists(archive)) {
        GTEST_SKIP() << "no " << archive;
    }
    const std::map<std::string, std::size_t> expected{
        {"text in task", 846},
        {"reserved for no task", 368},
        {"has no length", 160},
        {"is defined twice with the same text", 76},
        {"unknown in type", 54},
        {"field name", 23},
        {"similar: `", 17},
        {"in a bitMap is not a single bit", 7},
        {"a SID contains its length", 7},
        {"of opcode", 7},
        {"is defined twice", 6},
        {"task `", 65},
        {"opcode `", 38},
        {"is not a C identifier", 1315},
    };
    // The more special before what it contains.
    Census census({"text in task", "reserved for no task", "has no length",
                   "is defined twice with the same text", "unknown in type", "field name",
                   "similar: `", "in a bitMap is not a single bit", "a SID contains its length",
                   "of opcode", "is defined twice", "is not a C identifier", "task `", "opcode `"});
    test::for_each_manifest(archive, [&](const std::string&, const std::string& text) {
        census.add(authoring::validate_manifest(std::as_bytes(std::span(text))));
    });
    EXPECT_EQ(census.files(), 607U);
    EXPECT_EQ(census.repaired(), 4U);
    EXPECT_EQ(census.counts(), expected);
}

} // namespace
} // namespace etl::schema
