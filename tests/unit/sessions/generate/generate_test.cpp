// Recipes as traces in memory: the same bytes, what they contain, and impossible recipes.
#include "base/text.hpp"
#include "flow/context.hpp"
#include "format/known_guids.hpp"
#include "generate/generate.hpp"
#include "io/writable_file.hpp"
#include "tests/support/reading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace etl::generate_test {
namespace {

using namespace generate;
using test::Image;
using testing::ElementsAre;
using testing::IsEmpty;

struct Made {
    Image file;
    Report report;
};

Made made(const Recipe& recipe) {
    io::MemoryFiles files;
    auto writer = trace::Writer::create(
        "made.etl",
        {.file = {.buffer_size = 64U << 10U}, .recording = recording_of(recipe), .files = &files});
    EXPECT_TRUE(writer);
    auto report = write(recipe, **writer);
    EXPECT_TRUE(report) << describe(report.error());
    EXPECT_EQ(report->events, (*writer)->events_written());
    EXPECT_TRUE((*writer)->close());
    return {files.files().at("made.etl"), *report};
}

void for_each_event(const Image& file, const std::function<void(const flow::Event&)>& see) {
    auto reader = trace::Reader::open(test::in_memory(file));
    ASSERT_TRUE(reader) << describe(reader.error());
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const flow::Event& event : run) {
            if (!flow::is_logfile_header(event)) {
                see(event);
            }
        }
    }
}

/// The lines of a truth that begin with `table`, as words.
std::vector<std::vector<std::string>> lines_of(const std::string& truth, std::string_view table) {
    std::vector<std::vector<std::string>> lines;
    for (const auto line : std::views::split(truth, '\n')) {
        std::vector<std::string> words;
        for (const auto word : std::views::split(line, ',')) {
            words.emplace_back(std::string_view(word));
        }
        if (!words.empty() && words.front() == table) {
            lines.push_back(std::move(words));
        }
    }
    return lines;
}

std::uint64_t sum_of(const std::string& truth, std::string_view table, std::size_t column) {
    std::uint64_t sum = 0;
    for (const auto& words : lines_of(truth, table)) {
        sum += std::stoull(words.at(column));
    }
    return sum;
}

Recipe recipe_of(Kind kind, std::uint64_t events = 100) {
    Recipe recipe{.events = events, .mix = {}};
    recipe.mix.at(static_cast<std::size_t>(kind)) = 1;
    return recipe;
}

TEST(Generate, TheSameRecipeMakesTheSameBytes) {
    for (const Contents contents : {Contents::kinds, Contents::workload, Contents::capture}) {
        const Recipe recipe{.contents = contents, .events = 500, .seed = 3};
        const Made first = made(recipe), again = made(recipe);
        EXPECT_EQ(first.file, again.file);
        EXPECT_EQ(first.report.truth, again.report.truth);
        EXPECT_EQ(first.report.truth.empty(), contents == Contents::kinds);
        Recipe other = recipe;
        other.seed = 4;
        EXPECT_NE(first.file, made(other).file);
    }
}

TEST(Generate, EachKindHasItsRecords) {
    using enum format::RecordFamily;
    const std::map<Kind, format::RecordFamily> families{
        {Kind::tracelogging, event}, {Kind::event, event},     {Kind::string, event},
        {Kind::system, system},      {Kind::compact, compact}, {Kind::perfinfo, perfinfo},
        {Kind::stack, perfinfo},     {Kind::full, full},       {Kind::instance, instance},
        {Kind::message, message},    {Kind::timed, timed},     {Kind::wnode, wnode}};
    ASSERT_EQ(families.size(), kind_names.size());
    for (const auto& [kind, family] : families) {
        std::uint64_t count = 0;
        std::set<format::RecordFamily> seen;
        for_each_event(made(recipe_of(kind)).file, [&](const flow::Event& event) {
            ++count;
            seen.insert(event.kind.family);
        });
        EXPECT_THAT(seen, ElementsAre(family)) << kind_names.at(static_cast<std::size_t>(kind));
        EXPECT_EQ(count, 100U);
    }
}

