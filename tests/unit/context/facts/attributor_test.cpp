#include "facts/attributor.hpp"
#include "flow/context.hpp"
#include "tests/unit/context/facts/facts_of.hpp"

#include <gmock/gmock.h>

#include <utility>

namespace etl::facts::attributor_test {
namespace {

constexpr std::uint32_t kettle = 1200, cup = 1300, idle = 0;
constexpr std::uint32_t cook = 41, guest = 51;
constexpr Attribution nobody{};
constexpr Attribution machine_itself{.is_complete = true};

Attribution about(std::uint32_t process) {
    return {.process = process, .is_complete = true};
}

const std::vector<KernelRecord> machine{
    process_record(1'000'001, Life::rundown_at_start, kettle, "kettle.exe"),
    thread_record(1'000'002, Life::rundown_at_start, kettle, cook),
    process_record(1'000'003, Life::rundown_at_start, cup, "cup.exe"),
    thread_record(1'000'004, Life::rundown_at_start, cup, guest),
};

/// The attributions of all events of a trace, its log file header left out, in time order.
std::vector<Attribution> attributions(test::Image image) {
    const auto reader = open(std::move(image));
    auto facts = std::make_shared<FactsByTrace>();
    facts->push_back(facts_of(*reader));
    Attributor attributor(facts, kernel_store());
    flow::EventCursor events(*reader);
    std::vector<Attribution> all;
    while (const flow::Event* event = events.next()) {
        if (!flow::is_logfile_header(*event)) {
            all.push_back(attributor.attribute(*event));
        }
    }
    return all;
}

/// Of a record in a trace that records the machine first.
Attribution attribution(const KernelRecord& record) {
    auto all = machine;
    all.push_back(record);
    const auto found = attributions(trace_of(all));
    EXPECT_EQ(found.size(), all.size());
    return found.back();
}

TEST(Attributor, TakesTheProcessThatThePayloadNames) {
    EXPECT_EQ(attribution(tcp_send_record(2'000'000, kettle)), about(kettle));
    EXPECT_EQ(attribution(virtual_alloc_record(2'000'000, kettle)), about(kettle));
    EXPECT_EQ(attribution(stack_record(2'000'000, 1'999'999, kettle, 7, {1})), about(kettle));
    EXPECT_EQ(attribution(process_record(2'000'000, Life::start, 77, "new.exe")), about(77));
    EXPECT_EQ(attribution(thread_record(2'000'000, Life::start, kettle, 78)), about(kettle));
    EXPECT_EQ(attribution(image_record(2'000'000, Life::start, kettle, 0x1000, 16, u"a.dll")),
              about(kettle));
}

TEST(Attributor, SaysTheSameOfAnEventWithAndWithoutDecoding) {
    auto all = machine;
    for (std::int64_t time = 2'000'000; time < 2'000'010; ++time) {
        all.push_back(sample_record(time, 0x1234, cook));
        all.push_back(switch_record(time, cook, guest));
        all.push_back(stack_record(time, 1'999'999, kettle, 7, {1, 2}));
        all.push_back(disk_read_record(time, 0, 0, 0, guest));
        all.push_back(process_record(time, Life::start, 77, "new.exe"));
        for (const std::size_t left : {std::size_t{2}, std::size_t{6}}) {
            all.push_back(switch_record(time, cook, guest));
            all.back().payload.resize(left);
        }
    }
    const auto reader = open(trace_of(all));
    auto facts = std::make_shared<FactsByTrace>();
    facts->push_back(facts_of(*reader));
    Attributor attributor(facts, kernel_store()), of_decoded(facts, kernel_store());
    decode::Decoder decoder(kernel_store());
    flow::EventCursor events(*reader);
    while (const flow::Event* event = events.next()) {
        EXPECT_EQ(attributor.attribute(*event),
                  of_decoded.attribute(decoder.decode(*event), decoder.generation()));
    }
}

TEST(Attributor, TakesTheProcessOfTheThreadThatThePayloadNames) {
    EXPECT_EQ(attribution(sample_record(2'000'000, 0x1234, cook)), about(kettle));
    EXPECT_EQ(attribution(disk_read_record(2'000'000, 0, 0, 0, cook)), about(kettle));
    EXPECT_EQ(attribution(file_read_record(2'000'000, 0xAAA0, cook)), about(kettle));
    EXPECT_EQ(attribution(hard_fault_record(2'000'000, cook)), about(kettle));
    EXPECT_EQ(attribution(ready_record(2'000'000, cook)), about(kettle));
}

TEST(Attributor, AContextSwitchIsAboutBothProcesses) {
    EXPECT_EQ(attribution(switch_record(2'000'000, cook, guest)),
              (Attribution{.process = kettle, .switched_out = cup, .is_complete = true}));
    EXPECT_EQ(attribution(switch_record(2'000'000, 0, guest)),
              (Attribution{.process = idle, .switched_out = cup, .is_complete = true}));
    EXPECT_EQ(attribution(switch_record(2'000'000, 999, guest)),
              (Attribution{.process = flow::no_id, .switched_out = cup}));
    EXPECT_EQ(attribution(switch_record(2'000'000, guest, 999)),
              (Attribution{.process = cup, .switched_out = flow::no_id}));
}

TEST(Attributor, ThePayloadTakesPrecedenceOverTheHeader) {
    EXPECT_EQ(attribution(process_record(2'000'000, Life::start, 77, "new.exe").by(cup, guest)),
              about(77));
    EXPECT_EQ(attribution(tcp_send_record(2'000'000, kettle).by(cup, guest)), about(kettle));
    EXPECT_EQ(attribution(ready_record(2'000'000, cook).by(cup, guest)), about(kettle));
    EXPECT_EQ(attribution(disk_read_record(2'000'000, 0, 0, 0, 999).by(cup, guest)), nobody)
        << "the thread is unknown, and the header names another one";
}

TEST(Attributor, TheHeaderNamesTheProcessOfItsOwnThread) {
    EXPECT_EQ(attribution(disk_read_record(2'000'000, 0, 0, 0, 999).by(77, 999)), about(77));
}

TEST(Attributor, TheHeaderDecidesIfThePayloadNamesNothing) {
    EXPECT_EQ(attribution(system_call_record(2'000'000, 1).by(kettle, cook)), about(kettle));
    EXPECT_EQ(attribution(system_call_record(2'000'000, 1).by(flow::no_id, cook)), about(kettle));
}

TEST(Attributor, GuessesNothing) {
    EXPECT_EQ(attribution(system_call_record(2'000'000, 1)), nobody);
    EXPECT_EQ(attribution(dpc_record(2'000'000, 1)), nobody);
    EXPECT_EQ(attribution(file_end_record(2'000'000)), nobody);
    EXPECT_EQ(attribution(sample_record(2'000'000, 1, 999)), nobody);
    EXPECT_EQ(attribution(disk_read_record(2'000'000, 0, 0, 0, 0)), nobody)
        << "no idle thread reads";
    EXPECT_EQ(attribution(tcp_send_record(2'000'000, flow::no_id)), nobody);
    KernelRecord cut = tcp_send_record(2'000'000, kettle).by(cup, guest);
    cut.payload.resize(2);
    EXPECT_EQ(attribution(cut), nobody) << "the header is not asked in its place";
}

TEST(Attributor, TheMachineIsNoProcess) {
    EXPECT_EQ(attribution(drive_record(2'000'000, 0, 0, 1, u"C:").by(kettle, cook)),
              machine_itself);
    EXPECT_EQ(attribution(file_name_record(2'000'000, 36, 1, u"a")), machine_itself);
    EXPECT_EQ(attribution(key_frames_record(2'000'000, KeyMoment::rundown, 1, {1})),
              machine_itself);
    EXPECT_EQ(attribution(image_record(2'000'000, Life::start, 0, 0x1000, 16, u"a.sys")),
              machine_itself);
}

TEST(Attributor, AThreadBelongsToTheProcessThatHadItThen) {
    const auto found = attributions(trace_of({
        thread_record(100, Life::start, kettle, cook),
        sample_record(150, 1, cook),
        thread_record(200, Life::end, kettle, cook),
        sample_record(250, 1, cook),
        thread_record(300, Life::start, cup, cook),
        sample_record(350, 1, cook),
    }));
    EXPECT_EQ(found.at(1), about(kettle));
    EXPECT_EQ(found.at(3), about(kettle)) << "until the number is given again";
    EXPECT_EQ(found.at(5), about(cup));
}

TEST(Attributor, TakesTheHeaderOfOtherProviders) {
    TraceBuilder trace({.processors = 1});
    BufferBuilder& buffer = trace.buffer();
    buffer.add(format::EventRecord{.process_id = kettle,
                                   .thread_id = cook,
                                   .time = 1'000'001,
                                   .provider = *parse_guid("7c2f1d5e-3b1a-4e0f-9c55-0d7a61b2e490"),
                                   .descriptor = {.id = 9}});
    // Microsoft-Windows-Kernel-Network without its manifest: the header is that of any thread.
    buffer.add(format::EventRecord{.process_id = kettle,
                                   .thread_id = cook,
                                   .time = 1'000'002,
                                   .provider = *parse_guid("7dd42a49-5329-4832-8dfd-43d979153a88"),
                                   .descriptor = {.id = 10}});
    const auto found = attributions(trace.build());
    EXPECT_EQ(found.at(0), about(kettle));
    EXPECT_EQ(found.at(1), nobody);
}

TEST(Attributor, ATraceWithoutFactsHasNoKnownThreads) {
    const auto reader =
        open(trace_of({sample_record(2'000'000, 1, cook), tcp_send_record(2'000'001, kettle)}));
    Attributor attributor(std::make_shared<FactsByTrace>(), kernel_store());
    flow::EventCursor events(*reader);
    EXPECT_EQ(attributor.attribute(*events.next()), machine_itself) << "the log file header";
    EXPECT_EQ(attributor.attribute(*events.next()), nobody);
    EXPECT_EQ(attributor.attribute(*events.next()), about(kettle));
}

TEST(Attributor, FactsOfProcessesSuffice) {
    const auto reader = open(trace_of(machine));
    Collector collector(kernel_store(), {.scope = Scope::processes}, 1);
    reader->for_each_buffer(1, [&](unsigned worker, const trace::BufferEntry& entry, flow::Run e) {
        collector.add(worker, static_cast<std::size_t>(&entry - reader->buffers().data()), e);
    });
    const Facts facts = collector.finish();
    EXPECT_EQ(facts.process_of_thread(cook, 2'000'000), kettle);
    EXPECT_EQ(name_of(facts, kettle, 2'000'000), "kettle.exe");
    EXPECT_EQ(facts.processes().size(), 2U);
}

} // namespace
} // namespace etl::facts::attributor_test

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
