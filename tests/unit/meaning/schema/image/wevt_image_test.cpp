// Compiled manifests in images.
#include "schema/limits.hpp"
#include "schema/wevt.hpp"
#include "tests/support/images/image_builder.hpp"
#include "tests/unit/meaning/schema/image/wevt_in.hpp"
#include "tests/unit/meaning/schema/manifest/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::wevt_image_test {
namespace {

using test::ImageProvider;
using test::sample_provider;
using test::Wevt;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(WevtImage, HasOneBudgetForAllItsResources) {
    auto first = test::template_resource(
        overlapping_templates((limits::manifest_schema_bytes >> 20U) * 2 / 3));
    auto second = first;
    second.name = 2;
    const Content image = test::pe_image({first, second});
    const auto nothing = [](std::uint32_t) -> const std::string* { return nullptr; };
    const auto set = parse_wevt_image(image, nothing, CultureChain(""));
    ASSERT_TRUE(set) << set.error().reason;
    EXPECT_THAT(set->providers, SizeIs(1));
    ASSERT_FALSE(set->notes.empty());
    EXPECT_THAT(set->notes.back().text, HasSubstr("memory for its schemas"));
}

TEST(WevtImage, TakesTheBestLanguageOfTheTemplates) {
    ImageProvider german = sample_provider();
    german.name = u"Stellwerk";
    const Wevt built = test::wevt({sample_provider()});
    const Content image =
        test::pe_image({test::template_resource(built.crim),
                        test::template_resource(test::wevt({german}).crim, 0x0407)});
    const auto nothing = [](std::uint32_t) -> const std::string* { return nullptr; };
    const auto name = [&](const char* culture) {
        const auto set = parse_wevt_image(image, nothing, CultureChain(culture));
        return set ? set->providers.at(0)->name : set.error().reason;
    };
    EXPECT_EQ(name("de-DE"), "Stellwerk");
    EXPECT_EQ(name("en-US"), "Example-SignalBox-Compiled");
    EXPECT_THAT(scan_wevt_providers(image), ElementsAre(german.guid));
    EXPECT_THAT(scan_wevt_messages(image), SizeIs(10));
}

TEST(WevtImage, RejectsImagesWithoutProviders) {
    const auto nothing = [](std::uint32_t) -> const std::string* { return nullptr; };
    const auto set = parse_wevt_image(test::pe_image({}), nothing, CultureChain(""));
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().reason, "the image contains no WEVT_TEMPLATE resource");
    EXPECT_THAT(scan_wevt_providers(test::pe_image({})), IsEmpty());
    EXPECT_THAT(scan_wevt_providers(as_bytes_of("MZ")), IsEmpty());
}

} // namespace
} // namespace etl::schema::wevt_image_test
