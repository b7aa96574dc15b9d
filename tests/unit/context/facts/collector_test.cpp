#include "facts/limits.hpp"
#include "tests/unit/context/facts/facts_of.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace etl::facts::collector_test {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t kernel_base = 0xFFFFF80000000000;

std::vector<std::uint64_t> frames_at(const Facts& facts, std::int64_t time, std::uint32_t thread) {
    std::vector<std::uint64_t> all;
    for (const StackPart& part : facts.stacks(time)) {
        if (part.thread == thread) {
            const auto frames = facts.frames(part);
            all.insert(all.end(), frames.begin(), frames.end());
        }
    }
    return all;
}

TEST(Collector, NamesAProcessFromItsStartOn) {
    const Facts facts =
        facts_of({process_record(50, Life::start, 1200, "kettle.exe", u"kettle.exe -boil", 800)});
    EXPECT_EQ(name_of(facts, 1200, 49), "?");
    EXPECT_EQ(name_of(facts, 1200, 50), "kettle.exe");
    const auto kettle = facts.process(1200, 60);
    ASSERT_TRUE(kettle);
    EXPECT_EQ(kettle->command_line, "kettle.exe -boil");
    EXPECT_EQ(kettle->parent, 800U);
    EXPECT_EQ(kettle->begin, 50);
}

TEST(Collector, HasNoFactsIfItIsStopped) {
    const auto reader = open(trace_of({process_record(100, Life::start, 7, "kettle.exe")}));
    Stop stop;
    for (const bool is_stopped : {false, true}) {
        if (is_stopped) {
            stop.request();
        }
        Collector collector(kernel_store(), {.stop = &stop}, 1);
        EXPECT_EQ(collector.read(*reader, 1).counts().processes, is_stopped ? 0U : 1U);
    }
}

TEST(Collector, ARundownAtTheEndNamesTheProcessFromTheBeginning) {
    const Facts facts = facts_of({process_record(900, Life::rundown_at_end, 1200, "kettle.exe")});
    EXPECT_EQ(name_of(facts, 1200, 1), "kettle.exe");
}

TEST(Collector, TellsTheOwnersOfAReusedProcessIdApart) {
    const Facts facts = facts_of({process_record(10, Life::rundown_at_start, 1200, "cup.exe"),
                                  process_record(100, Life::end, 1200, "cup.exe"),
                                  process_record(200, Life::start, 1200, "spoon.exe"),
                                  process_record(900, Life::rundown_at_end, 1200, "spoon.exe")});
    EXPECT_EQ(name_of(facts, 1200, 5), "cup.exe");
    EXPECT_EQ(name_of(facts, 1200, 199), "cup.exe") << "until the number is given again";
    EXPECT_EQ(name_of(facts, 1200, 200), "spoon.exe");
    EXPECT_EQ(facts.counts().processes, 2U);
    EXPECT_EQ(facts.process(1200, 5)->end, 100);
}

TEST(Collector, KnowsWhileWhichTimeAProcessIdIsOfOneProcess) {
    const Facts facts = facts_of({process_record(10, Life::start, 1200, "cup.exe"),
                                  process_record(100, Life::end, 1200, "cup.exe"),
                                  process_record(200, Life::start, 1200, "spoon.exe")});
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(facts.life_around(1200, 9), (std::pair{least, std::int64_t{10}}));
    EXPECT_EQ(facts.life_around(1200, 10), (std::pair{std::int64_t{10}, std::int64_t{200}}));
    EXPECT_EQ(facts.life_around(1200, 199), (std::pair{std::int64_t{10}, std::int64_t{200}}));
    EXPECT_EQ(facts.life_around(1200, 200), (std::pair{std::int64_t{200}, most}));
    EXPECT_EQ(facts.life_around(1300, 200), (std::pair{least, most}));
}

