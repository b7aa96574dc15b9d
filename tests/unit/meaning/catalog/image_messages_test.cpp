// The texts for `%%n` in values: from the image that a manifest names, wherever it lies.
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "schema/limits.hpp"
#include "tests/support/images/image_builder.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace etl::catalog::image_messages_test {

namespace {

using test::message_resource;
using test::message_table;
using test::pe_image;
using test::TemporaryFolder;
using test::Wevt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Guid box = *parse_guid("b1c0de00-5a1b-4d0e-8f10-0a0b0c0d0e0f");

Wevt box_wevt() {
    return test::wevt(
        {{.guid = box,
          .name = u"Box",
          .events = {{.id = 1, .message = u"first"}, {.id = 2, .message = u"second"}}}});
}

std::string text_of(const std::vector<std::byte>& bytes) {
    return std::string(as_text(bytes));
}

/// An executable that defines the provider, without any text.
std::string silent() {
    return text_of(pe_image({test::template_resource(box_wevt().crim)}));
}

/// One that holds texts only: those of the provider, `prefix` in front of each.
std::string texts(const std::u16string& prefix, std::uint16_t language = 0x0409) {
    test::Messages messages;
    for (const auto& [id, text] : box_wevt().messages) {
        messages[id] = prefix + text;
    }
    return text_of(pe_image({message_resource(message_table(messages), language)}));
}

Catalog open(std::vector<std::string> paths, std::string culture = "en-US") {
    const Options options{.paths = std::move(paths),
                          .environment = false,
                          .built_in = false,
                          .culture = std::move(culture)};
    auto catalog = Catalog::open(options);
    EXPECT_TRUE(catalog) << catalog.error().path << ": " << describe(catalog.error().error);
    return catalog ? std::move(*catalog) : std::move(*Catalog::open({.environment = false}));
}

/// The message of event 1, after loading what the provider needs.
std::string first_message(Catalog& catalog) {
    schema::SchemaStore store;
    catalog.load({box}, store);
    store.freeze();
    const auto found = store.find({box, 1, 0});
    return found.candidates.empty() ? "no event" : found.candidates.front()->message;
}

std::string first_message(std::vector<std::string> paths, std::string culture = "en-US") {
    Catalog catalog = open(std::move(paths), std::move(culture));
    const std::string message = first_message(catalog);
    EXPECT_THAT(catalog.remarks(), IsEmpty());
    return message;
}

TEST(Images, BringTheirOwnTexts) {
    const TemporaryFolder folder;
    const Wevt wevt = box_wevt();
    const std::string path =
        folder.file("box.dll", text_of(pe_image({test::template_resource(wevt.crim),
                                                 message_resource(message_table(wevt.messages))})));
    EXPECT_EQ(first_message({path}), "first");
    EXPECT_EQ(first_message({folder.path()}), "first");
}

TEST(Images, FindTheirMuiFileWhateverItsCase) {
    const TemporaryFolder folder;
    const std::string path = folder.file("Box.dll", silent());
    EXPECT_EQ(first_message({path}), "");
    folder.file("EN-us/BOX.DLL.MUI", texts(u"en "));
    EXPECT_EQ(first_message({path}), "en first");
    EXPECT_EQ(first_message({folder.path()}), "en first");
}

TEST(Images, ChooseTheMuiFileByCulture) {
    const TemporaryFolder folder;
    const std::string path = folder.file("box.dll", silent());
    folder.file("de-DE/box.dll.mui", texts(u"de ", 0x0407));
    folder.file("en-US/box.dll.mui", texts(u"en "));
    folder.file("fr/box.dll.mui", texts(u"fr ", 0x040C));
    folder.file("xx/other.dll.mui", texts(u"xx "));
    EXPECT_EQ(first_message({path}, "de-DE"), "de first");
    EXPECT_EQ(first_message({path}, "fr-CA"), "fr first");
    EXPECT_EQ(first_message({path}, "ja-JP"), "en first");
    std::filesystem::remove_all(folder.path("en-US"));
    EXPECT_EQ(first_message({path}, "ja-JP"), "de first");
}

TEST(Images, PreferTheLanguageAskedForToTheirOwn) {
    const TemporaryFolder folder;
    const Wevt wevt = box_wevt();
    const std::string path =
        folder.file("box.dll", text_of(pe_image({test::template_resource(wevt.crim),
                                                 message_resource(message_table(wevt.messages))})));
    folder.file("de-DE/box.dll.mui", texts(u"de ", 0x0407));
    EXPECT_EQ(first_message({path}, "de-DE"), "de first");
    EXPECT_EQ(first_message({path}), "first");
}

TEST(Images, TakeAMuiFileThatTheUserNamed) {
    const TemporaryFolder folder;
    const std::string path = folder.file("box.dll", silent());
    folder.file("en-US/box.dll.mui", texts(u"en "));
    const std::string other = folder.file("elsewhere/BOX.dll.mui", texts(u"named "));
    EXPECT_EQ(first_message({path, other}), "named first");
    EXPECT_EQ(first_message({other, path}), "named first");
}

TEST(Images, WithoutAnyTextBorrowFromImagesThatTheUserNamed) {
    const TemporaryFolder folder;
    const std::string path = folder.file("box.dll", silent());
    const std::string few = folder.file(
        "few.dll", text_of(pe_image({message_resource(message_table({{0xB0000001, u"few"}}))})));
    const std::string all = folder.file("all.dll", texts(u"lent "));
    EXPECT_EQ(first_message({few, path, all}), "lent first");
    // An image that has texts is not mistaken: all providers use the same ids.
    folder.file("en-US/box.dll.mui", texts(u"en "));
    EXPECT_EQ(first_message({few, path, all}), "en first");
    // Nor does one borrow from what only lies in a folder.
    std::filesystem::remove_all(folder.path("en-US"));
    EXPECT_EQ(first_message({folder.path()}), "");
}

TEST(Images, BorrowFromAnImageThatIsReadOnce) {
    const TemporaryFolder folder;
    const Guid other = *parse_guid("b1c0de00-5a1b-4d0e-8f10-0a0b0c0d0e0e");
    const Wevt second =
        test::wevt({{.guid = other, .name = u"Other", .events = {{.id = 1, .message = u"x"}}}});
    Catalog catalog =
        open({folder.file("box.dll", silent()),
              folder.file("other.dll", text_of(pe_image({test::template_resource(second.crim)}))),
              folder.file("all.dll", texts(u"lent "))});
    EXPECT_EQ(first_message(catalog), "lent first");
    std::filesystem::remove(folder.path("all.dll"));
    schema::SchemaStore store;
    catalog.load({other}, store);
    store.freeze();
    const auto found = store.find({other, 1, 0});
    ASSERT_FALSE(found.candidates.empty());
    EXPECT_EQ(found.candidates.front()->message, "lent first");
}

TEST(Images, KeepTheirTextsBesideATableThatIsDamaged) {
    const TemporaryFolder folder;
    const Wevt wevt = box_wevt();
    const std::string path = folder.file(
        "box.dll",
        text_of(pe_image({test::template_resource(wevt.crim),
                          message_resource(message_table(wevt.messages), 0x0407),
                          message_resource(std::vector<std::byte>(1, std::byte{9}), 0x0409)})));
    Catalog catalog = open({path});
    EXPECT_EQ(first_message(catalog), "first");
    ASSERT_THAT(catalog.remarks(), SizeIs(1));
    EXPECT_FALSE(catalog.remarks()[0].rejected);
    EXPECT_THAT(catalog.remarks()[0].text, HasSubstr("message table"));
}

TEST(Images, InFoldersAreSilentlyPassedOverWhenTheyDefineNothing) {
    const TemporaryFolder folder;
    folder.file("a.dll", text_of(pe_image({})));
    folder.file("b.exe", "MZ and no more");
    folder.file("c.sys", silent().substr(0, 700));
    folder.file("d.dll", texts(u""));
    folder.file("box.dll", silent());
    Catalog catalog = open({folder.path()});
    EXPECT_EQ(catalog.files(), 1U);
    EXPECT_EQ(first_message(catalog), "");
    ASSERT_THAT(catalog.remarks(), SizeIs(1)); // unless they may have defined something
    EXPECT_EQ(catalog.remarks()[0].file, folder.path() + "/c.sys");
    EXPECT_TRUE(catalog.remarks()[0].damaged);
}

TEST(Images, ThatAreTruncatedAreReportedWithTheOffset) {
    const TemporaryFolder folder;
    const std::string whole = silent();
    const std::size_t resource = whole.find("CRIM");
    ASSERT_NE(resource, std::string::npos);
    const auto error_of = [&](std::size_t size) {
        const auto catalog = Catalog::open(
            {.paths = {folder.file("x.dll", whole.substr(0, size))}, .environment = false});
        return catalog ? std::string("none") : describe(catalog.error().error);
    };
    // Nothing is left of the provider: not "holds neither providers nor messages".
    EXPECT_THAT(error_of(resource),
                HasSubstr(fmt::format("truncated: WEVT_TEMPLATE resource at {:#x}", resource)));
    EXPECT_THAT(error_of(resource - 8), HasSubstr("truncated: "));
    // The provider is there, its last bytes are not.
    const std::string path = folder.file("part.dll", whole.substr(0, whole.find("CRIM") + 100));
    Catalog catalog = open({path});
    ASSERT_THAT(catalog.remarks(), SizeIs(1));
    EXPECT_TRUE(catalog.remarks()[0].damaged);
    EXPECT_EQ(catalog.remarks()[0].file, path);
    EXPECT_THAT(
        catalog.remarks()[0].text,
        HasSubstr(fmt::format("truncated: WEVT_TEMPLATE resource at {:#x}: needs", resource)));
}

TEST(Images, ThatTheUserNamedMustDefineSomething) {
    const TemporaryFolder folder;
    const auto error_of = [&](const std::string& content) {
        const auto catalog =
            Catalog::open({.paths = {folder.file("x.dll", content)}, .environment = false});
        return catalog ? std::string("none") : describe(catalog.error().error);
    };
    EXPECT_THAT(error_of(text_of(pe_image({}))),
                HasSubstr("malformed: the executable contains neither providers nor messages"));
    EXPECT_THAT(error_of("MZ and no more"), HasSubstr("truncated: header of an executable"));
    EXPECT_EQ(error_of(texts(u"")), "none");
}

TEST(Images, MayBeLargerThanOtherFilesOfSchemas) {
    const TemporaryFolder folder;
    const std::string path = folder.file("large.exe", silent());
    std::filesystem::resize_file(path, schema::limits::manifest_file_bytes + 1);
    EXPECT_EQ(first_message({path}), "");
}

TEST(Images, SayWhereTheyAreDamaged) {
    const TemporaryFolder folder;
    std::string content = silent();
    content.replace(content.find("WEVT"), 4, "????");
    const std::string path = folder.file("box.dll", content);
    Catalog catalog = open({path});
    EXPECT_EQ(first_message(catalog), "no event");
    ASSERT_THAT(catalog.remarks(), SizeIs(1));
    EXPECT_TRUE(catalog.remarks()[0].rejected);
    EXPECT_EQ(catalog.remarks()[0].file, path);
    EXPECT_THAT(catalog.remarks()[0].text, HasSubstr("signature of a provider at 0x"));
}

TEST(Images, TellOfAMuiFileThatIsDamaged) {
    const TemporaryFolder folder;
    const std::string path = folder.file("box.dll", silent());
    const std::string mui = folder.file("en-US/box.dll.mui", "MZ and no more");
    Catalog catalog = open({path});
    EXPECT_EQ(first_message(catalog), "");
    ASSERT_THAT(catalog.remarks(), SizeIs(1));
    EXPECT_FALSE(catalog.remarks()[0].rejected);
    EXPECT_EQ(catalog.remarks()[0].file, mui);
}

TEST(Images, InArchivesFindTheirMuiFileThere) {
    const TemporaryFolder folder;
    const auto packed = test::pack("zip", {{"win/de-DE/box.dll.mui", texts(u"de ", 0x0407)},
                                           {"win/Box.dll", silent()},
                                           {"win/EN-US/box.DLL.mui", texts(u"en ")},
                                           {"other/ja-JP/box.dll.mui", texts(u"ja ")}});
    const std::string path = folder.file("win.zip", text_of(packed));
    EXPECT_EQ(first_message({path}), "en first");
    EXPECT_EQ(first_message({path}, "de-DE"), "de first");
    EXPECT_EQ(first_message({path}, "ja-JP"), "en first");
}

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

} // namespace etl::catalog::image_messages_test
