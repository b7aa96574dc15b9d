// Why threads waited.
#include "explore/critical_path.hpp"
#include "explore/thread_histories.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"
#include "tests/unit/faces/explore/explored.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <set>
#include <sstream>

namespace etl::explore::follow_test {
namespace {

using analysis::Cell;
using analysis::Placed;
using analysis::start_tick;
using analysis::switch_from;

constexpr std::int64_t t0 = start_tick;
constexpr std::uint8_t waiting = 5, ready = 1;

test::KernelRecord ready_in_dpc(std::int64_t time, std::uint32_t thread) {
    ByteWriter payload;
    payload.u32(thread).u8(1).u8(0).u8(1).u8(0);
    return analysis::kernel_record(0x0532, 2, time, payload);
}

class Follow : public ExploredTraces {
protected:
    static std::string write(std::vector<Placed> records) {
        for (const auto& [process, thread] :
             {std::pair(100U, 104U), std::pair(200U, 204U), std::pair(300U, 304U)}) {
            records.push_back({0, test::process_record(t0 - 20, test::Life::rundown_at_start,
                                                       process, std::to_string(process) + ".exe")});
            records.push_back(
                {0, test::thread_record(t0 - 10, test::Life::rundown_at_start, process, thread)});
        }
        std::ranges::stable_sort(records, {}, [](const Placed& one) { return one.record.time; });
        const test::Image image = analysis::trace_of(records);
        const std::string path = file("threads.etl");
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(image.data()),
                   static_cast<std::streamsize>(image.size()));
        return path;
    }

    /// `tid state begin end reason waker waker_tid what`, in ticks after t0; what is omitted if it
    /// is unknown.
    static std::vector<std::string> lines(const Answer& answer, const flow::Clock& clock) {
        std::vector<std::string> lines;
        for (const analysis::Row& row : answer.table.rows) {
            std::string text;
            for (const std::string_view name :
                 {"tid", "state", "begin", "end", "reason", "waker", "waker_tid", "what"}) {
                const Cell& cell = row.cells[*answer.table.find(name)];
                const bool is_time = name == "begin" || name == "end";
                const auto* const number = std::get_if<std::uint64_t>(&cell);
                const auto* const word = std::get_if<std::string>(&cell);
                if (name == "what" && word == nullptr) {
                    break;
                }
                text += text.empty() ? "" : " ";
                text +=
                    number == nullptr ? (word != nullptr ? *word : "-")
                    : is_time
                        ? std::to_string(clock.to_raw({static_cast<std::int64_t>(*number)}) - t0)
                        : std::to_string(*number);
            }
            lines.push_back(text);
        }
        return lines;
    }

    static flow::Clock clock_of(const std::string& path) {
        return (*trace::Reader::open(*io::InputFile::map(path)))->info().clock;
    }

    static std::string text_at(const flow::Clock& clock, std::int64_t tick) {
        return std::to_string(clock.to_filetime(t0 + tick).ticks);
    }

    static std::vector<std::string> steps(const std::string& path, std::uint32_t tid,
                                          std::int64_t at) {
        const flow::Clock clock = clock_of(path);
        const auto answer = explore(path).follow({.tid = tid, .at = text_at(clock, at)});
        EXPECT_TRUE(answer) << describe(answer.error());
        return answer ? lines(*answer, clock) : std::vector<std::string>();
    }

    /// The steps between two times, which have no gaps.
    static std::vector<std::string> path(const std::string& path, std::uint32_t tid,
                                         std::int64_t from, std::int64_t to) {
        const flow::Clock clock = clock_of(path);
        const auto answer = explore(path).follow(
            {.tid = tid, .from = text_at(clock, from), .to = text_at(clock, to)});
        EXPECT_TRUE(answer) << describe(answer.error());
        if (!answer) {
            return {};
        }
        expect_tiles(*answer, clock.to_filetime(t0 + from), clock.to_filetime(t0 + to));
        return lines(*answer, clock);
    }

