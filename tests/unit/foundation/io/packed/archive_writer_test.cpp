#include "base/text.hpp"
#include "io/archive_writer.hpp"
#include "io/unpack.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace etl::io::archive_writer_test {
namespace {

using test::PackedMember;
using test::TemporaryFolder;

void write(const std::string& path, const std::vector<PackedMember>& members) {
    auto archive = ArchiveWriter::create(path);
    ASSERT_TRUE(archive);
    for (const PackedMember& member : members) {
        ASSERT_TRUE((*archive)->add(member.name, std::as_bytes(std::span(member.content))));
    }
    ASSERT_TRUE((*archive)->commit());
}

std::string content_of(const std::string& path) {
    const auto file = InputFile::map(path);
    return file ? std::string(as_text((*file)->bytes())) : "nothing";
}

TEST(ArchiveWriter, WritesWhatIsReadAgain) {
    const TemporaryFolder folder;
    const std::vector<PackedMember> members{{"a/b.man", std::string(100'000, 'x')},
                                            {"empty", ""},
                                            {"\xC3\xA4.man", test::noise_text(5000)}};
    write(folder.path("x.zip"), members);
    const auto file = InputFile::map(folder.path("x.zip"));
    ASSERT_TRUE(file);
    std::vector<PackedMember> read;
    const auto shown =
        for_each_member(**file, 1U << 20U, [&](std::string_view name, Bytes content) {
            read.push_back({std::string(name), std::string(as_text(content))});
            return true;
        });
    EXPECT_TRUE(shown);
    ASSERT_EQ(read.size(), members.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        EXPECT_EQ(read[i].name, members[i].name);
        EXPECT_EQ(read[i].content, members[i].content);
    }
}

TEST(ArchiveWriter, GivesTheSameBytesAtAnyTimeInAnyZone) {
    const TemporaryFolder folder;
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    write(folder.path("a.zip"), {{"one", "1"}, {"two", "2"}});
    ::setenv("TZ", "Asia/Tokyo", 1);
    ::tzset();
    write(folder.path("b.zip"), {{"one", "1"}, {"two", "2"}});
    ::unsetenv("TZ");
    ::tzset();
    EXPECT_EQ(content_of(folder.path("a.zip")), content_of(folder.path("b.zip")));
}

TEST(ArchiveWriter, LeavesNothingBehindWithoutCommit) {
    const TemporaryFolder folder;
    {
        auto archive = ArchiveWriter::create(folder.path("x.zip"));
        ASSERT_TRUE(archive);
        ASSERT_TRUE((*archive)->add("a", {}));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_FALSE(ArchiveWriter::create(folder.path("no/x.zip")));
}

TEST(ForEachMember, UnpacksOnlyWhatIsWanted) {
    const auto packed =
        test::as_input(test::pack("zip", {{"a", "first"}, {"b", "second"}, {"c", "third"}}));
    std::string asked;
    std::string shown;
    const auto done = for_each_member(
        *packed, 100,
        [&](std::string_view name) {
            asked += name;
            return name == "b";
        },
        [&](std::string_view, Bytes content) {
            shown += as_text(content);
            return true;
        });
    EXPECT_TRUE(done);
    EXPECT_EQ(asked, "abc");
    EXPECT_EQ(shown, "second");
}

TEST(ForEachMember, DoesNotMindDamageInWhatIsNotWanted) {
    const auto packed = test::as_input(
        test::stored_zip({{.name = "broken", .content = "first", .spoil_checksum = 1},
                          {.name = "b", .content = "second"}}));
    std::string shown;
    EXPECT_TRUE(for_each_member(
        *packed, 100, [](std::string_view name) { return name == "b"; },
        [&](std::string_view, Bytes content) {
            shown += as_text(content);
            return true;
        }));
    EXPECT_EQ(shown, "second");
}

} // namespace
} // namespace etl::io::archive_writer_test
