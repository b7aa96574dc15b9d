// What a session records about itself. Of machine sessions:
// tests/unit/sessions/machine/enablements_test.cpp
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace etl::session::session_records_test {
namespace {

using testing::ElementsAre;

/// Per record about an enabled provider, its level.
std::vector<int> levels_in(const std::string& path) {
    std::vector<int> levels;
    for (const auto& [processor, records] : written_to(path).streams) {
        for (const auto& record : records) {
            if (is_enablement(record)) {
                levels.push_back(std::to_integer<int>(record.back()));
            }
        }
    }
    return levels;
}

bool contains(const std::string& path, std::string_view text) {
    for (const auto& [processor, records] : written_to(path).streams) {
        for (const auto& record : records) {
            if (std::ranges::search(record, std::as_bytes(std::span(text))).begin() !=
                record.end()) {
                return true;
            }
        }
    }
    return false;
}

TEST(SessionRecordsTest, NameEnabledProvidersInEachFile) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start({.name = "Morning", .file = folder / "a.etl"});
    ASSERT_TRUE(session);
    ASSERT_TRUE(session->enable(tea, {.level = 3}));
    ASSERT_TRUE(session->enable(tea, {.level = 5}));
    ASSERT_TRUE(session->update({.file = folder / "b.etl"}));
    ASSERT_TRUE(session->disable(tea));
    const auto stopped = session->stop();
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->events_lost, 0U);
    EXPECT_THAT(levels_in(folder / "a.etl"), ElementsAre(3, 5));
    EXPECT_THAT(levels_in(folder / "b.etl"), ElementsAre(5));
}

TEST(SessionRecordsTest, AreRepeatedBeforeWhatIsInMemoryIsWritten) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start({.name = "Ring", .mode = mode::buffering});
    ASSERT_TRUE(session);
    ASSERT_TRUE(session->enable(tea, {.level = 3}));
    ASSERT_TRUE(session->flush(folder / "a.etl"));
    ASSERT_TRUE(session->stop(folder / "b.etl"));
    EXPECT_THAT(levels_in(folder / "a.etl"), ElementsAre(3, 3));
    EXPECT_THAT(levels_in(folder / "b.etl"), ElementsAre(3, 3, 3));
}

TEST(SessionRecordsTest, TellOfClassicProvidersThatOthersTakeOverAndThatReturn) {
    const TestFolder folder;
    SeenEvents seen;
    Runtime runtime({.observer = seen.watch()});
    const auto provider = runtime.add(tea, {}, ProviderKind::classic);
    const auto first = runtime.start({.name = "First", .file = folder / "first.etl"});
    const auto second = runtime.start({.name = "Second", .file = folder / "second.etl"});
    ASSERT_TRUE(first && second);
    ASSERT_TRUE(first->enable(tea));
    ASSERT_TRUE(second->enable(tea));
    const auto taken = seen.last(SessionEvent::Kind::provider_taken_over);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->session_name, "First");
    EXPECT_EQ(taken->other_session, "Second");
    EXPECT_EQ(taken->provider, tea);
    EXPECT_EQ(seen.count(SessionEvent::Kind::provider_returned), 0U);
    ASSERT_TRUE(second->stop());
    EXPECT_EQ(seen.count(SessionEvent::Kind::provider_returned), 1U);
    ASSERT_TRUE(first->stop());
    EXPECT_TRUE(contains(folder / "first.etl", "ProviderTakenOver"));
    EXPECT_TRUE(contains(folder / "first.etl", "ProviderReturned"));
    EXPECT_FALSE(contains(folder / "second.etl", "ProviderTakenOver"));
}

} // namespace
} // namespace etl::session::session_records_test