    static void expect_tiles(const Answer& answer, Filetime from, Filetime to) {
        const auto number = [&](const analysis::Row& row, std::string_view column) {
            return std::get<std::uint64_t>(row.cells[*answer.table.find(column)]);
        };
        auto at = static_cast<std::uint64_t>(from.ticks);
        for (const analysis::Row& row : answer.table.rows) {
            EXPECT_EQ(number(row, "begin"), at);
            EXPECT_GT(number(row, "end"), at);
            at = number(row, "end");
        }
        EXPECT_EQ(at, static_cast<std::uint64_t>(to.ticks));
    }
};

test::KernelRecord interrupt(std::uint16_t hook, std::int64_t begin, std::int64_t end,
                             std::uint64_t routine) {
    ByteWriter payload;
    payload.u64(static_cast<std::uint64_t>(begin)).u64(routine).u32(0); // of ISRs: its result
    return analysis::kernel_record(hook, 2, end, payload);
}

constexpr std::uint16_t dpc = 0x0F44, timer_dpc = 0x0F45, isr = 0x0F43;

/// 104 waits for 204, which waits for a DPC meanwhile.
std::vector<Placed> story() {
    return {{0, switch_from(t0, 104, 0)},
            {1, switch_from(t0 + 50, 204, 0)},
            {0, switch_from(t0 + 100, 0, 104, waiting, 6)},
            {1, switch_from(t0 + 150, 0, 204, waiting, 15)},
            {1, ready_in_dpc(t0 + 300, 204)},
            {1, switch_from(t0 + 320, 204, 0)},
            {1, test::ready_record(t0 + 480, 104)},
            {0, switch_from(t0 + 500, 104, 0)},
            {1, switch_from(t0 + 600, 0, 204, waiting, 15)},
            {0, switch_from(t0 + 700, 0, 104, waiting, 6)},
            {0, switch_from(t0 + 900, 104, 0)}};
}

TEST_F(Follow, GoesBackThroughWakers) {
    const std::string path = write(story());
    const std::vector<std::string> expected{"104 waiting 100 480 UserRequest thread 204",
                                            "204 running 320 480 - - -", "204 ready 300 320 - - -",
                                            "204 waiting 150 300 WrQueue DPC -"};
    for (const std::int64_t at : {0, 100, 250, 479}) { // before, and in the wait
        EXPECT_EQ(steps(path, 104, at), expected) << at;
    }
}

TEST_F(Follow, SaysWhatIsUnknown) {
    const std::string path = write(story());
    EXPECT_EQ(steps(path, 104, 600),
              std::vector<std::string>{"104 waiting 700 900 UserRequest unknown -"});
    EXPECT_TRUE(steps(path, 104, 950).empty());
    EXPECT_TRUE(steps(path, 999, 0).empty());
    // What 304 did before it woke 104 is not recorded.
    const std::string other = write({{0, switch_from(t0, 104, 0)},
                                     {0, switch_from(t0 + 100, 0, 104, waiting, 6)},
                                     {1, switch_from(t0 + 400, 304, 0)},
                                     {1, test::ready_record(t0 + 480, 104)},
                                     {0, switch_from(t0 + 500, 104, 0)}});
    EXPECT_EQ(steps(other, 104, 200),
              (std::vector<std::string>{"104 waiting 100 480 UserRequest thread 304",
                                        "304 running 400 480 - - -", "304 unknown 100 400 - - -"}));
}

TEST_F(Follow, EndsWhateverTheTraceSays) {
    std::mt19937 random(3);
    const auto pick = [&](std::uint32_t most) {
        return std::uniform_int_distribution<std::uint32_t>(0, most)(random);
    };
    const std::uint32_t threads[] = {0, 104, 204, 304};
    std::vector<Placed> records;
    for (std::int64_t i = 0; i < 3000; ++i) {
        const auto processor = static_cast<std::uint16_t>(pick(2));
        const std::uint32_t thread = threads[pick(3)];
        records.push_back({processor, pick(2) == 0 ? test::ready_record(t0 + i, thread)
                                                   : switch_from(t0 + i, thread, threads[pick(3)],
                                                                 pick(1) == 0 ? waiting : ready)});
    }
    const std::string path = write(records);
    std::size_t most = 0;
    for (std::int64_t at = 0; at < 3000; at += 150) {
        most = std::max(most, steps(path, threads[1 + pick(2)], at).size());
    }
    EXPECT_GT(most, 1U);
    EXPECT_LE(most, 1100U);
}

TEST_F(Follow, IsTheSameWithAnIndex) {
    const Explorer without = explore(plain()), with = explore(indexed());
    const auto threads = without.table({.name = "waits", .by = "thread", .rows = {.count = 12}});
    ASSERT_TRUE(threads);
    std::size_t chains = 0;
    for (const analysis::Row& row : threads->table.rows) {
        const auto tid = std::get<std::uint64_t>(row.cells[*threads->table.find("tid")]);
        for (const char* const at : {"+0.5s", "+2s", "+3.3s"}) {
            const FollowQuestion question{.tid = static_cast<std::uint32_t>(tid), .at = at};
            const auto one = without.follow(question), other = with.follow(question);
            ASSERT_TRUE(one && other);
            ASSERT_EQ(one->table.rows.size(), other->table.rows.size()) << tid << at;
            for (std::size_t i = 0; i < one->table.rows.size(); ++i) {
                EXPECT_EQ(one->table.rows[i].cells, other->table.rows[i].cells);
            }
            chains += one->table.rows.size() > 1 ? 1U : 0U;
        }
    }
    EXPECT_GT(chains, 0U);
    EXPECT_EQ(with.follow({.tid = 1, .input = 2}).error().about, "input");
    EXPECT_EQ(with.follow({.tid = 1, .at = "tea time"}).error().about, "at");
}

TEST_F(Follow, NamesWhatEndedAWait) {
    const auto wait_ended_by = [&](std::vector<Placed> records, std::uint8_t reason = 6) {
        records.push_back({0, switch_from(t0, 104, 0)});
        records.push_back({0, switch_from(t0 + 100, 0, 104, waiting, reason)});
        records.push_back({0, switch_from(t0 + 500, 104, 0)});
        records.push_back(
            {0, analysis::image_record(t0 - 5, test::Life::rundown_at_start, 0, 0xFFFFF80000000000,
                                       0x1000, u"\\nt\\tea.sys")});
        records.push_back(
            {0, analysis::image_record(t0 - 5, test::Life::rundown_at_start, 0, 0xFFFFF80000010000,
                                       0x1000, u"\\nt\\ndis.sys")});
        const auto all = steps(write(std::move(records)), 104, 50);
        return all.empty() ? std::string() : all.front();
    };
    constexpr std::uint64_t tea = 0xFFFFF80000000008, net = 0xFFFFF80000010010;
    EXPECT_EQ(wait_ended_by(
                  {{1, ready_in_dpc(t0 + 480, 104)}, {1, interrupt(dpc, t0 + 470, t0 + 490, tea)}}),
              "104 waiting 100 480 UserRequest DPC - tea.sys!0x8");
    // A thread runs on the processor, but in a DPC it is not the waker.
    EXPECT_EQ(wait_ended_by({{1, switch_from(t0 + 50, 204, 0)},
                             {1, test::ready_record(t0 + 480, 104)},
                             {1, interrupt(timer_dpc, t0 + 470, t0 + 490, tea)}}),
              "104 waiting 100 480 UserRequest timer - tea.sys!0x8");
    EXPECT_EQ(wait_ended_by({{1, ready_in_dpc(t0 + 480, 104)}}, 4),
              "104 waiting 100 480 DelayExecution timer -");
    EXPECT_EQ(wait_ended_by(
                  {{1, ready_in_dpc(t0 + 480, 104)}, {1, interrupt(dpc, t0 + 470, t0 + 490, net)}}),
              "104 waiting 100 480 UserRequest network - ndis.sys!0x10");
    // The innermost interrupt counts, of the same processor.
    EXPECT_EQ(wait_ended_by({{1, test::ready_record(t0 + 480, 104)},
                             {1, interrupt(isr, t0 + 475, t0 + 485, tea)},
                             {1, interrupt(dpc, t0 + 470, t0 + 490, net)}}),
              "104 waiting 100 480 UserRequest interrupt - tea.sys!0x8");
    EXPECT_EQ(wait_ended_by({{1, ready_in_dpc(t0 + 480, 104)},
                             {1, interrupt(isr, t0 + 460, t0 + 465, tea)},
                             {0, interrupt(dpc, t0 + 470, t0 + 490, tea)}}),
              "104 waiting 100 480 UserRequest DPC -");
    EXPECT_EQ(
        wait_ended_by({{1, switch_from(t0 + 50, 0, 204)}, {1, test::ready_record(t0 + 480, 104)}}),
        "104 waiting 100 480 UserRequest idle -");
}

/// 104 issues a request, which is completed in a DPC of another processor.
std::vector<Placed> reading(std::int64_t issued) {
    ByteWriter init, completion, name;
    init.u64(0x77);
    completion.u32(0).u32(0).u32(512).u32(0).u64(0).u64(0xF1).u64(0x77).u64(50).u32(104);
    name.u64(0xF1);
    for (const char16_t letter : std::u16string_view(u"\\tea.txt\0", 9)) {
        name.u16(letter);
    }
    return {{0, analysis::kernel_record(0x0400, 2, t0 - 4, name)},
            {0, switch_from(t0, 104, 0)},
            {0, analysis::kernel_record(0x010C, 2, t0 + issued, init).by(100, 104)},
            {0, switch_from(t0 + 100, 0, 104, waiting, 0)},
            {1, analysis::kernel_record(0x010A, 3, t0 + 470, completion)},
            {1, ready_in_dpc(t0 + 480, 104)},
            {0, switch_from(t0 + 500, 104, 0)},
            {0, switch_from(t0 + 900, 0, 104, waiting, 6)},
            {0, switch_from(t0 + 990, 304, 0)}};
}

TEST_F(Follow, FindsTheRequestOfADisk) {
    EXPECT_EQ(steps(write(reading(90)), 104, 50).front(),
              "104 waiting 100 480 Executive disk - \\tea.txt");
    EXPECT_EQ(path(write(reading(90)), 104, 20, 600),
              (std::vector<std::string>{"104 running 20 100 - - -",
                                        "104 waiting 100 480 Executive disk - \\tea.txt",
                                        "104 ready 480 500 - - -", "104 running 500 600 - - -"}));
    // Issued by another thread in the wait: why it was not before is not known.
    EXPECT_EQ(path(write(reading(300)), 104, 20, 600),
              (std::vector<std::string>{"104 running 20 100 - - -",
                                        "104 waiting 100 300 Executive unknown -",
                                        "104 waiting 300 480 Executive disk - \\tea.txt",
                                        "104 ready 480 500 - - -", "104 running 500 600 - - -"}));
}

TEST_F(Follow, HasTheCriticalPath) {
    const std::string file = write(story());
    EXPECT_EQ(path(file, 104, 0, 600),
              (std::vector<std::string>{"104 running 0 100 - - -", "204 running 100 150 - - -",
                                        "204 waiting 150 300 WrQueue DPC -",
                                        "204 ready 300 320 - - -", "204 running 320 480 - - -",
                                        "104 ready 480 500 UserRequest thread 204",
                                        "104 running 500 600 - - -"}));
    // It ends in a wait that goes on, and begins in what another thread did.
    EXPECT_EQ(path(file, 104, 200, 400),
              (std::vector<std::string>{"204 waiting 200 300 WrQueue DPC -",
                                        "204 ready 300 320 - - -", "204 running 320 400 - - -"}));
    EXPECT_EQ(path(file, 104, 600, 880),
              (std::vector<std::string>{"104 running 600 700 - - -",
                                        "104 waiting 700 880 UserRequest unknown -"}));
    EXPECT_EQ(path(file, 999, 0, 100), std::vector<std::string>{"999 unknown 0 100 - - -"});
    const auto answer = explore(write({})).follow({.tid = 104, .from = "+0s"});
    ASSERT_TRUE(answer);
    EXPECT_THAT(answer->remarks, testing::Contains(testing::HasSubstr("context switches")));
}

TEST_F(Follow, MarksCyclesAndWhatIsUnknown) {
    // 104 and 204 wake each other; 204 is preempted meanwhile.
    const std::string file = write({{0, switch_from(t0, 104, 0)},
                                    {1, switch_from(t0 + 10, 204, 0)},
                                    {1, switch_from(t0 + 50, 0, 204, waiting, 6)},
                                    {0, test::ready_record(t0 + 60, 204)},
                                    {0, switch_from(t0 + 70, 0, 104, waiting, 6)},
                                    {1, switch_from(t0 + 80, 204, 0)},
                                    {1, switch_from(t0 + 90, 304, 204, ready)},
                                    {1, switch_from(t0 + 95, 204, 304, ready)},
                                    {1, test::ready_record(t0 + 120, 104)},
                                    {0, switch_from(t0 + 130, 104, 0)},
                                    {0, switch_from(t0 + 200, 0, 104, waiting, 6)},
                                    {0, switch_from(t0 + 300, 304, 0)}});
    EXPECT_EQ(path(file, 104, 5, 150),
              (std::vector<std::string>{
                  "104 running 5 70 - - -", "204 ready 70 80 - - -", "204 running 80 90 - - -",
                  "204 ready 90 95 - - -", "204 running 95 120 - - -",
                  "104 ready 120 130 UserRequest thread 204", "104 running 130 150 - - -"}));
    // 104 wakes 204 while it waits for it, as the third processor has it.
    const std::string odd = write({{2, switch_from(t0 + 5, 104, 0)},
                                   {1, switch_from(t0 + 10, 204, 0)},
                                   {0, switch_from(t0 + 20, 0, 104, waiting, 6)},
                                   {1, switch_from(t0 + 30, 0, 204, waiting, 6)},
                                   {2, test::ready_record(t0 + 40, 204)},
                                   {1, switch_from(t0 + 50, 204, 0)},
                                   {1, test::ready_record(t0 + 60, 104)},
                                   {0, switch_from(t0 + 70, 104, 0)},
                                   {0, switch_from(t0 + 90, 0, 104, waiting, 6)}});
    EXPECT_EQ(path(odd, 104, 10, 75),
              (std::vector<std::string>{"104 unknown 10 20 - - -", "204 running 20 30 - - -",
                                        "204 cycle 30 40 UserRequest thread 104",
                                        "204 ready 40 50 - - -", "204 running 50 60 - - -",
                                        "104 ready 60 70 UserRequest thread 204",
                                        "104 running 70 75 - - -"}));
    // What 304 did before it was seen is not known.
    const std::string other = write({{0, switch_from(t0, 104, 0)},
                                     {0, switch_from(t0 + 100, 0, 104, waiting, 6)},
                                     {1, switch_from(t0 + 400, 304, 0)},
                                     {1, test::ready_record(t0 + 480, 104)},
                                     {0, switch_from(t0 + 500, 104, 0)},
                                     {0, switch_from(t0 + 600, 0, 104, waiting, 6)}});
    EXPECT_EQ(path(other, 104, 50, 510),
              (std::vector<std::string>{"104 running 50 100 - - -", "304 unknown 100 400 - - -",
                                        "304 running 400 480 - - -",
                                        "104 ready 480 500 UserRequest thread 304",
                                        "104 running 500 510 - - -"}));
}

TEST_F(Follow, HasWaitsThatTheEndOfTheThreadEnds) {
    constexpr std::uint8_t user_request = 6, delay = 4; // which is no timer if nothing woke it
    for (const auto& [reason, text] :
         {std::pair(user_request, "UserRequest"), std::pair(delay, "DelayExecution")}) {
        for (const auto& [life, process] :
             {std::pair(test::Life::end, 100U), std::pair(test::Life::start, 300U)}) {
            const std::string file = write({{0, switch_from(t0, 104, 0)},
                                            {0, switch_from(t0 + 100, 0, 104, waiting, reason)},
                                            {0, test::thread_record(t0 + 500, life, process, 104)},
                                            {1, switch_from(t0 + 700, 204, 0)}});
            EXPECT_EQ(path(file, 104, 20, 500),
                      (std::vector<std::string>{"104 running 20 100 - - -", "104 waiting 100 500 " +
                                                                                std::string(text) +
                                                                                " unknown -"}));
        }
    }
    const std::string readied =
        write({{0, switch_from(t0, 104, 0)},
               {0, switch_from(t0 + 100, 0, 104, waiting, 6)},
               {1, switch_from(t0 + 150, 204, 0)},
               {1, test::ready_record(t0 + 300, 104)},
               {0, test::thread_record(t0 + 500, test::Life::end, 100, 104)},
               {1, switch_from(t0 + 700, 0, 204, waiting, 6)}});
    EXPECT_EQ(path(readied, 104, 120, 500),
              (std::vector<std::string>{"204 unknown 120 150 - - -", "204 running 150 300 - - -",
                                        "104 ready 300 500 UserRequest thread 204"}));
}

/// What was read of a range, of which not more than `most` ticks are kept at a time.
double ticks_read(const ThreadHistories::Range& range, std::int64_t most) {
    double read = 0;
    ThreadHistories histories(
        [&](std::int64_t from, std::int64_t to, std::vector<std::uint32_t>) {
            EXPECT_LT(from, to);
            EXPECT_GE(from, range.start);
            EXPECT_LE(to, range.last);
            const double length = static_cast<double>(to) - static_cast<double>(from);
            read += length;
            analysis::ThreadHistory history;
            history.missing_until =
                length > static_cast<double>(most) ? to - most : history.missing_until;
            return ThreadHistories::Loaded(std::move(history));
        },
        range);
    EXPECT_TRUE(histories.before({.tid = 104, .pid = 100}, range.start + 1));
    return read;
}

TEST(ThreadHistory, IsReadInPiecesThatAreKept) {
    const ThreadHistories::Range range{
        .start = 0, .end = 1'000'000, .last = 1'000'000, .second = 100};
    EXPECT_LT(ticks_read(range, 1000), 10e6);
    EXPECT_LT(ticks_read(range, 1'000'000), 2e6);
}

TEST(ThreadHistory, HasTimesOfAnySize) {
    using Limits = std::numeric_limits<std::int64_t>;
    for (const std::int64_t second : {std::int64_t{1} << 32U, Limits::max() / 2, Limits::max()}) {
        EXPECT_GT(ticks_read({.start = Limits::min() / 4,
                              .end = Limits::max() / 2,
                              .last = Limits::max(),
                              .second = second},
                             Limits::max()),
                  0);
    }
}

// The same by brute force: a machine whose threads are known at each tick.

class Machine {
public:
    static constexpr std::size_t threads = 4, processors = 2;

