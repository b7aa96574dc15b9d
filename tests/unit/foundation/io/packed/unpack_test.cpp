#include "base/layout.hpp"
#include "base/text.hpp"
#include "io/find_files.hpp"
#include "io/limits.hpp"
#include "io/unpack.hpp"
#include "tests/support/folders.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

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

// Real packed traces, where the machine has them.

namespace {

TEST(UnpackCorpus, OpensEveryPackedTrace) {
    const std::string folder = test::shared_corpus();
    if (!is_directory(folder)) {
        GTEST_SKIP() << "no shared corpus";
    }
    const auto files = find_files(folder, Recursion::yes, [](std::string_view name) {
        return name.find(".etl.") != std::string_view::npos || name.ends_with(".etlgz");
    });
    ASSERT_TRUE(files);
    int opened = 0;
    for (const std::string& path : *files) {
        const auto file = InputFile::map(path);
        ASSERT_TRUE(file) << path;
        if (!is_packed((*file)->bytes())) {
            continue;
        }
        const auto unpacked = unpack(**file, [](std::string_view, Bytes) { return true; });
        ASSERT_TRUE(unpacked) << path << ": " << describe(unpacked.error());
        ASSERT_EQ(unpacked->members.size(), 1U) << path;
        const Bytes bytes = unpacked->members[0]->bytes();
        EXPECT_FALSE(unpacked->members[0]->damage()) << path;
        ASSERT_GT(bytes.size(), 1024U) << path;
        const auto buffer_size = load_le<std::uint32_t>(bytes.data());
        EXPECT_EQ(buffer_size % 1024, 0U) << path;
        // The same trace lies unpacked beside some of them.
        const std::string plain = std::filesystem::path(path).replace_extension().string();
        if (const auto original = InputFile::map(plain)) {
            EXPECT_TRUE(std::ranges::equal(bytes, (*original)->bytes())) << path;
        }
        ++opened;
    }
    EXPECT_GE(opened, 5);
}

} // namespace

// Hostile and damaged archives, and the bounds on them.

namespace {

using test::ByteVector;

constexpr auto any_member = [](std::string_view, Bytes) { return true; };
constexpr auto nothing = [](std::string_view, Bytes) { return false; };

ErrorCode code_of(const Result<Unpacked>& unpacked) {
    return unpacked ? ErrorCode::none : unpacked.error().code;
}

class EachStreamDamaged : public testing::TestWithParam<const char*> {};

TEST_P(EachStreamDamaged, GivesWhatStandsBeforeTheCut) {
    // lz4 packs blocks of 4 MB, of which a part is nothing.
    const bool is_lz4 = std::string_view(GetParam()) == "lz4";
    const std::string content = test::noise_text(is_lz4 ? 10'000'000 : 1'500'000);
    const ByteVector whole = test::compress(GetParam(), content);
    const auto cut = test::as_input(test::first(whole, whole.size() * 9 / 10), "x.etl.gz");
    const auto unpacked = unpack(*cut, any_member);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 1U);
    const InputFile& member = *unpacked->members[0];
    ASSERT_TRUE(member.damage());
    EXPECT_EQ(member.damage()->code, ErrorCode::truncated) << describe(*member.damage());
    EXPECT_LE(member.damage()->where.value, cut->bytes().size());
    // Of bzip2, xz and lzma, what libarchive had not handed over yet is lost; of the others, the
    // block of the format that is not complete.
    EXPECT_GT(member.bytes().size(), content.size() / 2);
    EXPECT_TRUE(content.starts_with(as_text(member.bytes())));
    const std::string_view kind = GetParam();
    if (kind == "gzip" || kind == "zstd" || kind == "lz4") {
        const std::size_t block = kind == "gzip" ? 1024 : kind == "zstd" ? 1U << 17U : 4U << 20U;
        EXPECT_GT(member.bytes().size() + block, content.size() * 9 / 10 - 1024);
    }
}

