#include "facts/process_matcher.hpp"
#include "flow/context.hpp"
#include "tests/unit/context/facts/facts_of.hpp"

#include <gmock/gmock.h>

namespace etl::facts::process_matcher_test {
namespace {

using testing::ElementsAre;
using Verdict = ProcessMatcher::Verdict;

constexpr std::uint32_t kitchen = 1200, cook = 41;

TEST(ProcessSelection, NumbersAreIdsAndEverythingElseIsAName) {
    const std::vector<std::string> words{"4242", "0x1f", "kettle", "7zip.exe", "99999999999", "*"};
    const ProcessSelection selection = parse_process_selection(words);
    EXPECT_THAT(selection.ids, ElementsAre(4242U, 0x1FU));
    EXPECT_THAT(selection.names, ElementsAre("kettle", "7zip.exe", "99999999999", "*"));
}

TEST(ProcessSelection, ANameMatchesWithAndWithoutItsExtension) {
    EXPECT_TRUE(matches_process_name("kettle", "kettle.exe"));
    EXPECT_TRUE(matches_process_name("KETTLE.EXE", "kettle.exe"));
    EXPECT_TRUE(matches_process_name("ket*", "Kettle.exe"));
    EXPECT_TRUE(matches_process_name("system", "System"));
    EXPECT_FALSE(matches_process_name("kettle", "kettle.exe.exe"));
    EXPECT_FALSE(matches_process_name("ettle", "kettle.exe"));
    EXPECT_FALSE(matches_process_name("kettle", "exe"));
    EXPECT_FALSE(matches_process_name("?ettle", "ettle.exe"));
}

/// One verdict for each event but the log file header, in time order.
std::vector<Verdict> verdicts(const std::vector<KernelRecord>& records,
                              std::vector<std::string> words) {
    const auto reader = open(trace_of(records));
    auto facts = std::make_shared<FactsByTrace>();
    facts->push_back(facts_of(*reader));
    ProcessMatcher matcher(parse_process_selection(words), Attributor(facts, kernel_store()));
    flow::EventCursor events(*reader);
    std::vector<Verdict> all;
    while (const flow::Event* event = events.next()) {
        if (!flow::is_logfile_header(*event)) {
            all.push_back(matcher(*event));
        }
    }
    return all;
}

const std::vector<KernelRecord> reuse{
    process_record(100, Life::rundown_at_start, kitchen, "kettle.exe"),
    thread_record(101, Life::rundown_at_start, kitchen, cook),
    sample_record(150, 1, cook),
    process_record(200, Life::end, kitchen, "kettle.exe"),
    process_record(300, Life::start, kitchen, "cup.exe"),
    sample_record(350, 1, cook),
};

TEST(ProcessMatcher, ANameMatchesTheProcessThatHasItThen) {
    constexpr auto yes = Verdict::matches, no = Verdict::differs;
    EXPECT_THAT(verdicts(reuse, {"kettle"}), ElementsAre(yes, yes, yes, yes, no, no));
    EXPECT_THAT(verdicts(reuse, {"cup.exe"}), ElementsAre(no, no, no, no, yes, yes));
    EXPECT_THAT(verdicts(reuse, {"spoon", "k*"}), ElementsAre(yes, yes, yes, yes, no, no));
}

TEST(ProcessMatcher, AnIdMatchesEveryProcessOfThatNumber) {
    EXPECT_THAT(verdicts(reuse, {"1200"}), testing::Each(Verdict::matches));
    EXPECT_THAT(verdicts(reuse, {"120"}), testing::Each(Verdict::differs));
}

TEST(ProcessMatcher, SaysWhatItCannotTell) {
    const std::vector<KernelRecord> records{
        sample_record(100, 1, 999),
        dpc_record(110, 1),
        tcp_send_record(120, 77),
        drive_record(130, 0, 0, 1, u"C:"),
    };
    EXPECT_THAT(verdicts(records, {"kettle"}),
                ElementsAre(Verdict::unattributed, Verdict::unattributed, Verdict::unnamed,
                            Verdict::differs));
    EXPECT_THAT(verdicts(records, {"78", "kettle"}).at(2), Verdict::unnamed);
    EXPECT_THAT(verdicts(records, {"77", "kettle"}).at(2), Verdict::matches);
    EXPECT_THAT(verdicts(records, {"78"}), ElementsAre(Verdict::unattributed, Verdict::unattributed,
                                                       Verdict::differs, Verdict::differs))
        << "a name does not matter";
}

TEST(ProcessMatcher, EitherSideOfAContextSwitchMatches) {
    std::vector<KernelRecord> records{
        process_record(100, Life::rundown_at_start, kitchen, "kettle.exe"),
        thread_record(101, Life::rundown_at_start, kitchen, cook),
        process_record(102, Life::rundown_at_start, 0, "Idle"),
        switch_record(200, cook, 0),
        switch_record(201, 0, cook),
        switch_record(202, 999, cook),
        switch_record(203, cook, 999),
        switch_record(204, 0, 999),
    };
    const auto all = verdicts(records, {"kettle"});
    EXPECT_THAT(std::vector(all.begin() + 3, all.end()),
                ElementsAre(Verdict::matches, Verdict::matches, Verdict::matches, Verdict::matches,
                            Verdict::unattributed));
}

} // namespace
} // namespace etl::facts::process_matcher_test