    explicit Machine(unsigned seed) : random_(seed) {}

    void run(std::int64_t ticks) {
        for (now_ = 0; now_ < ticks; ++now_) {
            switch (pick(6)) {
            case 0:
            case 1:
                reschedule(pick(processors));
                break;
            case 2:
            case 3:
                make_ready(pick(threads), pick(processors));
                break;
            default:
                break;
            }
            for (std::size_t thread = 0; thread < threads; ++thread) {
                history_[thread].push_back(now_of_[thread]);
            }
        }
        for (std::size_t processor = 0; processor < processors; ++processor) {
            reschedule(processor, false); // what ran is known to have run
        }
    }

    static std::uint32_t tid(std::size_t thread) {
        return static_cast<std::uint32_t>(104 + 100 * thread);
    }

    const std::vector<Placed>& records() const { return records_; }

    /// What explains each tick, by walking back tick by tick: `tid state`.
    std::vector<std::string> explained(std::size_t of, std::int64_t from, std::int64_t to) const {
        std::vector<std::string> labels;
        std::vector<std::pair<std::size_t, std::int64_t>> open{{of, from}};
        for (std::int64_t at = to; at > from;) {
            while (at <= open.back().second) {
                open.pop_back();
            }
            const auto [thread, least] = open.back();
            const State state = history_[thread][static_cast<std::size_t>(at - 1)];
            std::string name = state.name;
            if (state.wait) {
                const Wait& wait = waits_[*state.wait];
                const auto is_open = [&](std::size_t one) {
                    return std::ranges::find(open, one, [](const auto& pair) {
                               return pair.first;
                           }) != open.end();
                };
                if (wait.waker && !is_open(*wait.waker)) {
                    open.emplace_back(*wait.waker, std::max(least, wait.begin));
                    continue;
                }
                name = wait.waker ? "cycle" : wait.by_dpc ? "waiting DPC" : "waiting idle";
                name = wait.has_ended ? name : "waiting unknown";
            }
            labels.push_back(std::to_string(tid(thread)) + " " + name);
            --at;
        }
        std::ranges::reverse(labels);
        return labels;
    }

private:
    struct Wait {
        std::int64_t begin = 0;
        std::optional<std::size_t> waker{}; // thread
        bool by_dpc = false, has_ended = false;
    };