TEST(Generate, TheHeaderIsThatOfTheRecipe) {
    Recipe recipe = recipe_of(Kind::full, 10);
    recipe.processors = 3;
    recipe.width = format::Width::bits32;
    recipe.clock = format::ClockType::system_time;
    recipe.lost_events = 7;
    recipe.lost_buffers = 2;
    const test::Reading reading = test::read(made(recipe).file);
    EXPECT_FALSE(reading.error);
    EXPECT_THAT(reading.findings, IsEmpty());
    EXPECT_EQ(reading.info.header.number_of_processors, 3U);
    EXPECT_EQ(reading.info.header.pointer_size, 4U);
    EXPECT_EQ(reading.info.header.events_lost, 7U);
    EXPECT_EQ(reading.info.header.buffers_lost, 2U);
    EXPECT_EQ(reading.info.header.start_time, default_start.ticks);
}

TEST(Generate, EventsEndWithTheDuration) {
    Recipe recipe = recipe_of(Kind::full);
    recipe.events.reset();
    recipe.duration = 2 * Filetime::per_second;
    recipe.rate = 500;
    recipe.spacing = Recipe::Spacing::fixed;
    std::vector<std::int64_t> times;
    for_each_event(made(recipe).file,
                   [&](const flow::Event& event) { times.push_back(event.time().ticks); });
    ASSERT_EQ(times.size(), 1000U);
    EXPECT_EQ(times.back() - default_start.ticks, *recipe.duration);
}

TEST(Generate, AWorkloadIsWhatItsTruthSays) {
    const Recipe recipe{.contents = Contents::workload, .events = 5000};
    const Made workload = made(recipe);
    std::map<std::uint16_t, std::uint64_t> hooks;
    std::map<std::uint16_t, std::uint64_t> runtime_events;
    for_each_event(workload.file, [&](const flow::Event& event) {
        if (const auto hook = flow::kernel_hook_of(event)) {
            ++hooks[*hook];
        } else {
            ++runtime_events[flow::read_header(event).id];
        }
    });
    const std::string& truth = workload.report.truth;
    EXPECT_EQ(lines_of(truth, "cpu").size(), 4U);
    EXPECT_EQ(sum_of(truth, "cpu", 2), hooks[0x0F2E]); // samples
    EXPECT_EQ(sum_of(truth, "cpu", 5), hooks[0x0524]); // context switches
    EXPECT_EQ(sum_of(truth, "disk", 2), hooks[0x010A]);
    EXPECT_EQ(sum_of(truth, "gc", 2), runtime_events[1]); // GCStart
    EXPECT_EQ(sum_of(truth, "gc", 3), runtime_events[3]); // RestartEEEnd
    for (const auto& [hook, count] : hooks) {
        EXPECT_GT(count, 0U);
    }
    EXPECT_GT(hooks[0x0524], 500U);
}

TEST(Generate, PacketsAreThoseOfTheTruth) {
    Recipe recipe{.contents = Contents::capture, .events = 300, .captures = {1}}; // ndis
    const Made capture = made(recipe);
    constexpr std::size_t before_frame = 12; // two numbers and the size
    std::vector<std::string> frames;
    for_each_event(capture.file, [&](const flow::Event& event) {
        const flow::EventHeader header = flow::read_header(event);
        EXPECT_EQ(header.provider, format::ndis_capture_guid);
        ASSERT_GT(header.payload.size(), before_frame);
        append_hex_bytes(frames.emplace_back(), header.payload.subspan(before_frame));
    });
    std::vector<std::string> packets;
    for (const auto& words : lines_of(capture.report.truth, "packet")) {
        packets.push_back(words.at(11));
    }
    EXPECT_EQ(packets.size(), 300U);
    EXPECT_EQ(frames, packets);
    EXPECT_EQ(sum_of(capture.report.truth, "flow", 6) + sum_of(capture.report.truth, "flow", 8),
              300U);
}

