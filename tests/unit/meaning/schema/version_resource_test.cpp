#include "schema/version_resource.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/image_builder.hpp"

#include <gtest/gtest.h>

namespace etl::schema::version_resource_test {
namespace {

using test::ImageVersion;
using test::pe_image;
using test::version_info;
using test::version_resource;
using test::windows_version;

VersionResource parsed(const ImageVersion& version) {
    const auto read = parse_version_resource(version_info(version));
    EXPECT_TRUE(read) << describe(read.error());
    return read ? *read : VersionResource{};
}

ErrorCode error_of(Bytes resource) {
    const auto read = parse_version_resource(resource);
    return read ? ErrorCode::none : read.error().code;
}

TEST(VersionResource, HasVersionsAndTexts) {
    const VersionResource version = parsed({.file = {1, 2, 3, 4},
                                            .product = {5, 6, 7, 8},
                                            .texts = {{u"Comments", u"odd"},
                                                      {u"CompanyName", u"Tea House"},
                                                      {u"ProductName", u"Kettle"},
                                                      {u"ProductName", u"Cup"}}});
    EXPECT_EQ(version.file_version, (VersionResource::Version{1, 2, 3, 4}));
    EXPECT_EQ(version.product_version, (VersionResource::Version{5, 6, 7, 8}));
    EXPECT_EQ(version.company, "Tea House");
    EXPECT_EQ(version.product, "Kettle") << "the first one";
    EXPECT_EQ(parsed({.file = {1, 2, 3, 4}}).company, "");
}

TEST(VersionResource, RejectsWhatIsNone) {
    const auto whole = version_info(windows_version(22621));
    EXPECT_EQ(error_of({}), ErrorCode::truncated);
    EXPECT_EQ(error_of(Bytes(whole).first(5)), ErrorCode::truncated);
    EXPECT_EQ(error_of(Bytes(whole).first(60)), ErrorCode::truncated);
    const auto byte = [](unsigned value) { return std::vector{static_cast<std::byte>(value)}; };
    EXPECT_EQ(error_of(test::overwrite(whole, 1, byte(0))), ErrorCode::truncated);
    EXPECT_EQ(error_of(test::overwrite(test::overwrite(whole, 0, byte(5)), 1, byte(0))),
              ErrorCode::malformed)
        << "smaller than its head";
    EXPECT_EQ(error_of(test::overwrite(whole, 2, byte(51))), ErrorCode::malformed)
        << "smaller than the fixed information";
    EXPECT_EQ(error_of(test::overwrite(whole, 6, byte('W'))), ErrorCode::malformed) << "its key";
    EXPECT_EQ(error_of(test::overwrite(whole, 40, byte(0))), ErrorCode::malformed) << "signature";
}

TEST(VersionResource, KeepsWhatPrecedesDamageOfTexts) {
    const auto whole = version_info(windows_version(22621));
    std::size_t without_product = 0;
    for (std::size_t size = 92; size < whole.size(); ++size) {
        const auto read = parse_version_resource(Bytes(whole).first(size));
        ASSERT_TRUE(read) << size;
        EXPECT_EQ(read->file_version[2], 22621);
        without_product += read->product.empty() ? 1U : 0U;
    }
    EXPECT_GT(without_product, 0U);
}

TEST(WindowsBuild, IsThatOfAFileOfWindows) {
    EXPECT_EQ(windows_build(parsed(windows_version(22621))), 22621U);
    ImageVersion seven = windows_version(7601);
    seven.file = seven.product = {6, 1, 7601, 17514};
    EXPECT_EQ(windows_build(parsed(seven)), 7601U);
    ImageVersion enabled = windows_version(19041); // by an update that raises the build
    enabled.product[2] = 19045;
    EXPECT_EQ(windows_build(parsed(enabled)), 19041U) << "the file's";
}

TEST(WindowsBuild, IsUnknownOfOtherFiles) {
    ImageVersion database = windows_version(1600);
    database.texts[1].second = u"Microsoft SQL Server";
    EXPECT_EQ(windows_build(parsed(database)), 0U);
    ImageVersion kettle = windows_version(22621);
    kettle.texts[0].second = u"Tea House";
    EXPECT_EQ(windows_build(parsed(kettle)), 0U);
    ImageVersion old = windows_version(2600);
    EXPECT_EQ(windows_build(parsed(old)), 0U) << "before Vista";
    ImageVersion other = windows_version(22621);
    other.file = {7, 1, 22621, 0};
    EXPECT_EQ(windows_build(parsed(other)), 0U) << "a version of its own";
}

TEST(WindowsBuild, IsInAnImage) {
    EXPECT_EQ(windows_build_of_image(pe_image({version_resource(windows_version(26100))})), 26100U);
    EXPECT_EQ(windows_build_of_image(pe_image({version_resource({}, 0x0407),
                                               version_resource(windows_version(26100), 0x0409)})),
              26100U);
    EXPECT_EQ(windows_build_of_image(pe_image({})), 0U);
    EXPECT_EQ(windows_build_of_image({}), 0U);
}

} // namespace
} // namespace etl::schema::version_resource_test
