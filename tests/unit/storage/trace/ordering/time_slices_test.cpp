#include "tests/support/damage.hpp"
#include "tests/support/reading.hpp"
#include "tests/unit/storage/trace/reading/clock_rollback_session.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace etl::trace::time_slices_test {
namespace {

using namespace test;

/// How the buffers of a trace are filled.
struct Filling {
    std::uint32_t processors = 1;
    std::uint32_t buffers = 0;
    std::uint32_t events = 0; // of a buffer, at most
    unsigned reaching_back =
        0;                // of 1000 buffers, those that begin before the end of the one before
    unsigned empty = 0;   // of 1000
    unsigned untimed = 0; // of 1000 events, those without a time of their own
    unsigned step = 3;    // between events of a processor, at most
};

Image filled(const Filling& filling, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t limit) {
        return static_cast<std::uint32_t>(random() % limit);
    };
    TraceFacts facts;
    facts.reference_time = 0;
    facts.processors = filling.processors;
    TraceBuilder trace(facts);
    std::vector<std::int64_t> now(filling.processors, 1000);
    std::uint16_t id = 0;
    for (std::uint32_t i = 0; i < filling.buffers; ++i) {
        const auto processor = static_cast<std::uint16_t>(below(filling.processors));
        auto& buffer = trace.buffer({.processor = processor});
        std::int64_t& time = now[processor];
        if (below(1000) < filling.reaching_back) {
            time -= below(30);
        }
        const std::uint32_t events = below(1000) < filling.empty ? 0 : 1 + below(filling.events);
        for (std::uint32_t k = 0; k < events; ++k) {
            if (below(1000) < filling.untimed) {
                buffer.add(format::MessageRecord{.number = ++id});
                continue;
            }
            time += below(filling.step + 1);
            buffer.add(format::EventRecord{.time = time, .descriptor = {.id = ++id}});
        }
    }
    return trace.build();
}

/// Findings as text, each with the number of events that had been returned before it.
class TimedFindings final : public DiagnosticSink {
public:
    void report(const Diagnostic& finding) override {
        list.push_back(std::to_string(events) + ": " + describe(finding));
    }

    std::uint64_t events = 0;
    std::vector<std::string> list;
};

struct Result {
    std::vector<Seen> events;
    std::vector<std::string> findings;
    std::size_t shared_pins = 0; // pins that keep events of several processors
};

Result read_all(const Image& image, ReaderOptions options) {
    TimedFindings findings;
    options.diagnostics = &findings;
    auto reader = Reader::open(in_memory(image), options);
    if (!reader) {
        throw std::logic_error("not a trace");
    }
    Result result;
    std::map<const void*, std::pair<flow::Pin, std::set<std::uint16_t>>> pins;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const flow::Event& event : run) {
            result.events.push_back(seen(event));
        }
        findings.events += run.size();
        flow::Pin pin = (*reader)->pin();
        auto& [kept, processors] = pins[pin.get()];
        processors.insert(run.front().buffer->processor);
        kept = std::move(pin); // so that its address is not that of another one
    }
    result.findings = std::move(findings.list);
    for (const auto& [address, pin] : pins) {
        result.shared_pins += pin.second.size() > 1 ? 1U : 0U;
    }
    return result;
}

/// As one thread returns it, so do others. How many slices several threads merged.
std::size_t expect_the_same(const Image& image, ReaderOptions options = {}) {
    const Result alone = read_all(image, options);
    EXPECT_EQ(alone.shared_pins, 0U) << "one thread needs no slices";
    std::size_t slices = 0;
    for (const unsigned threads : {2U, 3U, 5U}) {
        options.threads = threads;
        const Result together = read_all(image, options);
        EXPECT_TRUE(together.events == alone.events) << threads;
        EXPECT_EQ(together.findings, alone.findings) << threads;
        slices += together.shared_pins;
    }
    return slices;
}

TEST(TimeSlices, AreMergedAsOneThreadMergesThem) {
    for (const std::uint32_t processors : {16U, 64U}) {
        const Image image =
            filled({.processors = processors, .buffers = 4000, .events = 40}, processors);
        EXPECT_GT(expect_the_same(image), 3U) << processors;
        EXPECT_GT(expect_the_same(image, {.order = Order::recorded}), 3U) << processors;
        EXPECT_GT(expect_the_same(image, {.is_single_pass = true}), 3U) << processors;
    }
}

TEST(TimeSlices, AreNotWorthItForFewProcessors) {
    EXPECT_EQ(expect_the_same(filled({.processors = 8, .buffers = 400, .events = 40}, 1)), 0U);
}

TEST(TimeSlices, KeepTheOrderOfEqualTimes) {
    for (const unsigned step : {0U, 1U}) {
        expect_the_same(
            filled({.processors = 24, .buffers = 400, .events = 40, .step = step}, step));
    }
}

TEST(TimeSlices, EndWhereBuffersReachBack) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const Filling filling{.processors = 16 + seed % 9,
                              .buffers = 300,
                              .events = 30,
                              .reaching_back = seed % 3 == 0 ? 400U : 20U};
        expect_the_same(filled(filling, seed));
    }
}

TEST(TimeSlices, PassOverEmptyBuffersAndTakeEventsWithoutTimes) {
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const Filling filling{.processors = 16,
                              .buffers = 300,
                              .events = 20,
                              .reaching_back = seed % 2 == 0 ? 30U : 0U,
                              .empty = 200,
                              .untimed = 150};
        EXPECT_GT(expect_the_same(filled(filling, seed)), 0U);
    }
}

TEST(TimeSlices, ReportDamageAfterTheEventsBeforeIt) {
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        Image image = filled({.processors = 17, .buffers = 300, .events = 20, .empty = 50}, seed);
        for (std::size_t damage = 0; damage < seed; ++damage) {
            image = flip(std::move(image), (20 + 25 * damage) * 0x1000 + 0x48 + 3); // a bad marker
        }
        EXPECT_GT(expect_the_same(image), 0U);
    }
}

TEST(TimeSlices, HoldOnlyWhatIsSelected) {
    const Image image = filled({.processors = 24, .buffers = 400, .events = 40}, 7);
    EXPECT_GT(expect_the_same(image, {.select =
                                          [](const flow::Event& event) {
                                              return flow::read_header(event).id % 16 == 0;
                                          }}),
              0U);
}

TEST(TimeSlices, EndWhereEventsAreFarOutOfOrder) {
    TraceFacts facts;
    facts.reference_time = 0;
    facts.processors = 20;
    TraceBuilder trace(facts);
    std::uint16_t id = 0;
    for (std::uint32_t i = 0; i < 200; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 20)});
        for (std::uint32_t k = 0; k < 20; ++k) {
            const std::int64_t time = 1000 + 100 * (i / 20) + 4 * k - (i >= 100 ? 900 : 0);
            buffer.add(format::EventRecord{.time = time, .descriptor = {.id = ++id}});
        }
    }
    EXPECT_EQ(read_all(trace.build(), {}).findings.size(), 20U);
    EXPECT_GT(expect_the_same(trace.build()), 0U);
}

TEST(TimeSlices, AreNotCutIfTheClockWasSetBack) {
    Session session;
    for (const std::int64_t set_back : {2 * hour, std::int64_t{0}}) {
        for (std::uint16_t i = 0; i < 200; ++i) {
            session.record(i % 24, 3);
        }
        session.set_back(set_back);
    }
    const Image image = session.stop();
    for (const Order order : {Order::time, Order::recorded}) {
        EXPECT_EQ(expect_the_same(image, {.order = order}), 0U);
    }
}

} // namespace
} // namespace etl::trace::time_slices_test