TEST(Collector, FindsTheFirstSamplingInterval) {
    const auto stated = [](std::int64_t time, std::uint16_t hook, std::uint32_t source,
                           std::uint32_t interval, std::uint32_t old) {
        ByteWriter payload;
        payload.u32(source).u32(interval).u32(old);
        return KernelRecord{hook, 2, time, payload.take()};
    };
    EXPECT_EQ(facts_of({}).first_sampling_interval(), std::nullopt);
    EXPECT_EQ(facts_of({stated(10, 0x0F4A, 1, 5, 5), stated(11, 0x0F4A, 0, 0, 5),
                        stated(12, 0x0F4A, 0, 1221, 10'000), stated(13, 0x0F48, 0, 7, 1221)})
                  .first_sampling_interval(),
              1221U)
        << "that of the timer at the end of a collection";
    EXPECT_EQ(facts_of({stated(10, 0x0F48, 0, 5000, 2500)}).first_sampling_interval(), 2500U);
    EXPECT_EQ(facts_of({stated(10, 0x0F48, 0, 5000, 0)}).first_sampling_interval(), 5000U);
    EXPECT_EQ(facts_of({{0x0F48, 2, 10, std::vector<std::byte>(6)}}).first_sampling_interval(),
              std::nullopt)
        << "too short";
}

TEST(Collector, FindsTheIntervalsAndNamesOfCounters) {
    const auto stated = [](std::int64_t time, std::uint8_t version, std::uint32_t source,
                           std::uint32_t interval, std::u16string_view name) {
        ByteWriter payload;
        payload.u32(source).u32(interval).u32(9).zero_terminated16(name);
        return KernelRecord{0x0F49, version, time, payload.take()};
    };
    const Facts facts = facts_of({stated(20, 3, 27, 4'000, u"Other"), stated(10, 3, 27, 2'000, u""),
                                  stated(30, 2, 10, 5, u"not of this version"),
                                  stated(40, 3, 0, 10'000, u"Timer")});
    EXPECT_EQ(facts.first_sampling_interval(27), 2'000U);
    EXPECT_EQ(facts.sample_source(27), "Other");
    EXPECT_EQ(facts.first_sampling_interval(10), 5U);
    EXPECT_EQ(facts.sample_source(10), "");
    EXPECT_EQ(facts.first_sampling_interval(), 10'000U);
    EXPECT_EQ(facts.sample_source(0), "Timer");
    EXPECT_EQ(facts.first_sampling_interval(28), std::nullopt);
}

TEST(Collector, KeepsAFewThousandSourcesOfSamples) {
    TraceBuilder trace({.buffer_size = 0x10000});
    BufferBuilder* buffer = nullptr;
    constexpr std::uint32_t in_buffer = 1024;
    for (std::uint32_t source = 0; source < facts::limits::fact_sample_sources + 3; ++source) {
        buffer = source % in_buffer == 0 ? &trace.buffer() : buffer;
        ByteWriter payload;
        payload.u32(source).u32(1).u32(1);
        KernelRecord{0x0F49, 2, 10, payload.take()}.add_to(*buffer);
    }
    const Facts facts = facts_of(*open(trace.build()));
    EXPECT_EQ(facts.first_sampling_interval(facts::limits::fact_sample_sources - 1), 1U);
    EXPECT_EQ(facts.first_sampling_interval(facts::limits::fact_sample_sources), std::nullopt);
}

TEST(Collector, FindsTheProcessOfAThread) {
    const Facts facts = facts_of({thread_record(10, Life::rundown_at_start, 1200, 41),
                                  thread_record(50, Life::end, 1200, 41),
                                  thread_record(60, Life::start, 1300, 41)});
    EXPECT_EQ(facts.process_of_thread(41, 20), 1200U);
    EXPECT_EQ(facts.process_of_thread(41, 60), 1300U);
    EXPECT_EQ(facts.process_of_thread(42, 60), flow::no_id);
}

TEST(Collector, FindsTheImageOfAnAddressWhileItIsLoaded) {
    const Facts facts =
        facts_of({image_record(10, Life::start, 1200, 0x10000, 0x5000, u"\\Device\\D\\tea.dll"),
                  image_record(80, Life::end, 1200, 0x10000, 0x5000, u"\\Device\\D\\tea.dll"),
                  image_record(90, Life::start, 1200, 0x12000, 0x1000, u"\\Device\\D\\milk.dll")});
    const auto tea = facts.image(1200, 0x12345, 20);
    ASSERT_TRUE(tea);
    EXPECT_EQ(tea->name(), "tea.dll");
    EXPECT_EQ(tea->path, "\\Device\\D\\tea.dll");
    EXPECT_EQ(tea->base, 0x10000U);
    EXPECT_FALSE(facts.image(1200, 0x12345, 85)) << "unloaded";
    ASSERT_TRUE(facts.image(1200, 0x12345, 95));
    EXPECT_EQ(facts.image(1200, 0x12345, 95)->name(), "milk.dll");
    EXPECT_FALSE(facts.image(1200, 0x15000, 20)) << "one behind the last byte";
    EXPECT_FALSE(facts.image(1300, 0x12345, 20)) << "of another process";
}

TEST(Collector, FindsImagesOfTheKernelForEveryProcess) {
    const Facts facts = facts_of(
        {image_record(10, Life::rundown_at_start, 0, kernel_base, 0x10000, u"\\S\\ntoskrnl.exe"),
         image_record(11, Life::rundown_at_start, 700, kernel_base + 0x20000, 0x1000,
                      u"\\S\\win32k.sys")});
    ASSERT_TRUE(facts.image(1200, kernel_base + 5, 20));
    EXPECT_EQ(facts.image(1200, kernel_base + 5, 20)->name(), "ntoskrnl.exe");
    ASSERT_TRUE(facts.image(flow::no_id, kernel_base + 0x20000, 20));
    EXPECT_EQ(facts.image(flow::no_id, kernel_base + 0x20000, 20)->name(), "win32k.sys");
}

TEST(Collector, NamesFilesByTheirObject) {
    const Facts facts = facts_of({file_name_record(10, 32, 0xAAA0, u"\\D\\recipe.txt"),
                                  file_name_record(50, 35, 0xAAA0, u"\\D\\recipe.txt"),
                                  file_name_record(60, 0, 0xAAA0, u"\\D\\bill.txt"),
                                  file_name_record(90, 36, 0xBBB0, u"\\D\\menu.txt")});
    EXPECT_EQ(facts.file(0xAAA0, 9), "");
    EXPECT_EQ(facts.file(0xAAA0, 40), "\\D\\recipe.txt");
    EXPECT_EQ(facts.file(0xAAA0, 60), "\\D\\bill.txt");
    EXPECT_EQ(facts.file(0xBBB0, 1), "\\D\\menu.txt");
    EXPECT_EQ(facts.file(0, 1), "");
}

TEST(Collector, KnowsTheDriveLettersOfDisks) {
    const Facts facts = facts_of(
        {drive_record(10, 0, 0x100000, 0x1000, u"C:"), drive_record(10, 0, 0x200000, 0x1000, u"D:"),
         drive_record(10, 1, 0, 0x1000, u"E:"), drive_record(99, 1, 0, 0x1000, u"E:")});
    const auto drives = [&](std::uint32_t disk, std::optional<std::uint64_t> offset = {}) {
        std::string text;
        facts.append_drives(text, disk, offset);
        return text;
    };
    EXPECT_EQ(drives(0), "C:, D:");
    EXPECT_EQ(drives(0, 0x200FFF), "D:");
    EXPECT_EQ(drives(0, 0x201000), "");
    EXPECT_EQ(drives(1), "E:");
    EXPECT_EQ(drives(2), "");
}

TEST(Collector, JoinsTheStackOfAnEventWhereverItsRecordLies) {
    TraceBuilder trace;
    stack_record(900, 500, 1200, 41, {kernel_base, 0x1000}).add_to(trace.buffer());
    BufferBuilder& later = trace.buffer();
    stack_record(910, 700, 1200, 41, {0x2000, 0x3000}).add_to(later);
    stack_record(905, 700, 1200, 41, {kernel_base + 1}).add_to(later);
    stack_record(911, 700, 1200, 42, {0x9000}).add_to(later);
    const auto reader = open(trace.build());
    const Facts facts = facts_of(*reader);
    EXPECT_THAT(frames_at(facts, 500, 41), ElementsAre(kernel_base, 0x1000U));
    EXPECT_THAT(frames_at(facts, 700, 41), ElementsAre(kernel_base + 1, 0x2000U, 0x3000U))
        << "the kernel's part first";
    EXPECT_THAT(frames_at(facts, 700, 42), ElementsAre(0x9000U));
    EXPECT_THAT(frames_at(facts, 700, 43), ElementsAre());
    ASSERT_EQ(facts.stacks(700).size(), 3U);
    EXPECT_EQ(facts.stacks(700).front().process, 1200U);
}

TEST(Collector, OfSeveralStacksForOneEventTheFirstSeenCounts) {
    const Facts facts = facts_of(
        {stack_record(902, 500, 1200, 41, {0x2000}), stack_record(901, 500, 1200, 41, {0x1000})});
    EXPECT_THAT(frames_at(facts, 500, 41), ElementsAre(0x1000U));
    EXPECT_EQ(facts.counts().stacks, 1U);
}

TEST(Collector, JoinsKeysWithFramesThatAreToldLater) {
    const Facts facts =
        facts_of({stack_key_record(101, KeyPart::user, 100, 1200, 41, 0xF00),
                  stack_key_record(102, KeyPart::kernel, 100, 1200, 41, 0xBA0),
                  key_frames_record(900, KeyMoment::rundown, 0xF00, {0x1000, 0x2000}),
                  key_frames_record(901, KeyMoment::rundown, 0xBA0, {kernel_base})});
    EXPECT_THAT(frames_at(facts, 100, 41), ElementsAre(kernel_base, 0x1000U, 0x2000U));
}

TEST(Collector, AKeyThatIsGivenAgainMeansWhatItMeantThen) {
    const Facts facts = facts_of({stack_key_record(101, KeyPart::user, 100, 1200, 41, 0xF00),
                                  key_frames_record(200, KeyMoment::deleted, 0xF00, {0x1000}),
                                  stack_key_record(301, KeyPart::user, 300, 1200, 41, 0xF00),
                                  key_frames_record(400, KeyMoment::deleted, 0xF00, {0x2000}),
                                  stack_key_record(501, KeyPart::user, 500, 1200, 41, 0xF00),
                                  key_frames_record(900, KeyMoment::rundown, 0xF00, {0x3000})});
    EXPECT_THAT(frames_at(facts, 100, 41), ElementsAre(0x1000U));
    EXPECT_THAT(frames_at(facts, 300, 41), ElementsAre(0x2000U));
    EXPECT_THAT(frames_at(facts, 500, 41), ElementsAre(0x3000U));
    EXPECT_THAT(facts.frames_of_key(0xF00, 250), ElementsAre(0x2000U));
}

TEST(Collector, AKeyMeansWhatItWasCreatedWith) {
    const Facts facts = facts_of({key_frames_record(50, KeyMoment::created, 0xF00, {0x1000}),
                                  key_frames_record(150, KeyMoment::created, 0xF00, {0x2000}),
                                  key_frames_record(250, KeyMoment::rundown, 0xF00, {0x2000})});
    EXPECT_THAT(facts.frames_of_key(0xF00, 49), ElementsAre());
    EXPECT_THAT(facts.frames_of_key(0xF00, 100), ElementsAre(0x1000U));
    EXPECT_THAT(facts.frames_of_key(0xF00, 150), ElementsAre(0x2000U));
    EXPECT_THAT(facts.frames_of_key(0xF00, 251), ElementsAre(0x2000U));
    EXPECT_THAT(facts.frames_of_key(0xF01, 100), ElementsAre());
}

TEST(Collector, CountsKeysThatNothingDefines) {
    const Facts facts = facts_of({key_frames_record(50, KeyMoment::deleted, 0xF00, {0x1000}),
                                  stack_key_record(101, KeyPart::user, 100, 1200, 41, 0xF00)});
    EXPECT_THAT(frames_at(facts, 100, 41), ElementsAre());
    EXPECT_EQ(facts.counts().unknown_keys, 1U);
}

TEST(Collector, KeepsEqualStacksOnce) {
    std::vector<KernelRecord> records;
    for (int i = 0; i < 100; ++i) {
        records.push_back(stack_record(1000 + i, i, 1200, 41, {0x1000, 0x2000}));
    }
    const Facts facts = facts_of(records);
    EXPECT_EQ(facts.counts().stacks, 100U);
    EXPECT_EQ(facts.counts().distinct_stacks, 1U);
}

TEST(Collector, ReadsThirtyTwoBitRecords) {
    ByteWriter payload;
    payload.u64(100).u32(1200).u32(41).u32(0x80001000).u32(0x7000);
    const Facts facts = facts_of({KernelRecord{.hook_id = 0x1820,
                                               .version = 2,
                                               .time = 200,
                                               .payload = payload.take(),
                                               .width = format::Width::bits32}});
    EXPECT_THAT(frames_at(facts, 100, 41), ElementsAre(0x80001000U, 0x7000U));
}

TEST(Collector, TakesBuffersInAnyOrderAndGivesTheSame) {
    TraceBuilder trace;
    for (int i = 1; i <= 40; ++i) {
        BufferBuilder& buffer = trace.buffer();
        const auto id = static_cast<std::uint32_t>(1200 + i % 7);
        process_record(100 * i, Life::start, id, "p" + std::to_string(i)).add_to(buffer);
        stack_key_record(100 * i + 2, KeyPart::user, 100 * i + 1, id, 41, 0xF00).add_to(buffer);
        key_frames_record(100 * i + 3, KeyMoment::deleted, 0xF00,
                          {static_cast<std::uint64_t>(0x1000 + i)})
            .add_to(buffer);
    }
    const auto reader = open(trace.build());
    const Facts one = facts_of(*reader, 1);
    const Facts many = facts_of(*reader, 4);
    EXPECT_EQ(one.counts().stacks, 40U);
    EXPECT_EQ(one.counts().bytes, many.counts().bytes);
    for (int i = 1; i <= 40; ++i) {
        const auto id = static_cast<std::uint32_t>(1200 + i % 7);
        EXPECT_EQ(name_of(one, id, 100 * i), "p" + std::to_string(i));
        EXPECT_EQ(name_of(many, id, 100 * i), "p" + std::to_string(i));
        EXPECT_EQ(frames_at(one, 100 * i + 1, 41), frames_at(many, 100 * i + 1, 41));
    }
}

TEST(Collector, LeavesOutWhatIsBeyondTheLimitsAndSaysSo) {
    // Names of 30,000 characters: 16 MB are spent behind some 550 of them.
    TraceBuilder trace({.buffer_size = 0x40000});
    constexpr int count = 600;
    BufferBuilder* buffer = nullptr;
    for (int i = 0; i < count; ++i) {
        std::u16string name(30'000, u'x');
        for (const char digit : std::to_string(i)) {
            name.push_back(static_cast<char16_t>(digit));
        }
        if (i % 4 == 0) {
            buffer = &trace.buffer();
        }
        file_name_record(10, 36, 0x1000 + static_cast<std::uint64_t>(i), name).add_to(*buffer);
    }
    const auto reader = open(trace.build());
    const Facts one = facts_of(*reader, 1);
    const Facts many = facts_of(*reader, 3);
    EXPECT_GT(one.counts().dropped_names, 0U);
    EXPECT_LE(one.counts().bytes, facts::limits::fact_name_bytes);
    EXPECT_EQ(one.counts().dropped_names, many.counts().dropped_names);
    for (int i = 0; i < count; ++i) {
        const std::uint64_t object = 0x1000 + static_cast<std::uint64_t>(i);
        EXPECT_EQ(one.file(object, 50).empty(), many.file(object, 50).empty()) << i;
        EXPECT_EQ(one.file(object, 50).empty(),
                  i >= count - static_cast<int>(one.counts().dropped_names));
    }
}

TEST(Collector, LivesBeyondTheirLimitAreCounted) {
    TraceBuilder trace({.buffer_size = 0x100000});
    std::uint32_t thread = 1;
    while (thread <= facts::limits::fact_lifetimes + 5) {
        BufferBuilder& buffer = trace.buffer();
        for (int i = 0; i < 6000; ++i, ++thread) {
            thread_record(10, Life::start, 1200, thread).add_to(buffer);
        }
    }
    const auto reader = open(trace.build());
    const Facts facts = facts_of(*reader, 2);
    EXPECT_EQ(facts.counts().threads, facts::limits::fact_lifetimes);
    EXPECT_EQ(facts.counts().dropped_lifetimes, thread - 1 - facts::limits::fact_lifetimes);
    EXPECT_EQ(facts.process_of_thread(1, 10), 1200U);
}

/// The events of two buffers, each of which names a process.
struct TwoBuffers {
    TwoBuffers() {
        TraceBuilder trace;
        process_record(10, Life::start, 1200, "cup.exe").add_to(trace.buffer());
        process_record(20, Life::start, 1300, "spoon.exe").add_to(trace.buffer());
        reader = open(trace.build());
    }

    /// Has `add` called with the events of buffer number `wanted`.
    template <typename Add>
    void show(std::size_t wanted, Add add) const {
        const trace::BufferEntry* first = reader->buffers().data();
        reader->for_each_buffer(1,
                                [&](unsigned, const trace::BufferEntry& entry, flow::Run events) {
                                    if (static_cast<std::size_t>(&entry - first) == wanted) {
                                        add(events);
                                    }
                                });
    }

    std::unique_ptr<trace::Reader> reader;
};

TEST(Collector, AWorkerTooFarAheadWaitsForTheEarliestBuffer) {
    const TwoBuffers buffers, of_thread; // a reader is used by one thread
    const std::size_t count = buffers.reader->buffers().size();
    Collector collector(kernel_store(), {.code_page = nullptr, .ahead_bytes = 0}, 2);
    std::atomic<bool> is_through = false;
    std::thread ahead([&] {
        of_thread.show(count - 1, [&](flow::Run events) { collector.add(1, count - 1, events); });
        is_through = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(is_through);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        buffers.show(i, [&](flow::Run events) { collector.add(0, i, events); });
    }
    ahead.join();
    const Facts facts = collector.finish();
    EXPECT_EQ(name_of(facts, 1200, 30), "cup.exe");
    EXPECT_EQ(name_of(facts, 1300, 30), "spoon.exe");
}

TEST(Collector, AWorkerThatIsAloneNeverWaits) {
    const TwoBuffers buffers;
    Collector collector(kernel_store(), {.code_page = nullptr, .ahead_bytes = 0}, 1);
    for (std::size_t i = buffers.reader->buffers().size(); i-- > 0;) {
        buffers.show(i, [&](flow::Run events) { collector.add(0, i, events); });
    }
    EXPECT_EQ(collector.finish().counts().processes, 2U);
}

/// Process/Defunct, version 4 or, with the exit time, 5.
KernelRecord defunct_record(std::int64_t time, std::uint32_t id, std::string_view name,
                            std::optional<std::uint64_t> exit_time) {
    ByteWriter payload;
    payload.u64(0xFFFFA00000000000 + id).u32(id).u32(4).u32(1).u32(0x103);
    payload.u64(0x1AA000).u32(0).u32(0).zero_terminated8(name).zero_terminated16(u"");
    payload.zero_terminated16(u"").zero_terminated16(u"");
    if (exit_time) {
        payload.u64(*exit_time);
    }
    return {0x0327, static_cast<std::uint8_t>(exit_time ? 5 : 4), time, payload.take()};
}

TEST(Collector, ADefunctProcessHasEnded) {
    const auto reader =
        open(trace_of({process_record(1'000'010, Life::rundown_at_start, 1200, "kettle.exe"),
                       defunct_record(1'000'900, 1200, "kettle.exe", std::nullopt),
                       defunct_record(1'000'900, 1300, "cup.exe", std::nullopt)}));
    const std::vector<Process> all = facts_of(*reader).processes();
    ASSERT_EQ(all.size(), 2U);
    for (const Process& process : all) {
        EXPECT_EQ(process.end, 1'000'900);
        EXPECT_TRUE(process.is_defunct);
        EXPECT_FALSE(process.is_end_known);
    }
}

TEST(Collector, ADefunctProcessCanHaveAnExitTime) {
    const auto clock = open(trace_of({}))->info().clock;
    const auto exit = static_cast<std::uint64_t>(clock.to_filetime(1'000'500).ticks);
    const auto reader =
        open(trace_of({process_record(1'000'010, Life::rundown_at_start, 1200, "kettle.exe"),
                       defunct_record(1'000'900, 1200, "kettle.exe", exit),
                       process_record(1'000'020, Life::start, 1300, "cup.exe"),
                       process_record(1'000'600, Life::end, 1300, "cup.exe"),
                       defunct_record(1'000'900, 1300, "cup.exe", exit),
                       process_record(1'000'700, Life::start, 1400, "pot.exe"),
                       defunct_record(1'000'900, 1400, "pot.exe", exit)}));
    const std::vector<Process> all = facts_of(*reader).processes();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].end, 1'000'500);
    EXPECT_TRUE(all[0].is_end_known);
    EXPECT_EQ(all[1].end, 1'000'600) << "the record of the end counts";
    EXPECT_FALSE(all[2].is_end_known) << "it started later";
}

} // namespace
} // namespace etl::facts::collector_test