    struct State {
        std::string name = "unknown";
        std::optional<std::size_t> wait{};
    };

    std::size_t pick(std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most - 1)(random_);
    }

    static std::uint32_t id(const std::optional<std::size_t>& thread) {
        return thread ? tid(*thread) : 0;
    }

    void reschedule(std::size_t processor, bool may_switch_in = true) {
        std::vector<std::optional<std::size_t>> candidates{std::nullopt};
        for (std::size_t thread = 0; thread < threads && may_switch_in; ++thread) {
            if (now_of_[thread].name == "ready") {
                candidates.insert(candidates.end(), 3, thread);
            }
        }
        const auto next = candidates[pick(candidates.size())];
        const auto last = std::exchange(running_[processor], next);
        const bool waits = pick(3) != 0;
        records_.push_back(
            {static_cast<std::uint16_t>(processor),
             switch_from(t0 + now_, id(next), id(last), waits ? waiting : ready, 6)});
        if (last) {
            now_of_[*last] = waits ? State{"waiting", waits_.size()} : State{"ready", {}};
            if (waits) {
                waits_.push_back({.begin = now_});
            }
        }
        if (next) {
            now_of_[*next] = {"running", {}};
        }
        is_known_[processor] = true;
    }

    void make_ready(std::size_t thread, std::size_t processor) {
        State& state = now_of_[thread];
        if (state.name == "running" || state.name == "ready" || !is_known_[processor]) {
            return;
        }
        const bool by_dpc = pick(4) == 0;
        records_.push_back({static_cast<std::uint16_t>(processor),
                            by_dpc ? ready_in_dpc(t0 + now_, tid(thread))
                                   : test::ready_record(t0 + now_, tid(thread))});
        if (state.wait) {
            Wait& wait = waits_[*state.wait];
            wait.by_dpc = by_dpc;
            wait.waker = by_dpc ? std::nullopt : running_[processor];
            wait.has_ended = true;
        }
        state = {"ready", {}};
    }

