// Real manifests, where they are at hand: they are not ours and not part of the project.
#include "tests/support/manifest_archive.hpp"
#include "tests/unit/meaning/schema/manifest/manifest_in.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace etl::schema::manifest_corpus_test {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ManifestCorpus, ReadsTheManifestOfARealProvider) {
    const fs::path path = fs::path(ETL_SHARED_CORPUS) / "tx" / "HTTP_Server.man";
    if (!fs::exists(path)) {
        GTEST_SKIP() << "no " << path;
    }
    const std::string text = read(path);
    const SchemaSet manifest = parse_text(text);
    EXPECT_EQ(manifest.events.size(), 85U);
    EXPECT_TRUE(manifest.notes.empty());
    ASSERT_EQ(manifest.providers.size(), 1U);
    EXPECT_EQ(scan_manifest_providers(as_bytes_of(text)),
              std::vector<Guid>{manifest.providers.front()->guid});
    for (const auto& event : manifest.events) {
        EXPECT_FALSE(event->event_name.empty()) << event->id;
        EXPECT_FALSE(event->message.empty()) << event->id;
    }
}

// Counts by an independent reader of the same files.
TEST(ManifestCorpus, ReadsEveryManifestOfAWindows) {
    const auto archive = test::manifest_archive("win10-18990");
    if (!fs::exists(archive)) {
        GTEST_SKIP() << "no " << archive;
    }
    std::size_t events = 0;
    std::size_t fields = 0;
    std::size_t stopping = 0;
    std::map<std::string, std::size_t> notes; // of files that had to be repaired
    const auto count = [&](const std::string& file, const std::string& text) {
        const SchemaSet manifest = parse_text(text);
        EXPECT_EQ(scan_manifest_providers(as_bytes_of(text)).size(), manifest.providers.size());
        events += manifest.events.size();
        for (const auto& event : manifest.events) {
            fields += event->fields.size();
            stopping += static_cast<std::size_t>(
                std::ranges::count_if(event->fields, [](const Field& field) {
                    return field.count.kind == Extent::Kind::unknown ||
                           field.length.kind == Extent::Kind::unknown;
                }));
        }
        for (const FileNote& note : manifest.notes) {
            if (note.text.find("repaired") != std::string::npos) {
                ++notes[file];
            }
            EXPECT_GT(note.line, 1U);
        }
    };
    EXPECT_EQ(test::for_each_manifest(archive, count), 607U);
    EXPECT_EQ(events, 38929U);
    EXPECT_EQ(fields, 103945U);
    EXPECT_EQ(notes.size(), 4U) << "files that are not well-formed";
    EXPECT_GT(stopping, 0U);
}

} // namespace
} // namespace etl::schema::manifest_corpus_test
