// Hostile and damaged archives, and the bounds on them.
#include "base/text.hpp"
#include "io/limits.hpp"
#include "io/unpack.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::io::unpack_damage_test {
namespace {

using test::ByteVector;

constexpr auto all = [](std::string_view, Bytes) { return true; };
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
    const auto unpacked = unpack(*cut, all);
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
    const auto unpacked = unpack(*cut, all);
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
    const auto unpacked = unpack(*test::as_input(packed, "x.etl.gz"), all);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 1U);
    EXPECT_TRUE(unpacked->members[0]->damage());
    EXPECT_EQ(as_text(unpacked->members[0]->bytes()), content + "second");
}

TEST(UnpackDamaged, CountsTheLastBlockOfADamagedStreamAgainstTheLimit) {
    const ByteVector whole = test::compress("gzip", test::noise_text(200'000));
    const auto cut = test::as_input(test::first(whole, 150'000), "x.etl.gz");
    EXPECT_EQ(code_of(unpack(*cut, all, {.max_unpacked = 140'000})), ErrorCode::limit);
}

TEST_P(EachStreamDamaged, FailsWhenHardlyAnythingCameOut) {
    const ByteVector whole = test::compress(GetParam(), "short");
    const auto cut = test::as_input(test::first(whole, whole.size() / 2 + 4));
    if (is_packed(cut->bytes())) {
        const auto unpacked = unpack(*cut, all);
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
        const auto unpacked = unpack(*file, all);
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
    const auto unpacked = unpack(*test::as_input(test::first(tar, 500'000), "x.tar"), all);
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
    const auto unpacked = unpack(*test::as_input(test::first(zip, 60'000), "x.zip"), all);
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
    const auto unpacked = unpack(*packed, all);
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
        const auto unpacked = unpack(*packed, all);
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
    const auto unpacked = unpack(*packed, all);
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
    const auto unpacked = unpack(*packed, all);
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
    EXPECT_EQ(code_of(unpack(*packed, all, {.max_unpacked = 10'000})), ErrorCode::none);
    const auto over = unpack(*packed, all, {.max_unpacked = 9'999});
    ASSERT_EQ(code_of(over), ErrorCode::limit);
    EXPECT_EQ(over.error().need, 9'999U);
}

TEST(UnpackLimits, StopABomb) {
    const auto bomb = test::as_input(test::compress("bzip2", std::string(100'000'000, '\0')));
    ASSERT_LT(bomb->bytes().size(), 10'000U);
    EXPECT_EQ(code_of(unpack(*bomb, all, {.max_unpacked = 1'000'000})), ErrorCode::limit);
}

TEST(UnpackLimits, HoldOverAllMembers) {
    for (const char* const format : {"zip", "7zip", "ustar"}) {
        const auto packed = test::as_input(
            test::pack(format, {{"a", std::string(600, 'a')}, {"b", std::string(600, 'b')}}));
        EXPECT_EQ(code_of(unpack(*packed, all, {.max_unpacked = 1'200})), ErrorCode::none);
        EXPECT_EQ(code_of(unpack(*packed, all, {.max_unpacked = 1'100})), ErrorCode::limit);
    }
}

TEST(UnpackLimits, CountTheMembersOfATarAndNotTheStreamAroundIt) {
    const auto tar =
        test::pack("ustar", {{"a", std::string(600, 'a')}, {"b", std::string(600, 'b')}});
    const auto packed = test::as_input(test::compress("zstd", as_text(tar)));
    EXPECT_EQ(code_of(unpack(*packed, all, {.max_unpacked = 1'200})), ErrorCode::none);
    EXPECT_EQ(code_of(unpack(*packed, all, {.max_unpacked = 1'199})), ErrorCode::limit);
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
    EXPECT_EQ(code_of(unpack(*packed, all, {.max_unpacked = 900'000})), ErrorCode::limit);
    EXPECT_EQ(code_of(unpack(*packed, all, {.max_unpacked = 1'100'000})), ErrorCode::none);
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
    const auto unpacked = unpack(*test::as_input(twice), all);
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
    const auto unpacked = unpack(*test::as_input(packed), all);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_EQ(unpacked->members.size(), 1U);
    EXPECT_EQ(unpacked->members[0]->bytes().size(), content.size());
    EXPECT_TRUE(as_text(unpacked->members[0]->bytes()) == content);
}

} // namespace
} // namespace etl::io::unpack_damage_test
