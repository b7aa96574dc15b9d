// Why threads waited.
#include "tests/unit/answers/analysis/analyzed.hpp"
#include "tests/unit/faces/explore/explored.hpp"

#include <algorithm>
#include <random>

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

    /// `tid state begin end reason waker waker_tid`, in ticks after t0.
    static std::vector<std::string> steps(const std::string& path, std::uint32_t tid,
                                          std::int64_t at) {
        const Explorer explorer = explore(path);
        const auto reader = trace::Reader::open(*io::InputFile::map(path));
        const flow::Clock& clock = (*reader)->info().clock;
        const auto answer =
            explorer.follow({.tid = tid, .at = std::to_string(clock.to_filetime(t0 + at).ticks)});
        EXPECT_TRUE(answer) << describe(answer.error());
        std::vector<std::string> steps;
        for (const analysis::Row& row :
             answer ? answer->table.rows : std::vector<analysis::Row>()) {
            std::string text;
            for (const char* const name :
                 {"tid", "state", "begin", "end", "reason", "waker", "waker_tid"}) {
                const Cell& cell = row.cells[*answer->table.find(name)];
                const bool is_time =
                    std::string_view(name) == "begin" || std::string_view(name) == "end";
                const auto* const number = std::get_if<std::uint64_t>(&cell);
                const auto* const word = std::get_if<std::string>(&cell);
                text += text.empty() ? "" : " ";
                text +=
                    number == nullptr ? (word != nullptr ? *word : "-")
                    : is_time
                        ? std::to_string(clock.to_raw({static_cast<std::int64_t>(*number)}) - t0)
                        : std::to_string(*number);
            }
            steps.push_back(text);
        }
        return steps;
    }
};

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

} // namespace
} // namespace etl::explore::follow_test
