#include "base/byte_writer.hpp"
#include "base/text.hpp"
#include "schema/mof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::mof_scan_test {
namespace {

using namespace etl::literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Guid one = "11111111-2222-3333-4444-555555555555"_guid;
constexpr Guid two = "99999999-8888-7777-6666-555555555555"_guid;

std::vector<Guid> scan(std::string_view text) {
    return scan_mof_classes(std::as_bytes(std::span(text)));
}

TEST(ScanMof, FindsGuidsInEverySpelling) {
    EXPECT_THAT(scan("[Guid(\"{11111111-2222-3333-4444-555555555555}\")] class A {};"),
                ElementsAre(one));
    EXPECT_THAT(scan("// text\n[dynamic,\n GUID ( \"99999999-8888-7777-6666-555555555555\" )]\n"
                     "Class A {};"),
                ElementsAre(two));
}

TEST(ScanMof, FindsSeveralClassesOnce) {
    EXPECT_THAT(scan("#pragma autorecover\n"
                     "[Guid(\"{11111111-2222-3333-4444-555555555555}\")] class A {};\n"
                     "[guid(\"{99999999-8888-7777-6666-555555555555}\")] class B {};\n"
                     "[Guid(\"{11111111-2222-3333-4444-555555555555}\")] class C {};"),
                ElementsAre(one, two));
}

TEST(ScanMof, IsNotFooledByOtherFiles) {
    constexpr std::string_view guid = "Guid(\"{11111111-2222-3333-4444-555555555555}\") class ";
    EXPECT_THAT(scan(""), IsEmpty());
    EXPECT_THAT(scan("// a comment"), IsEmpty());
    EXPECT_THAT(scan("<xml> " + std::string(guid)), IsEmpty());
    EXPECT_THAT(scan("MZ " + std::string(guid)), IsEmpty());
    EXPECT_THAT(scan("[Guid(\"{11111111-2222-3333-4444-555555555555}\")] classes"), IsEmpty());
    EXPECT_THAT(scan("[MyGuid(\"{11111111-2222-3333-4444-555555555555}\")] class A"), IsEmpty());
    EXPECT_THAT(scan("[Guid(\"{11111111-2222\")] class A"), IsEmpty());
    EXPECT_THAT(scan("[Guid(\"{11111111-2222-3333-4444-555555555555}"), IsEmpty());
    EXPECT_THAT(scan("class Guid"), IsEmpty());
    EXPECT_THAT(scan(std::string("[\0", 2) + std::string(guid)), IsEmpty());
}

TEST(ScanMof, ReadsUtf16) {
    const auto text = to_utf16("[Guid(\"{11111111-2222-3333-4444-555555555555}\")] class A {};");
    ByteWriter marked;
    marked.u16(0xFEFF).text16(text);
    EXPECT_THAT(scan_mof_classes(marked.view()), ElementsAre(one));
    ByteWriter unmarked;
    unmarked.text16(text);
    EXPECT_THAT(scan_mof_classes(unmarked.view()), ElementsAre(one));
}

} // namespace
} // namespace etl::schema::mof_scan_test