    std::mt19937 random_;
    std::int64_t now_ = 0;
    std::vector<Placed> records_;
    std::array<std::optional<std::size_t>, processors> running_{};
    std::array<bool, processors> is_known_{};
    std::array<State, threads> now_of_{};
    std::array<std::vector<State>, threads> history_{};
    std::vector<Wait> waits_;
};

TEST_F(Follow, ExplainsEachTickAsBruteForceDoes) {
    std::size_t deep = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        Machine machine(seed);
        machine.run(400);
        const std::string file = write(machine.records());
        const flow::Clock clock = clock_of(file);
        const Explorer explorer = explore(file);
        for (std::size_t thread = 0; thread < Machine::threads; ++thread) {
            for (const auto& [from, to] : {std::pair(20, 390), std::pair(150, 260)}) {
                const auto answer = explorer.follow({.tid = Machine::tid(thread),
                                                     .from = text_at(clock, from),
                                                     .to = text_at(clock, to)});
                ASSERT_TRUE(answer);
                expect_tiles(*answer, clock.to_filetime(t0 + from), clock.to_filetime(t0 + to));
                std::vector<std::string> labels;
                std::set<std::string> ids;
                for (const std::string& line : lines(*answer, clock)) {
                    std::istringstream words(line);
                    std::string id, state, reason, waker;
                    std::int64_t begin = 0, end = 0;
                    words >> id >> state >> begin >> end >> reason >> waker;
                    const std::string kind = state == "waiting" ? " " + waker : "";
                    labels.insert(labels.end(), static_cast<std::size_t>(end - begin),
                                  id + " " + state + kind);
                    ids.insert(id);
                }
                const auto expected = machine.explained(thread, from, to);
                const auto at = std::ranges::mismatch(labels, expected).in1 - labels.begin();
                EXPECT_EQ(std::vector(labels.begin() + at, labels.end()),
                          std::vector(expected.begin() + at, expected.end()))
                    << seed << " " << thread << " at " << from + at;
                deep += ids.size() > 2 ? 1U : 0U;
            }
        }
    }
    EXPECT_GT(deep, 20U);
}