TEST_P(EachStreamDamaged, GivesTheBeginningOfAShortOne) {
    const std::string_view kind = GetParam();
    const std::string content = test::noise_text(200'000);
    const ByteVector whole = test::compress(GetParam(), content);
    const auto cut = test::as_input(test::first(whole, 150'000), "x.etl.gz");
    const auto unpacked = unpack(*cut, any_member);
    if (kind == "gzip" || kind == "zstd") { // libarchive hands over 131,072 bytes or nothing
        ASSERT_TRUE(unpacked) << describe(unpacked.error());
        EXPECT_GT(unpacked->members[0]->bytes().size(), 149'000U);
        EXPECT_TRUE(content.starts_with(as_text(unpacked->members[0]->bytes())));
    }
}

TEST(UnpackDamaged, GivesAllOfAGzipOfSeveralMembersUpToTheCut) {
    const std::string content = test::noise_text(100'000);
    ByteVector packed = test::compress("gzip", content);
    const ByteVector second = test::compress("gzip", "second");
    packed.insert(packed.end(), second.begin(), second.end());
    packed.resize(packed.size() - 4); // the last bytes of its checksum
    const auto unpacked = unpack(*test::as_input(packed, "x.etl.gz"), any_member);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 1U);
    EXPECT_TRUE(unpacked->members[0]->damage());
    EXPECT_EQ(as_text(unpacked->members[0]->bytes()), content + "second");
}

TEST(UnpackDamaged, CountsTheLastBlockOfADamagedStreamAgainstTheLimit) {
    const ByteVector whole = test::compress("gzip", test::noise_text(200'000));
    const auto cut = test::as_input(test::first(whole, 150'000), "x.etl.gz");
    EXPECT_EQ(code_of(unpack(*cut, any_member, {.max_unpacked = 140'000})), ErrorCode::limit);
}

TEST_P(EachStreamDamaged, FailsWhenHardlyAnythingCameOut) {
    const ByteVector whole = test::compress(GetParam(), "short");
    const auto cut = test::as_input(test::first(whole, whole.size() / 2 + 4));
    if (is_packed(cut->bytes())) {
        const auto unpacked = unpack(*cut, any_member);
        if (unpacked) { // a letter or two
            EXPECT_TRUE(unpacked->members[0]->damage());
            EXPECT_TRUE(
                std::string_view("short").starts_with(as_text(unpacked->members[0]->bytes())));
        } else {
            EXPECT_EQ(unpacked.error().code, ErrorCode::truncated);
        }
        EXPECT_EQ(code_of(unpack(*cut, nothing)), ErrorCode::truncated);
    }
}

TEST_P(EachStreamDamaged, SurvivesGarbageBehindItsMagic) {
    const ByteVector whole = test::compress(GetParam(), test::noise_text(50'000));
    for (std::size_t at = 4; at < 400; ++at) {
        ByteVector flipped = whole;
        flipped[at] ^= std::byte{0xFF};
        const auto file = test::as_input(flipped);
        const auto unpacked = unpack(*file, any_member);
        if (unpacked) {
            EXPECT_LE(unpacked->members.size(), 1U);
        } else {
            EXPECT_NE(unpacked.error().code, ErrorCode::none);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Unpack, EachStreamDamaged,
                         testing::Values("gzip", "bzip2", "xz", "lzma", "zstd", "lz4"),
                         [](const auto& test) { return std::string(test.param); });

TEST(UnpackDamaged, KeepsTheMembersBeforeTheCut) {
    const ByteVector tar = test::pack("ustar", {{"a.etl", std::string(300'000, 'a')},
                                                {"b.etl", test::noise_text(300'000)},
                                                {"c.etl", "c"}});
    const auto unpacked = unpack(*test::as_input(test::first(tar, 500'000), "x.tar"), any_member);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 2U);
    EXPECT_FALSE(unpacked->members[0]->damage());
    EXPECT_EQ(unpacked->members[0]->bytes().size(), 300'000U);
    ASSERT_TRUE(unpacked->members[1]->damage());
    EXPECT_EQ(unpacked->members[1]->damage()->code, ErrorCode::truncated);
    EXPECT_EQ(unpacked->members[1]->bytes().size(), 500'000U - 512 - 300'032 - 512);
    ASSERT_EQ(unpacked->lost.size(), 1U); // what comes behind b is not known
    EXPECT_EQ(unpacked->lost[0].name, "x.tar");
}

TEST(UnpackDamaged, ReadsAZipWithoutItsDirectory) {
    const ByteVector zip =
        test::pack("zip", {{"a.etl", "first"}, {"b.etl", test::noise_text(100'000)}});
    const auto unpacked = unpack(*test::as_input(test::first(zip, 60'000), "x.zip"), any_member);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 2U);
    EXPECT_EQ(as_text(unpacked->members[0]->bytes()), "first");
    EXPECT_FALSE(unpacked->members[0]->damage());
    ASSERT_TRUE(unpacked->members[1]->damage());
    EXPECT_TRUE(test::noise_text(100'000).starts_with(as_text(unpacked->members[1]->bytes())));
}

TEST(UnpackDamaged, ReportsAWrongChecksum) {
    const auto packed =
        test::as_input(test::stored_zip({{"a.etl", "first", 0, 1}, {"b.etl", "second"}}), "x.zip");
    const auto unpacked = unpack(*packed, any_member);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 2U);
    EXPECT_EQ(as_text(unpacked->members[0]->bytes()), "first");
    ASSERT_TRUE(unpacked->members[0]->damage());
    EXPECT_EQ(unpacked->members[0]->damage()->code, ErrorCode::malformed);
    EXPECT_FALSE(unpacked->members[1]->damage());
}

TEST(UnpackDamaged, NamesWhatIsEncrypted) {
    for (const char* const options : {"zip:encryption=zipcrypt", "zip:encryption=aes256"}) {
        const auto packed =
            test::as_input(test::pack("zip", {{"a.etl", "secret"}}, options), "x.zip");
        const auto unpacked = unpack(*packed, any_member);
        EXPECT_EQ(code_of(unpacked), ErrorCode::unsupported) << options;
        EXPECT_STREQ(unpacked.error().what, "encrypted member");
        const auto unwanted = unpack(*packed, nothing);
        ASSERT_TRUE(unwanted);
        EXPECT_TRUE(unwanted->members.empty());
    }
}

TEST(UnpackDamaged, GivesTheOtherMembersWhereOneIsEncrypted) {
    const auto packed = test::as_input(
        test::stored_zip({{"a.etl", "twelve bytes of what", 1}, {"b.etl", "second"}}), "x.zip");
    const auto unpacked = unpack(*packed, any_member);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 1U);
    EXPECT_EQ(unpacked->members[0]->name(), "x.zip:b.etl");
    ASSERT_EQ(unpacked->lost.size(), 1U);
    EXPECT_EQ(unpacked->lost[0].name, "x.zip:a.etl");
    EXPECT_EQ(unpacked->lost[0].why.code, ErrorCode::unsupported);
}

TEST(UnpackDamaged, ReportsADamagedStreamInAnArchive) {
    const std::string content = test::noise_text(500'000);
    const ByteVector inner = test::compress("gzip", content);
    const auto packed = test::as_input(
        test::stored_zip({{"a.etl.gz", std::string(as_text(inner).substr(0, 400'000))},
                          {"b.etl.gz", std::string("\x1F\x8B\x08\0 no stream at all", 21)},
                          {"c.etl", "third"}}),
        "x.zip");
    const auto unpacked = unpack(*packed, any_member);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 2U);
    ASSERT_TRUE(unpacked->members[0]->damage());
    EXPECT_GT(unpacked->members[0]->bytes().size(), 300'000U);
    EXPECT_TRUE(content.starts_with(as_text(unpacked->members[0]->bytes())));
    EXPECT_EQ(unpacked->members[1]->name(), "x.zip:c.etl");
    ASSERT_EQ(unpacked->lost.size(), 1U);
    EXPECT_EQ(unpacked->lost[0].name, "x.zip:b.etl.gz");
}

TEST(UnpackLimits, CountsToTheByte) {
    const auto packed = test::as_input(test::compress("gzip", std::string(10'000, 'x')));
    EXPECT_EQ(code_of(unpack(*packed, any_member, {.max_unpacked = 10'000})), ErrorCode::none);
    const auto over = unpack(*packed, any_member, {.max_unpacked = 9'999});
    ASSERT_EQ(code_of(over), ErrorCode::limit);
    EXPECT_EQ(over.error().need, 9'999U);
}

TEST(UnpackLimits, StopABomb) {
    const auto bomb = test::as_input(test::compress("bzip2", std::string(100'000'000, '\0')));
    ASSERT_LT(bomb->bytes().size(), 10'000U);
    EXPECT_EQ(code_of(unpack(*bomb, any_member, {.max_unpacked = 1'000'000})), ErrorCode::limit);
}

TEST(UnpackLimits, HoldOverAllMembers) {
    for (const char* const format : {"zip", "7zip", "ustar"}) {
        const auto packed = test::as_input(
            test::pack(format, {{"a", std::string(600, 'a')}, {"b", std::string(600, 'b')}}));
        EXPECT_EQ(code_of(unpack(*packed, any_member, {.max_unpacked = 1'200})), ErrorCode::none);
        EXPECT_EQ(code_of(unpack(*packed, any_member, {.max_unpacked = 1'100})), ErrorCode::limit);
    }
}

TEST(UnpackLimits, CountTheMembersOfATarAndNotTheStreamAroundIt) {
    const auto tar =
        test::pack("ustar", {{"a", std::string(600, 'a')}, {"b", std::string(600, 'b')}});
    const auto packed = test::as_input(test::compress("zstd", as_text(tar)));
    EXPECT_EQ(code_of(unpack(*packed, any_member, {.max_unpacked = 1'200})), ErrorCode::none);
    EXPECT_EQ(code_of(unpack(*packed, any_member, {.max_unpacked = 1'199})), ErrorCode::limit);
}

TEST(UnpackLimits, CountWhatMustBeUnpackedToGetOverIt) {
    const std::vector<test::PackedMember> members{{"a.txt", std::string(5'000'000, 'a')},
                                                  {"b.etl", "b"}};
    const auto wanted = [](std::string_view name, Bytes) { return name == "b.etl"; };
    const auto solid = test::as_input(test::pack("7zip", members));
    EXPECT_EQ(code_of(unpack(*solid, wanted, {.max_unpacked = 4'000'000})), ErrorCode::limit);
    EXPECT_EQ(code_of(unpack(*solid, wanted, {.max_unpacked = 6'000'000})), ErrorCode::none);
    const auto zip = test::as_input(test::pack("zip", members)); // here it is stepped over
    EXPECT_EQ(code_of(unpack(*zip, wanted, {.max_unpacked = 4'000'000})), ErrorCode::none);
}

TEST(UnpackLimits, HoldInsideOfAMember) {
    const ByteVector inner = test::compress("gzip", std::string(1'000'000, 'x'));
    const auto packed =
        test::as_input(test::stored_zip({{"x.etl.gz", std::string(as_text(inner))}}));
    EXPECT_EQ(code_of(unpack(*packed, any_member, {.max_unpacked = 900'000})), ErrorCode::limit);
    EXPECT_EQ(code_of(unpack(*packed, any_member, {.max_unpacked = 1'100'000})), ErrorCode::none);
}

TEST(UnpackLimits, EndAtTheNumberOfEntries) {
    std::vector<test::PackedMember> members(limits::archive_entries, {"a", ""});
    EXPECT_EQ(code_of(unpack(*test::as_input(test::pack("ustar", members)), nothing)),
              ErrorCode::none);
    members.push_back({"one too many", ""});
    EXPECT_EQ(code_of(unpack(*test::as_input(test::pack("ustar", members)), nothing)),
              ErrorCode::limit);
}

TEST(UnpackLimits, RefuseCompressionOfCompression) {
    const ByteVector twice = test::compress("gzip", as_text(test::compress("gzip", "x")));
    const auto unpacked = unpack(*test::as_input(twice), any_member);
    EXPECT_EQ(code_of(unpacked), ErrorCode::unsupported);
    EXPECT_STREQ(unpacked.error().what, "nested compression");
}

TEST(UnpackSparse, FillsHolesWithZeros) {
    // Bytes 0..4 and 200000..200004 of a file of 300000.
    ByteVector packed;
    archive* const writer = archive_write_new();
    archive_write_set_format_pax(writer);
    archive_write_open(
        writer, &packed, nullptr,
        [](archive*, void* to, const void* bytes, std::size_t size) -> la_ssize_t {
            const auto* const from = static_cast<const std::byte*>(bytes);
            static_cast<ByteVector*>(to)->insert(static_cast<ByteVector*>(to)->end(), from,
                                                 from + size);
            return static_cast<la_ssize_t>(size);
        },
        nullptr);
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, "sparse.etl");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, 300'000);
    archive_entry_sparse_add_entry(entry, 0, 4);
    archive_entry_sparse_add_entry(entry, 200'000, 4);
    ASSERT_EQ(archive_write_header(writer, entry), ARCHIVE_OK) << archive_error_string(writer);
    std::string content(300'000, '\0');
    content.replace(0, 4, "head").replace(200'000, 4, "tail");
    archive_write_data(writer, content.data(), content.size());
    archive_entry_free(entry);
    archive_write_free(writer);

    ASSERT_LT(packed.size(), 100'000U);
    const auto unpacked = unpack(*test::as_input(packed), any_member);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 1U);
    EXPECT_EQ(unpacked->members[0]->bytes().size(), content.size());
    EXPECT_TRUE(as_text(unpacked->members[0]->bytes()) == content);
}

} // namespace

} // namespace etl::io::unpack_test
