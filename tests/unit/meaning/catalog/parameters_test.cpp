// The texts for `%%n` in values: from the image that a manifest names, wherever it lies.
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "tests/support/images/image_builder.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::catalog::parameters_test {
namespace {

using test::message_resource;
using test::message_table;
using test::pe_image;
using test::TemporaryFolder;
using ::testing::IsEmpty;

constexpr Guid provider = *parse_guid("b1c0de00-5a1b-4d0e-8f10-0a0b0c0d0e0f");

std::string manifest(std::string_view parameter_file) {
    return R"(<instrumentationManifest><instrumentation><events><provider name="Box")"
           R"( guid="{b1c0de00-5a1b-4d0e-8f10-0a0b0c0d0e0f}" messageFileName="C:\b.dll")"
           R"( parameterFileName=")" +
           std::string(parameter_file) +
           R"("/></events></instrumentation></instrumentationManifest>)";
}

std::string words(const std::u16string& text, std::uint16_t language = 0x0409) {
    return std::string(
        as_text(pe_image({message_resource(message_table({{1936, text}}), language)})));
}

/// What %%1936 stands for; `-` when nothing is known about parameters.
std::string meaning(std::vector<std::string> paths, const std::string& culture = "en-US") {
    auto catalog = Catalog::open(
        {.paths = std::move(paths), .environment = false, .built_in = false, .culture = culture});
    if (!catalog) {
        return describe(catalog.error().error);
    }
    schema::SchemaStore store;
    catalog->load({provider}, store);
    store.freeze();
    EXPECT_THAT(catalog->remarks(), IsEmpty());
    const schema::ProviderNames* names = store.provider(provider);
    if (names == nullptr || names->parameters == nullptr) {
        return "-";
    }
    EXPECT_EQ(names->message_file, "C:\\b.dll");
    const std::string* text = names->parameters->find(1936);
    return text == nullptr ? "?" : *text;
}

TEST(Parameters, AreInTheImageOfThatName) {
    const TemporaryFolder folder;
    const std::string man = folder.file("box.man", manifest(R"(%SystemRoot%\System32\Words.dll)"));
    const std::string dll = folder.file("elsewhere/WORDS.DLL", words(u"Default"));
    const std::string other = folder.file("elsewhere/other.dll", words(u"Other"));
    EXPECT_EQ(meaning({man, other, dll}), "Default");
    EXPECT_EQ(meaning({dll, man}), "Default");
    EXPECT_EQ(meaning({man, other}), "-");
    EXPECT_EQ(meaning({man}), "-");
}

TEST(Parameters, AreFoundInFoldersToo) {
    const TemporaryFolder folder;
    folder.file("a/box.man", manifest("words.dll"));
    folder.file("b/words.dll", words(u"Default"));
    EXPECT_EQ(meaning({folder.path()}), "Default");
    const std::string named = folder.file("c/words.dll", words(u"Named"));
    EXPECT_EQ(meaning({folder.path("a"), folder.path("b"), named}), "Named");
}

TEST(Parameters, ComeInTheLanguageAskedFor) {
    const TemporaryFolder folder;
    const std::string man = folder.file("box.man", manifest("words.dll"));
    const std::string dll = folder.file("words.dll", words(u"Default"));
    folder.file("de-DE/words.dll.mui", words(u"Standard", 0x0407));
    EXPECT_EQ(meaning({man, dll}, "de-AT"), "Standard");
    EXPECT_EQ(meaning({man, dll}), "Default");
    EXPECT_EQ(meaning({man, folder.path("de-DE/words.dll.mui")}), "Standard");
}

TEST(Parameters, AreNotKnownWhenTheFileIsOfNoUse) {
    const TemporaryFolder folder;
    folder.file("words.dll", std::string(as_text(pe_image({}))));
    const std::string man = folder.file("box.man", manifest("words.dll"));
    EXPECT_EQ(meaning({folder.path()}), "-");
    folder.file("box.man", manifest(""));
    EXPECT_EQ(meaning({folder.path()}), "-");
    folder.file("box.man", manifest("C:\\"));
    EXPECT_EQ(meaning({folder.path()}), "-");
}

} // namespace
} // namespace etl::catalog::parameters_test
