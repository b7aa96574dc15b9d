#include "pages/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cli {
namespace {

TEST(Page, RunsOnlyItsOwnScripts) {
    const std::string html = html_of({.title = "tea", .files = flame_graph_files(), .data = "{}"});
    EXPECT_TRUE(html.contains("default-src 'none'; script-src 'sha256-"));
    EXPECT_FALSE(html.contains("'unsafe-"));
    for (const std::string_view name : flame_graph_files()) {
        const auto file = std::ranges::find(page_files(), name, &PageFile::name);
        ASSERT_NE(file, page_files().end()) << name;
        EXPECT_EQ(file->sha256.size(), 44U);
        EXPECT_TRUE(html.contains(">" + std::string(file->text) + "</"));
        EXPECT_TRUE(html.contains("'sha256-" + std::string(file->sha256) + "'"));
    }
}

TEST(Page, DataCannotEndTheirElement) {
    const std::string html = html_of({.title = "</title><script>",
                                      .files = flame_graph_files(),
                                      .data = R"(["</script><!--<script>"])"});
    EXPECT_TRUE(html.contains(R"(["\u003c/script>\u003c!--\u003cscript>"])"));
    EXPECT_TRUE(html.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
}

} // namespace
} // namespace cli