TEST_F(Follow, HasTheSamePathWithAnIndex) {
    const Explorer without = explore(plain()), with = explore(indexed());
    const auto threads = without.table({.name = "waits", .by = "thread", .rows = {.count = 8}});
    ASSERT_TRUE(threads);
    std::size_t steps = 0;
    for (const analysis::Row& row : threads->table.rows) {
        const auto tid = std::get<std::uint64_t>(row.cells[*threads->table.find("tid")]);
        const FollowQuestion question{
            .tid = static_cast<std::uint32_t>(tid), .from = "+1s", .to = "+1.5s"};
        const auto one = without.follow(question), other = with.follow(question);
        ASSERT_TRUE(one && other);
        ASSERT_EQ(one->table.rows.size(), other->table.rows.size()) << tid;
        for (std::size_t i = 0; i < one->table.rows.size(); ++i) {
            EXPECT_EQ(one->table.rows[i].cells, other->table.rows[i].cells);
        }
        steps += one->table.rows.size();
    }
    EXPECT_GT(steps, 50U);
    EXPECT_EQ(with.follow({.tid = 1, .at = "+1s", .to = "+2s"}).error().about, "at");
    EXPECT_EQ(with.follow({.tid = 1, .from = "tea time"}).error().about, "from");
}

// Histories that are read in pieces.

