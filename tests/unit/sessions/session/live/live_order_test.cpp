// The order of events across stripes, however their buffers come.
#include "session/live/live_reading.hpp"
#include "tests/unit/sessions/session/live/live_feed.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <thread>

namespace etl::session::live_order_test {
namespace {

using testing::ElementsAre;

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

struct PlannedBuffer {
    std::vector<Fed> events;
    std::int64_t closed_at = 0;
};

/// What a session wrote: the buffers of each stripe.
using Plan = std::vector<std::vector<PlannedBuffer>>;

Plan random_plan(std::mt19937& random, std::uint16_t stripes) {
    const auto pick = [&](int min, int max) {
        return std::uniform_int_distribution(min, max)(random);
    };
    Plan plan(stripes);
    std::uint16_t id = 0;
    for (auto& buffers : plan) {
        std::int64_t time = pick(0, 20);
        for (int i = pick(0, 8); i > 0; --i) {
            PlannedBuffer buffer;
            for (int k = pick(0, 6); k > 0; --k) {
                buffer.events.push_back({time, ++id});
                time += pick(0, 1) * pick(0, 12);
            }
            buffer.closed_at = time;
            buffers.push_back(std::move(buffer));
        }
    }
    return plan;
}

/// The session and one consumer of it, and what the consumer must have by now.
class Play {
public:
    explicit Play(const Plan& plan)
        : plan_(&plan), next_(plan.size()), floors_(plan.size(), 0),
          hub_(std::make_shared<LiveHub>(
              HubPlan{.recording = feed_recording(static_cast<std::uint16_t>(plan.size())),
                      .buffer_size = feed_buffer_size,
                      .is_real_time = true,
                      .backlog_bytes = 1U << 20U,
                      .admit = {}})) {}

    void connect() { reading_.emplace(hub_, *hub_->connect({})); }

    bool deliver(std::size_t stripe) {
        if (next_[stripe] == (*plan_)[stripe].size()) {
            return false;
        }
        const PlannedBuffer& planned = (*plan_)[stripe][next_[stripe]++];
        FedBuffer buffer(static_cast<std::uint16_t>(stripe), planned.closed_at);
        for (const Fed& event : planned.events) {
            buffer.add(event);
            stripe_of_[event.id] = stripe;
            waiting_.push_back(event);
        }
        EXPECT_EQ(hub_->deliver(buffer.view(), 1).lost, 0U);
        floors_[stripe] = std::max(floors_[stripe], planned.closed_at);
        return true;
    }

    /// As far as what was not delivered yet allows.
    void advance() {
        std::int64_t time = never;
        for (std::size_t i = 0; i < plan_->size(); ++i) {
            for (std::size_t k = next_[i]; k < (*plan_)[i].size(); ++k) {
                const PlannedBuffer& buffer = (*plan_)[i][k];
                time = std::min(time, buffer.events.empty() ? buffer.closed_at
                                                            : buffer.events.front().time);
            }
        }
        hub_->advance(time);
        for (std::int64_t& floor : floors_) {
            floor = std::max(floor, time);
        }
    }

    void end() {
        hub_->end();
        std::ranges::fill(floors_, never);
    }

    /// Takes what there is. Returns whether the source has ended.
    bool read() {
        while (const auto run = reading_->poll()) {
            if (run->empty()) {
                return true;
            }
            for (const flow::Event& event : *run) {
                if (format::is_event(event.kind)) {
                    given_.push_back({event.raw_time, flow::read_header(event).id});
                }
            }
        }
        return false;
    }

    /// All that is certain to come next was given, and nothing else.
    void expect_all_that_can_be() {
        std::erase_if(waiting_, [&](const Fed& event) {
            for (std::size_t i = 0; i < floors_.size(); ++i) {
                if (i != stripe_of_[event.id] && floors_[i] < event.time) {
                    return false;
                }
            }
            expected_.insert(event.id);
            return true;
        });
        std::set<std::uint16_t> ids;
        for (const Fed& event : given_) {
            ids.insert(event.id);
        }
        EXPECT_EQ(ids.size(), given_.size());
        EXPECT_EQ(ids, expected_);
        EXPECT_TRUE(std::ranges::is_sorted(given_, {}, &Fed::time));
    }

