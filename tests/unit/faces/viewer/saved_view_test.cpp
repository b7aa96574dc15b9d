// Files of saved views.
#include "viewer/saved_view.hpp"

#include <gmock/gmock.h>

namespace etl::viewer::saved_view_test {
namespace {

TEST(SavedView, HasTracesAndAState) {
    const auto view = parse_saved_view(
        R"({"version": 1, "inputs": ["a.etl", "b c.etl"], "begin": "1", "end": "2",
            "state": "panel=cpu&window=0_10&find=caf%C3%A9+au"})");
    ASSERT_TRUE(view) << view.error().what;
    EXPECT_THAT(view->inputs, testing::ElementsAre("a.etl", "b c.etl"));
    EXPECT_EQ(view->begin + view->end, "12");
    EXPECT_EQ(view->state, "panel=cpu&window=0_10&find=caf%C3%A9+au");
}

TEST(SavedView, SaysWhatIsWrong) {
    const auto about = [](std::string_view json) {
        const auto view = parse_saved_view(json);
        return view ? "nothing" : view.error().what + "|" + view.error().about;
    };
    EXPECT_EQ(about(""), "no saved view|");
    EXPECT_EQ(about("[]"), "no saved view|");
    EXPECT_EQ(about(R"({"inputs": ["a"]})"), "no saved view|");
    EXPECT_EQ(about(R"({"version": 2})"), "version 2 of saved views is unknown|version");
    EXPECT_THAT(about(R"({"version": 1, "inputs": []})"), testing::EndsWith("|inputs"));
    EXPECT_THAT(about(R"({"version": 1, "inputs": [3]})"), testing::EndsWith("|inputs"));
    EXPECT_THAT(about(R"({"version": 1, "inputs": ["a"], "begin": "", "end": ""})"),
                testing::EndsWith("|state"));
    EXPECT_THAT(about(R"({"version": 1, "inputs": ["a"], "begin": "", "end": "",
                          "state": "a=<script>"})"),
                testing::EndsWith("|state"));
}

} // namespace
} // namespace etl::viewer::saved_view_test
