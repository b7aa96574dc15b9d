#include "base/text.hpp"
#include "io/unpack.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::io::unpack_test {
namespace {

using test::ByteVector;
using testing::ElementsAre;
using testing::StartsWith;

bool everything(std::string_view, Bytes) {
    return true;
}

constexpr auto all = [](std::string_view name, Bytes head) { return everything(name, head); };

std::vector<std::string> names(const Unpacked& unpacked) {
    std::vector<std::string> result;
    for (const auto& member : unpacked.members) {
        result.push_back(member->name());
    }
    return result;
}

std::string text(const std::shared_ptr<const InputFile>& file) {
    return std::string(as_text(file->bytes()));
}

class EachStream : public testing::TestWithParam<const char*> {};

TEST_P(EachStream, GivesItsContentUnderTheNameOfTheFile) {
    const std::string content = "a trace" + test::noise_text(300'000) + std::string(300'000, 'x');
    const auto packed = test::as_input(test::compress(GetParam(), content), "dir/x.etl.gz");
    std::string asked;
    std::string head;
    const auto wanted = [&](std::string_view name, Bytes bytes) {
        asked = name;
        head = as_text(bytes);
        return true;
    };
    const auto unpacked = unpack(*packed, wanted);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 1U);
    EXPECT_TRUE(unpacked->lost.empty());
    EXPECT_EQ(unpacked->members[0]->name(), "dir/x.etl.gz");
    EXPECT_FALSE(unpacked->members[0]->damage());
    EXPECT_TRUE(text(unpacked->members[0]) == content);
    EXPECT_EQ(asked, "x.etl");
    EXPECT_EQ(head, content.substr(0, 4096));
}

TEST_P(EachStream, OpensTheTarInside) {
    const auto tar =
        test::pack("ustar", {{"a.etl", "first"}, {"dir/b.etl", ""}, {"c.txt", "third"}});
    const auto packed = test::as_input(test::compress(GetParam(), as_text(tar)), "x.tgz");
    const auto unpacked =
        unpack(*packed, [](std::string_view name, Bytes) { return name.ends_with(".etl"); });
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    EXPECT_THAT(names(*unpacked), ElementsAre("x.tgz:a.etl", "x.tgz:dir/b.etl"));
    EXPECT_EQ(text(unpacked->members[0]), "first");
    EXPECT_TRUE(unpacked->members[1]->bytes().empty());
}

TEST_P(EachStream, IsOpenedInsideOfAZip) {
    const auto inner = test::compress(GetParam(), "inside");
    const std::string name = "dir/x.etl.gz";
    const auto packed =
        test::as_input(test::pack("zip", {{name, std::string(as_text(inner))}}), "a.zip");
    std::string asked;
    const auto unpacked = unpack(*packed, [&](std::string_view inside, Bytes head) {
        asked = inside;
        return as_text(head) == "inside";
    });
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    EXPECT_EQ(asked, "dir/x.etl");
    EXPECT_THAT(names(*unpacked), ElementsAre("a.zip:dir/x.etl.gz"));
    EXPECT_EQ(text(unpacked->members[0]), "inside");
}

TEST_P(EachStream, WithoutAByteIsAnEmptyMember) {
    const auto unpacked = unpack(*test::as_input(test::compress(GetParam(), "")), all);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 1U);
    EXPECT_TRUE(unpacked->members[0]->bytes().empty());
}

INSTANTIATE_TEST_SUITE_P(Unpack, EachStream,
                         testing::Values("gzip", "bzip2", "xz", "lzma", "zstd", "lz4"),
                         [](const auto& test) { return std::string(test.param); });

class EachArchive : public testing::TestWithParam<const char*> {
protected:
    static ByteVector pack(const std::vector<test::PackedMember>& members) {
        return std::string_view(GetParam()) == "cab" ? test::stored_cab(members)
                                                     : test::pack(GetParam(), members);
    }
};

