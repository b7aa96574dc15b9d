#include "base/text.hpp"
#include "schema/image.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/image_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::image_test {
namespace {

using test::message_resource;
using test::message_table;
using test::pe_image;
using test::PeWidth;
using test::template_resource;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Content = std::vector<std::byte>;

Content bytes_of(std::string_view text) {
    const Bytes bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::vector<Resource> resources_of(Bytes file, const ResourceType& type) {
    const auto image = PeImage::parse(file);
    if (!image) {
        ADD_FAILURE() << describe(image.error());
        return {};
    }
    auto found = image->resources(type);
    EXPECT_TRUE(found) << describe(found.error());
    return found ? std::move(*found) : std::vector<Resource>{};
}

ErrorCode error_of(Bytes file) {
    const auto image = PeImage::parse(file);
    return image ? ErrorCode::none : image.error().code;
}

std::string text_for(const char* culture, const Content& image) {
    const auto messages = read_messages(image, CultureChain(culture));
    EXPECT_TRUE(messages) << describe(messages.error());
    const std::string* text = messages ? messages->table.find(1) : nullptr;
    return text == nullptr ? "none" : *text;
}

TEST(PeImage, FindsResourcesByTypeInBothWidths) {
    for (const PeWidth width : {PeWidth::pe32, PeWidth::pe32_plus}) {
        const Content file = pe_image({template_resource(bytes_of("template")),
                                       message_resource(bytes_of("table")),
                                       {.type = 3, .name = 7, .bytes = bytes_of("icon")}},
                                      width, 5000);
        const auto templates = resources_of(file, wevt_template_type);
        ASSERT_THAT(templates, SizeIs(1));
        EXPECT_EQ(as_text(templates[0].bytes), "template");
        EXPECT_TRUE(templates[0].type == u"WEVT_TEMPLATE");
        EXPECT_EQ(templates[0].name.number, 1);
        EXPECT_EQ(templates[0].language, 0x0409);
        EXPECT_EQ(as_text(clamped(file, templates[0].where.value, 8)), "template");
        const auto tables = resources_of(file, message_table_type);
        ASSERT_THAT(tables, SizeIs(1));
        EXPECT_EQ(as_text(tables[0].bytes), "table");
        EXPECT_EQ(tables[0].type.number, 11);
    }
}

TEST(PeImage, KeepsLanguagesAndNamesApart) {
    const Content file =
        pe_image({{.type = 11, .name = 1, .language = 0x0407, .bytes = bytes_of("a")},
                  {.type = 11, .name = 1, .language = 0x0409, .bytes = bytes_of("b")},
                  {.type = 11, .name = 2, .language = 0, .bytes = bytes_of("c")}});
    std::string order;
    for (const Resource& resource : resources_of(file, message_table_type)) {
        order += std::to_string(resource.name.number) + ":" + std::to_string(resource.language) +
                 std::string(as_text(resource.bytes)) + " ";
    }
    EXPECT_EQ(order, "1:1031a 1:1033b 2:0c ");
}

TEST(PeImage, GivesNothingWithoutResources) {
    EXPECT_THAT(resources_of(pe_image({}), wevt_template_type), IsEmpty());
    EXPECT_THAT(resources_of(pe_image({message_resource({})}), wevt_template_type), IsEmpty());
}

TEST(PeImage, RejectsWhatIsNoExecutable) {
    EXPECT_EQ(error_of({}), ErrorCode::malformed);
    EXPECT_EQ(error_of(bytes_of("<xml/>")), ErrorCode::malformed);
    EXPECT_EQ(error_of(bytes_of("MZ")), ErrorCode::truncated);
    // A program for DOS: what stands where the offset should be leads nowhere, or to no PE header.
    Content dos = bytes_of("MZ");
    dos.resize(200);
    EXPECT_EQ(error_of(dos), ErrorCode::malformed);
    EXPECT_EQ(error_of(test::overwrite(dos, 0x3C, bytes_of("\x7F\x7F"))), ErrorCode::truncated);
    EXPECT_FALSE(PeImage::is_likely(bytes_of("M")));
    EXPECT_TRUE(PeImage::is_likely(dos));
}

TEST(PeImage, GivesWhatIsLeftOfAResourceThatIsCut) {
    const Content file = pe_image({template_resource(bytes_of("template"))});
    const auto where = resources_of(file, wevt_template_type).at(0).where.value;
    const Content cut = test::truncate_at(file, where + 3);
    EXPECT_EQ(as_text(resources_of(cut, wevt_template_type).at(0).bytes), "tem");
    EXPECT_THAT(resources_of(test::truncate_at(file, where), wevt_template_type).at(0).bytes,
                IsEmpty());
}

TEST(PeImage, StopsAtTreesThatAreTooLarge) {
    const Content file = pe_image({template_resource({}), message_resource({})});
    // The tree begins behind headers and code; the number of its named entries at 12.
    const std::size_t tree = 0x600;
    const Content many = test::overwrite(file, tree + 12, bytes_of("\xFF\xFF"));
    const auto image = PeImage::parse(many);
    ASSERT_TRUE(image);
    const auto found = image->resources(wevt_template_type);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::limit);
    EXPECT_EQ(found.error().where, FileOffset{tree});
}

TEST(PeImage, StopsAtResourcesThatShareTheirBytes) {
    const Content large(8000, std::byte{'x'});
    Content file =
        pe_image({message_resource(large, 0x0407), message_resource(bytes_of("en"), 0x0409)});
    EXPECT_THAT(resources_of(file, message_table_type), SizeIs(2));
    // Address and size of the one resource, the next one's 16 bytes behind.
    const std::size_t entry = as_text(file).find(std::string_view("\x40\x1F\0\0", 4)) - 4;
    const Content place(file.begin() + static_cast<std::ptrdiff_t>(entry),
                        file.begin() + static_cast<std::ptrdiff_t>(entry + 8));
    file = test::overwrite(std::move(file), entry + 16, place);
    const auto image = PeImage::parse(file);
    ASSERT_TRUE(image);
    const auto found = image->resources(message_table_type);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::limit);
    EXPECT_EQ(found.error().where, FileOffset{entry + 16});
}