/// Intervals of three threads, each after the other.
std::vector<analysis::ThreadInterval> made_intervals(unsigned seed, std::int64_t end) {
    std::mt19937 random(seed);
    std::vector<analysis::ThreadInterval> all;
    for (std::uint32_t tid = 1; tid <= 3; ++tid) {
        for (std::int64_t at = 0; at < end;) {
            const bool is_long = random() % 20 == 0;
            const auto length = 1 + static_cast<std::int64_t>(random() % (is_long ? 2000 : 20));
            if (random() % 8 != 0) { // otherwise unknown
                all.push_back({.thread = {.tid = tid},
                               .process = {},
                               .state = static_cast<analysis::ThreadInterval::State>(random() % 3),
                               .begin = at,
                               .end = std::min(at + length, end)});
            }
            at += length;
        }
    }
    return all;
}

TEST(ThreadHistories, AreTheSameInPieces) {
    constexpr std::int64_t last = 10'000;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const auto all = made_intervals(seed, last);
        std::size_t loads = 0;
        const std::size_t most = seed % 2 == 0 ? 1000 : 25;
        const auto load = [&](std::int64_t from, std::int64_t to,
                              const std::vector<std::uint32_t>& tids) -> ThreadHistories::Loaded {
            ++loads;
            analysis::ThreadHistory history;
            for (analysis::ThreadInterval one : all) {
                const bool is_open = one.end >= to && one.begin < to && to < last;
                if ((one.end >= from && one.end < to) || is_open ||
                    (to >= last && one.end == last)) {
                    one.end = is_open ? to : one.end;
                    one.is_open = is_open;
                    if (tids.empty() || tids.front() == one.thread.tid) {
                        history.intervals.push_back(one);
                    }
                }
            }
            std::ranges::stable_sort(history.intervals, {}, &analysis::ThreadInterval::end);
            while (history.intervals.size() > most) {
                history.missing_until = history.intervals.front().end;
                history.intervals.erase(history.intervals.begin());
            }
            return history;
        };
        ThreadHistories histories(load, {.start = 500, .end = 9000, .last = last, .second = 10});
        std::mt19937 random(seed);
        for (std::int64_t time = 9000; time > 500;
             time -= 1 + static_cast<std::int64_t>(random() % 30)) {
            const analysis::ThreadId thread{.tid = 1 + static_cast<std::uint32_t>(random() % 3)};
            const auto expected = std::ranges::find_if(all, [&](const auto& one) {
                return one.thread == thread && one.begin < time && time <= one.end;
            });
            const auto found = histories.before(thread, time);
            ASSERT_TRUE(found);
            ASSERT_EQ(*found != nullptr, expected != all.end()) << seed << " " << time;
            if (*found != nullptr) {
                EXPECT_EQ((*found)->begin, expected->begin);
                EXPECT_EQ((*found)->state, expected->state);
            } else {
                const std::int64_t known = histories.known_before(thread, time);
                EXPECT_LT(known, time);
                EXPECT_TRUE(std::ranges::none_of(all, [&](const auto& one) {
                    return one.thread == thread && one.begin < time && known < one.end;
                }));
            }
        }
        EXPECT_GT(loads, 3U);
    }
}

TEST(CriticalPath, EndsAfterTooManyRows) {
    constexpr std::int64_t end = 30'000;
    const auto load = [](std::int64_t from, std::int64_t to,
                         const std::vector<std::uint32_t>&) -> ThreadHistories::Loaded {
        analysis::ThreadHistory history;
        for (std::int64_t at = std::max<std::int64_t>(from, 1); at < to; ++at) {
            history.intervals.push_back(
                {.thread = {.tid = 1}, .process = {}, .begin = at - 1, .end = at});
        }
        return history;
    };
    ThreadHistories histories(load, {.start = 0, .end = end, .last = end + 1, .second = 100});
    const auto path = critical_path(histories, {.tid = 1}, 0, end);
    ASSERT_TRUE(path);
    ASSERT_EQ(path->size(), max_path_steps);
    EXPECT_EQ(path->front().state, "unknown");
    std::int64_t at = 0;
    for (const Step& step : *path) {
        EXPECT_EQ(step.interval.begin, at);
        at = step.interval.end;
    }
    EXPECT_EQ(at, end);
}

} // namespace
} // namespace etl::explore::follow_test