TEST_P(EachArchive, GivesWhatIsWanted) {
    const auto packed = test::as_input(
        pack({{"a.etl", "first"}, {"b.txt", "second"}, {"c.etl", std::string(20'000, 'c')}}), "x");
    std::vector<std::string> heads;
    const auto unpacked = unpack(*packed, [&](std::string_view name, Bytes head) {
        heads.emplace_back(as_text(head));
        return name.ends_with(".etl");
    });
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    EXPECT_TRUE(unpacked->lost.empty());
    EXPECT_THAT(names(*unpacked), ElementsAre("x:a.etl", "x:c.etl"));
    EXPECT_EQ(text(unpacked->members[0]), "first");
    EXPECT_EQ(text(unpacked->members[1]), std::string(20'000, 'c'));
    EXPECT_THAT(heads, ElementsAre("first", "second", std::string(4096, 'c')));
}

TEST_P(EachArchive, DoesNotOpenAnArchiveInside) {
    const auto inner = test::stored_zip({{"deep.etl", "deep"}});
    const auto packed = test::as_input(pack({{"inner.zip", std::string(as_text(inner))}}), "x");
    const auto unpacked = unpack(*packed, all);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    EXPECT_THAT(names(*unpacked), ElementsAre("x:inner.zip"));
    EXPECT_EQ(text(unpacked->members[0]), as_text(inner));
}

TEST_P(EachArchive, MayHoldNothingThatIsWanted) {
    const auto unpacked =
        unpack(*test::as_input(pack({{"a", "b"}})), [](std::string_view, Bytes) { return false; });
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    EXPECT_TRUE(unpacked->members.empty());
    EXPECT_TRUE(unpacked->lost.empty());
}

INSTANTIATE_TEST_SUITE_P(Unpack, EachArchive, testing::Values("zip", "7zip", "ustar", "pax", "cab"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Unpack, DoesNotOpenATarInACompressedMember) {
    const auto tar = test::pack("ustar", {{"deep.etl", "deep"}});
    const auto inner = test::compress("gzip", as_text(tar));
    const auto packed =
        test::as_input(test::stored_zip({{"x.tar.gz", std::string(as_text(inner))}}), "a");
    const auto unpacked = unpack(*packed, all);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    EXPECT_THAT(names(*unpacked), ElementsAre("a:x.tar.gz"));
    EXPECT_EQ(text(unpacked->members[0]), as_text(tar));
}

TEST(Unpack, KeepsNamesThatAreUtf8) {
    const std::string name = "gr\xC3\xBC\xC3\x9F"
                             "e-\xE6\x97\xA5.etl";
    for (const auto& packed : {test::stored_zip({{name, "x", 0x0800}}),
                               test::stored_zip({{name, "x"}}), test::stored_cab({{name, "x"}})}) {
        const auto unpacked = unpack(*test::as_input(packed, "a"), all);
        ASSERT_TRUE(unpacked) << describe(unpacked.error());
        EXPECT_THAT(names(*unpacked), ElementsAre("a:" + name));
    }
}

TEST(Unpack, MakesEveryNameFitForATerminal) {
    const auto packed = test::as_input(test::stored_zip({{"\x1B[31mred.etl", "x"},
                                                         {"gr\xFC\xDF"
                                                          "e.etl",
                                                          "x"},
                                                         {"dir\\b.etl", "x"}}),
                                       "a");
    const auto unpacked = unpack(*packed, all);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    EXPECT_THAT(names(*unpacked), ElementsAre("a:?[31mred.etl",
                                              "a:gr\xC3\xBC\xC3\x9F"
                                              "e.etl",
                                              "a:dir/b.etl"));
}

TEST(Unpack, JoinsConcatenatedStreams) {
    for (const char* const filter : {"gzip", "bzip2", "xz", "zstd", "lz4"}) {
        ByteVector packed = test::compress(filter, "first ");
        const ByteVector second = test::compress(filter, "second");
        packed.insert(packed.end(), second.begin(), second.end());
        const auto unpacked = unpack(*test::as_input(packed), all);
        ASSERT_TRUE(unpacked) << filter << ": " << describe(unpacked.error());
        EXPECT_EQ(text(unpacked->members.at(0)), "first second") << filter;
    }
}

TEST(Unpack, LeavesNothingInTheTemporaryFolder) {
    const test::TemporaryFolder folder;
    const test::Environment environment("TMPDIR", folder.path());
    const auto unpacked = unpack(*test::as_input(test::compress("gzip", "content")), all);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    EXPECT_EQ(text(unpacked->members.at(0)), "content");
    EXPECT_TRUE(folder.entries().empty());
}

TEST(Unpack, NamesTheLimitOfMembers) {
    const std::vector<test::PackedMember> members(4, {"a.etl", "x"});
    const auto packed = test::as_input(test::pack("ustar", members), "many.tar");
    EXPECT_TRUE(unpack(*packed, all, {.max_members = 4}));
    const auto unpacked = unpack(*packed, all, {.max_members = 3});
    ASSERT_FALSE(unpacked);
    EXPECT_EQ(describe(unpacked.error()),
              "limit reached: archive members at once (extract them to read more): at most 3");
}

TEST(Unpack, SaysThatTheTemporaryFolderIsMissing) {
    const test::Environment environment("TMPDIR", "/nowhere/at/all");
    const auto unpacked = unpack(*test::as_input(test::compress("gzip", "content")), all);
    ASSERT_FALSE(unpacked);
    EXPECT_EQ(unpacked.error().code, ErrorCode::io_failure);
    EXPECT_STREQ(unpacked.error().what, "temporary file");
}

TEST(Unpack, RefusesWhatIsNotPacked) {
    for (const std::string_view bytes : {"", "plain text"}) {
        const auto file = InputFile::from_memory(ByteVector(bytes.size(), std::byte{'x'}), "x");
        const auto unpacked = unpack(*file, all);
        ASSERT_FALSE(unpacked);
        EXPECT_EQ(unpacked.error().code, ErrorCode::unsupported);
    }
}

TEST(Unpack, ReadsAFileOnDisk) {
    const test::TemporaryFolder folder;
    const auto packed = test::compress("zstd", "from disk");
    const auto file = InputFile::map(folder.file("x.etl.zst", as_text(packed)));
    ASSERT_TRUE(file);
    const auto unpacked = unpack(**file, all);
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(text(unpacked->members.at(0)), "from disk");
    EXPECT_THAT(unpacked->members[0]->name(), StartsWith(folder.path()));
}

} // namespace
} // namespace etl::io::unpack_test