TEST(Generate, EveryKindOfCaptureHasPackets) {
    for (std::size_t kind = 0; kind < capture_kind_names.size(); ++kind) {
        Recipe recipe{.contents = Contents::capture, .events = 200, .captures = {}};
        recipe.captures.at(kind) = 1;
        EXPECT_GT(lines_of(made(recipe).report.truth, "packet").size(), 20U)
            << capture_kind_names.at(kind);
    }
}

TEST(Generate, ProgressRisesToItsEnd) {
    const Recipe recipe{.events = 10'000};
    io::MemoryFiles files;
    auto writer =
        trace::Writer::create("made.etl", {.recording = recording_of(recipe), .files = &files});
    ASSERT_TRUE(writer);
    std::vector<double> parts;
    ASSERT_TRUE(write(recipe, **writer, [&](double done, std::uint64_t events) {
        EXPECT_DOUBLE_EQ(done, static_cast<double>(events) / 10'000);
        parts.push_back(done);
    }));
    EXPECT_EQ(parts.size(), 9U);
    EXPECT_TRUE(std::ranges::is_sorted(parts));
}

TEST(Generate, ImpossibleRecipesAddNothing) {
    using Change = std::function<void(Recipe&)>;
    const auto error_of = [](const Change& change) {
        Recipe recipe{.events = 10};
        change(recipe);
        io::MemoryFiles files;
        auto writer = trace::Writer::create("made.etl",
                                            {.recording = recording_of(Recipe{}), .files = &files});
        const auto report = write(recipe, **writer);
        EXPECT_EQ((*writer)->events_written(), 0U);
        EXPECT_EQ(check(recipe).has_value(), report.has_value());
        return report ? ErrorCode::none : report.error().code;
    };
    const Change changes[] = {
        [](Recipe& r) { r.events.reset(); },
        [](Recipe& r) { r.duration = 0; },
        [](Recipe& r) { r.rate = 0; },
        [](Recipe& r) { r.rate = std::nan(""); },
        [](Recipe& r) { r.out_of_order = 1.5; },
        [](Recipe& r) { r.skew = -1; },
        [](Recipe& r) { r.processors = 0; },
        [](Recipe& r) { r.processors = 2049; },
        [](Recipe& r) { r.providers = 0; },
        [](Recipe& r) { r.min_payload = 129; },
        [](Recipe& r) { r.max_payload = Recipe::payload_limit + 1; },
        [](Recipe& r) { r.mix = {}; },
        [](Recipe& r) { r.mix.fill(Recipe::max_weight + 1); },
        [](Recipe& r) {
            r.contents = Contents::capture;
            r.captures = {};
        },
    };
    for (const Change& change : changes) {
        EXPECT_EQ(error_of(change), ErrorCode::invalid_option) << &change - changes;
    }
    for (const Contents contents : {Contents::workload, Contents::capture}) {
        EXPECT_EQ(error_of([&](Recipe& r) {
                      r.contents = contents;
                      r.width = format::Width::bits32;
                  }),
                  ErrorCode::unsupported);
        EXPECT_EQ(error_of([&](Recipe& r) {
                      r.contents = contents;
                      r.clock = format::ClockType::cpu_cycles;
                  }),
                  ErrorCode::unsupported);
    }
}

TEST(Generate, TheManifestDescribesTheProvidersOfTheTrace) {
    Recipe recipe = recipe_of(Kind::event);
    recipe.providers = 3;
    const std::string text = manifest(recipe);
    std::set<std::string> providers;
    for_each_event(made(recipe).file, [&](const flow::Event& event) {
        const flow::EventHeader header = flow::read_header(event);
        providers.insert(to_string(header.provider));
        EXPECT_THAT(text, testing::HasSubstr("<event value=\"" + std::to_string(header.id) + "\""));
    });
    EXPECT_EQ(providers.size(), 3U);
    for (const std::string& provider : providers) {
        EXPECT_THAT(text, testing::HasSubstr("guid=\"{" + provider + "}\""));
    }
}

} // namespace
} // namespace etl::generate_test
