#include "base/similar.hpp"

#include <gmock/gmock.h>

namespace etl::similar_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(EditDistance, CountsChangesOfCharacters) {
    EXPECT_EQ(edit_distance("kettle", "kettle"), 0U);
    EXPECT_EQ(edit_distance("ketle", "kettle"), 1U) << "inserted";
    EXPECT_EQ(edit_distance("kettles", "kettle"), 1U) << "removed";
    EXPECT_EQ(edit_distance("nettle", "kettle"), 1U) << "replaced";
    EXPECT_EQ(edit_distance("ketlte", "kettle"), 1U) << "swapped";
    EXPECT_EQ(edit_distance("", "tea"), 3U);
    EXPECT_EQ(edit_distance("tea", "milk"), 4U);
}

TEST(SimilarWords, AreTheBestOnesFirst) {
    const std::vector<std::string> verbs{"dump", "decompress", "merge", "relog"};
    EXPECT_THAT(similar_words("dmup", verbs), ElementsAre("dump"));
    EXPECT_THAT(similar_words("RELOGG", verbs), ElementsAre("relog"));
    EXPECT_THAT(similar_words("compress", verbs), ElementsAre("decompress"));
    EXPECT_THAT(similar_words("tea", verbs), IsEmpty());
}

} // namespace
} // namespace etl::similar_test