TEST(PeImage, StopsAtTooManySections) {
    const Content file = pe_image({});
    EXPECT_EQ(error_of(test::overwrite(file, 0x40 + 6, bytes_of("\x61"))), ErrorCode::limit);
}

TEST(PeImage, NamesTheOffsetOfWhatIsCut) {
    const Content file = pe_image({template_resource(bytes_of("template"))});
    for (std::size_t size = 0; size < file.size(); ++size) {
        const Content cut = test::truncate_at(file, size);
        const auto image = PeImage::parse(cut);
        if (!image) {
            EXPECT_LE(image.error().where.value, size);
            continue;
        }
        if (const auto found = image->resources(wevt_template_type); found && !found->empty()) {
            EXPECT_LE(found->at(0).where.value + found->at(0).bytes.size(),
                      std::max<std::uint64_t>(size, found->at(0).where.value));
        } else if (!found) {
            EXPECT_EQ(found.error().code, ErrorCode::truncated) << size;
        }
    }
}

TEST(ReadMessages, TakesTheBestLanguageAndFillsUpFromOthers) {
    const Content image =
        pe_image({message_resource(message_table({{1, u"deutsch"}}), 0x0407),
                  message_resource(message_table({{1, u"english"}, {2, u"only here"}}), 0x0409)});
    EXPECT_EQ(text_for("de-AT", image), "deutsch");
    EXPECT_EQ(text_for("fr-FR", image), "english");
    EXPECT_EQ(text_for("", image), "english");
    const auto german = read_messages(image, CultureChain("de"));
    ASSERT_TRUE(german);
    EXPECT_EQ(german->table.size(), 2U);
}

TEST(ReadMessages, GivesNoneWithoutATable) {
    EXPECT_EQ(text_for("en-US", pe_image({template_resource({})})), "none");
}

TEST(ReadMessages, NamesTheOffsetInTheFileOfABadTable) {
    const Content image = pe_image({message_resource(bytes_of("\x09"))});
    const auto messages = read_messages(image, CultureChain(""));
    ASSERT_TRUE(messages);
    EXPECT_EQ(messages->table.size(), 0U);
    ASSERT_TRUE(messages->damage);
    EXPECT_EQ(messages->damage->where, resources_of(image, message_table_type).at(0).where);
}

TEST(ReadMessages, KeepsTheOtherTablesWhenOneIsDamaged) {
    const Content image = pe_image({message_resource(message_table({{1, u"deutsch"}}), 0x0407),
                                    message_resource(bytes_of("\x09"), 0x0409),
                                    message_resource(bytes_of("\x09\x09"), 0x040C)});
    const auto messages = read_messages(image, CultureChain("en-US"));
    ASSERT_TRUE(messages);
    EXPECT_EQ(messages->table.size(), 1U);
    EXPECT_EQ(text_for("en-US", image), "deutsch");
    ASSERT_TRUE(messages->damage);
    EXPECT_EQ(messages->damage->where, resources_of(image, message_table_type).at(1).where);
}

} // namespace
} // namespace etl::schema::image_test