    /// Those of one stripe come as they were written.
    void expect_order_in_stripes() {
        std::map<std::size_t, std::uint16_t> last;
        for (const Fed& event : given_) {
            EXPECT_LT(last[stripe_of_[event.id]], event.id);
            last[stripe_of_[event.id]] = event.id;
        }
    }

private:
    const Plan* plan_;
    std::vector<std::size_t> next_;
    std::vector<std::int64_t> floors_;
    std::shared_ptr<LiveHub> hub_;
    std::optional<LiveReading> reading_;
    std::map<std::uint16_t, std::size_t> stripe_of_;
    std::vector<Fed> waiting_, given_;
    std::set<std::uint16_t> expected_;
};

TEST(LiveOrder, IsThatOfTimeHoweverBuffersCome) {
    for (unsigned seed = 0; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const auto stripes = static_cast<std::uint16_t>(1 + seed % 5);
        const Plan plan = random_plan(random, stripes);
        Play play(plan);
        if (seed % 3 == 0) { // part of it comes as backlog
            for (std::size_t i = 0; i < stripes; ++i) {
                play.deliver(random() % stripes);
            }
        }
        play.connect();
        EXPECT_FALSE(play.read());
        bool goes_on = true;
        while (goes_on) {
            const std::size_t first = random() % stripes;
            goes_on = false;
            for (std::size_t i = 0; i < stripes && !goes_on; ++i) {
                goes_on = play.deliver((first + i) % stripes);
            }
            if (random() % 4 == 0) {
                play.advance();
            }
            if (random() % 3 != 0) {
                EXPECT_FALSE(play.read());
                play.expect_all_that_can_be();
            }
        }
        play.end();
        EXPECT_TRUE(play.read());
        play.expect_all_that_can_be();
        play.expect_order_in_stripes();
    }
}

TEST(LiveOrder, WaitsForStripesThatMayHaveOlderEvents) {
    const Plan plan = {{{{{10, 1}, {30, 2}}, 30}}, {{{{20, 3}}, 25}}};
    Play play(plan);
    play.connect();
    play.read();
    play.deliver(0);
    play.read();
    play.expect_all_that_can_be(); // nothing
    play.advance();                // to 20
    play.read();
    play.expect_all_that_can_be(); // the first
    play.deliver(1);
    play.read();
    play.expect_all_that_can_be(); // those up to 25
    play.end();
    EXPECT_TRUE(play.read());
    play.expect_all_that_can_be();
}

TEST(LiveOrder, IsNotHeldUpByStampsOfTheFuture) {
    Feed feed(2);
    const auto source = feed.listen();
    FedBuffer buffer(0, 20);
    feed.queue.deliver(buffer.add(Fed{1'000'000, 1}).add(Fed{10, 2}).view(), 1);
    feed.deliver(1, 30, {{15, 3}, {25, 4}});
    feed.queue.advance(30);
    flow::EventCursor events(*source);
    std::vector<std::string> all;
    for (int i = 0; i < 5; ++i) { // none of these calls waits
        all.push_back(word(*events.next()));
    }
    EXPECT_THAT(all, ElementsAre("header", "2", "3", "1", "4"));
}

TEST(LiveOrder, GivesRecordsWithoutStampTheTimeOfTheOneBefore) {
    Feed feed(1);
    const auto source = feed.listen();
    FedBuffer buffer(0, 20);
    buffer.add(format::MessageRecord{.number = 1})
        .add(Fed{10, 2})
        .add(format::MessageRecord{.number = 3})
        .add(format::ErrorRecord{});
    feed.queue.deliver(buffer.view(), 1);
    FedBuffer next(0, 30);
    feed.queue.deliver(next.add(format::MessageRecord{.number = 4}).add(Fed{25, 5}).view(), 2);
    feed.queue.end();
    flow::EventCursor events(*source);
    std::vector<std::int64_t> times;
    while (const flow::Event* event = events.next()) {
        times.push_back(event->raw_time);
    }
    // The header; the ERROR record, a place that was given up, does not come.
    EXPECT_THAT(times, ElementsAre(0, 0, 10, 10, 10, 25));
}

TEST(LiveOrder, PinsKeepWhatWasGiven) {
    Feed feed(1);
    const auto source = feed.listen();
    source->next_run();
    std::vector<std::pair<flow::Pin, flow::Run>> kept;
    for (std::uint16_t id = 1; id <= 20; ++id) {
        feed.deliver(0, id, {{id, id}});
        const flow::Run run = source->next_run();
        kept.emplace_back(source->pin(), run);
    }
    for (std::uint16_t id = 1; id <= 20; ++id) {
        EXPECT_EQ(flow::read_header(kept[id - 1U].second.front()).id, id);
    }
}

/// A logger, and consumers who come and go: nothing is given twice, out of order, or lost without
/// being counted.
TEST(LiveOrder, HoldsWhileConsumersComeAndGo) {
    constexpr std::uint16_t stripes = 3;
    constexpr int rounds = 2000;
    Feed feed(stripes);
    const auto steady = feed.listen();
    const auto slow = feed.listen({.queue_bytes = 2000, .slow = SlowConsumer::drop_oldest});
    std::uint32_t lost = 0;
    std::thread logger([&] {
        std::int64_t time = 0;
        for (int i = 0; i < rounds; ++i) {
            for (std::uint16_t stripe = 0; stripe < stripes; ++stripe) {
                time += 2;
                lost += feed.deliver(stripe, time, {{time - 1, 1}, {time, 2}});
            }
            feed.queue.advance(time);
        }
        feed.queue.end();
    });
    const auto count = [](flow::Source& source, std::uint64_t max) {
        std::uint64_t events = 0;
        std::int64_t last = 0;
        flow::EventCursor all(source);
        while (const flow::Event* event = events < max ? all.next() : nullptr) {
            EXPECT_GE(event->raw_time, last);
            last = event->raw_time;
            events += format::is_event(event->kind) ? 1U : 0U;
        }
        return events;
    };
    std::thread guests([&] {
        for (int i = 0; i < 50; ++i) {
            auto guest = feed.queue.connect({.slow = SlowConsumer::disconnect});
            if (guest) {
                count(**guest, 20);
            }
        }
    });
    std::uint64_t of_slow = 0;
    std::thread slow_reader([&] { of_slow = count(*slow, never); });
    EXPECT_EQ(count(*steady, never), std::uint64_t{2} * stripes * rounds);
    logger.join();
    guests.join();
    slow_reader.join();
    EXPECT_EQ(steady->buffers_lost(), 0U);
    EXPECT_EQ(of_slow + 2 * slow->buffers_lost(), std::uint64_t{2} * stripes * rounds);
    EXPECT_EQ(lost, slow->buffers_lost());
}

} // namespace
} // namespace etl::session::live_order_test
