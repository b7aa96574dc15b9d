// Events through a runtime into files: what comes back, what it costs, and that none is forgotten.

#include <etl/provider.hpp>
#include <etl/session.hpp>

#include "format/records.hpp"
#include "host/process.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/support/traces/written.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

namespace etl::session::writing_test {
namespace {

using namespace literals;
using testing::Each;

constexpr Guid order = "7f3b9d10-66aa-4c8e-8f21-0d9c5be1a442"_guid;
constexpr format::EventDescriptor steeped{.id = 7, .level = 4, .keyword = 1};

std::shared_ptr<const io::InputFile> made(io::MemoryFiles& files, const std::string& name) {
    return io::InputFile::from_memory(files.files()[name], name);
}

TEST(Writing, EventComesBackWithAllThatWasSaidOfIt) {
    io::MemoryFiles files;
    Runtime runtime;
    const provider::Provider shop("TeaShop");
    const auto events = runtime.add(shop);
    const auto session = runtime.start({.name = "Tea", .file = "tea.etl", .files = &files});
    ASSERT_TRUE(events && session);
    constexpr auto all = enable_property::sid | enable_property::terminal_session |
                         enable_property::process_start_key | enable_property::event_key;
    ASSERT_TRUE(session->enable(shop.guid(), {.level = 4, .property = all}));
    provider::StaticEvent<"Steeped", provider::EventOptions{.level = 4, .keyword = 2},
                          provider::Field<"Leaves", std::u16string_view>>
        event(shop);
    const format::EventRecord record = event.record({.activity = order}, u"oolong");
    EXPECT_EQ(events->write(record, {.related = &tea, .property = 8}).written, 1);
    ASSERT_TRUE(session->stop());

    auto reader = trace::Reader::open(made(files, "tea.etl"));
    ASSERT_TRUE(reader);
    flow::EventCursor cursor(**reader);
    const flow::Event* written = cursor.next();
    while (written != nullptr && flow::read_header(*written).provider != shop.guid()) {
        written = cursor.next(); // of the session itself
    }
    ASSERT_NE(written, nullptr);
    const flow::EventHeader header = flow::read_header(*written);
    EXPECT_EQ(header.provider, shop.guid());
    EXPECT_EQ(header.activity, order);
    EXPECT_EQ(header.level, 4);
    EXPECT_EQ(header.keyword, 2U);
    EXPECT_EQ(header.channel, format::tracelogging_channel);
    EXPECT_EQ(header.property, 8);
    EXPECT_EQ(header.process_id, host::process_id());
    EXPECT_EQ(header.thread_id, host::thread_id());
    EXPECT_FALSE(header.has_invalid_items);
    EXPECT_FALSE(header.has_cpu_times);
    EXPECT_EQ(std::vector(header.payload.begin(), header.payload.end()),
              std::vector(record.payload.begin(), record.payload.end()));
    using enum format::ItemType;
    const auto equal = [&](format::ItemType type, Bytes bytes) {
        return std::ranges::equal(flow::find_item(header, type).data, bytes);
    };
    EXPECT_TRUE(equal(related_activity_id, std::as_bytes(std::span(tea.bytes))));
    EXPECT_TRUE(equal(provider_traits, shop.traits()));
    EXPECT_TRUE(equal(event_schema_tl, event.metadata));
    const host::UserSid user = host::user_sid();
    EXPECT_TRUE(equal(sid, Bytes(user.bytes).first(user.size)));
    EXPECT_EQ(flow::find_item(header, terminal_session_id).data.size(), 4U);
    EXPECT_EQ(flow::find_item(header, process_start_key).data.size(), 8U);
    EXPECT_EQ(flow::find_item(header, event_key).data.size(), 8U);
}

TEST(Writing, TextIsAnEventOfItsOwnKind) {
    io::MemoryFiles files;
    Runtime runtime;
    const auto events = runtime.add(tea);
    const auto session = runtime.start({.name = "Tea", .file = "tea.etl", .files = &files});
    ASSERT_TRUE(events && session && session->enable(tea));
    EXPECT_EQ(events->write_string(4, 1, u"hot").written, 1);
    ASSERT_TRUE(session->stop());
    const test::Content content = without_enablements(test::content_of(made(files, "tea.etl")));
    ASSERT_EQ(content.streams.size(), 1U);
    const test::Image& record = content.streams.begin()->second.at(0);
    const auto flags = load_le<std::uint16_t>(record.data() + 4);
    EXPECT_EQ(flags, format::event_flag::string_only | format::event_flag::no_cpu_time);
    EXPECT_EQ(load_le<std::uint16_t>(record.data() + 6), 4); // LEGACY_EVENTLOG
    EXPECT_EQ(test::Image(record.begin() + 0x50, record.end()),
              (test::Image{std::byte{'h'}, std::byte{0}, std::byte{'o'}, std::byte{0},
                           std::byte{'t'}, std::byte{0}, std::byte{0}, std::byte{0}}));
}

TEST(Writing, RegistrationOfNothingWritesNothing) {
    Registration nothing;
    EXPECT_FALSE(nothing.is_enabled());
    EXPECT_FALSE(nothing.is_enabled(1, 1));
    EXPECT_EQ(nothing.write(format::EventRecord{}).written, 0);
    EXPECT_EQ(nothing.set_traits({}).error().status, Status::invalid_handle);
}

TEST(Writing, RegistrationThatWasMovedGoesOnInItsNewPlace) {
    io::MemoryFiles files;
    Runtime runtime;
    const auto session = runtime.start({.name = "Tea", .file = "tea.etl", .files = &files});
    ASSERT_TRUE(session && session->enable(tea));
    auto first = runtime.add(tea);
    ASSERT_TRUE(first);
    Registration second = std::move(*first);
    EXPECT_FALSE(first->is_enabled());
    EXPECT_EQ(second.write(steeped, {}).written, 1);
    *first = std::move(second);
    EXPECT_EQ(first->write(steeped, {}).written, 1);
    *first = Registration{};
    EXPECT_FALSE(runtime.providers().at(0).is_registered);
}

TEST(Writing, AsksForNoMemory) {
    io::MemoryFiles files;
    Runtime runtime;
    const auto events = runtime.add(tea);
    // Of one thread, whose logger sleeps while this runs.
    const auto session = runtime.start({.name = "Tea",
                                        .buffer_kb = 1024,
                                        .mode = mode::no_per_processor_buffering,
                                        .file = "tea.etl",
                                        .files = &files});
    ASSERT_TRUE(events && session);
    constexpr auto all = enable_property::sid | enable_property::terminal_session |
                         enable_property::process_start_key | enable_property::event_key |
                         enable_property::stack_trace;
    ASSERT_TRUE(session->enable(tea, {.property = all, .filters = {make_event_filter({7})}}));
    const std::array<std::byte, 32> payload{};
    const std::array<Bytes, 1> parts{payload};
    const auto write = [&] {
        return events->write(steeped, parts, {.activity = &order, .related = &tea}).written +
               events->write_string(4, 1, u"hot").written; // id 0: filtered
    };
    ASSERT_EQ(write(), 1);
    const std::size_t before = test::allocations().count;
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(write(), 1);
    }
    EXPECT_EQ(test::allocations().count - before, 0U);
    EXPECT_TRUE(session->stop());
}

/// What all threads of a test were told.
struct Told {
    std::atomic<std::uint64_t> written = 0, lost = 0;
};

void write_until(const std::atomic<bool>& is_over, const Registration& events, unsigned seed,
                 Told& told) {
    std::array<std::byte, 600> payload{};
    std::uint64_t written = 0;
    std::uint64_t lost = 0;
    for (std::size_t i = seed; !is_over; i = (i * 1103515245 + 12345) & 0x7FFFFFFFU) {
        const std::array<Bytes, 1> parts{Bytes(payload).first(i / 7 % payload.size())};
        const WriteResult result = events.write(steeped, parts);
        written += result.written;
        lost += result.lost;
        if (i % 64 == 0) {
            std::this_thread::yield();
        }
    }
    told.written += written;
    told.lost += lost;
}

/// The records of all files and what they say was lost; each in order, and no file damaged.
/// `of_sessions`: records about enabled providers.
std::uint64_t records_of(io::MemoryFiles& files, std::uint64_t& of_sessions) {
    std::uint64_t records = 0;
    for (const auto& [name, image] : files.files()) {
        const test::Written written = test::read_written(image);
        EXPECT_THAT(written.checked, Each("the session lost events or buffers")) << name;
        for (const auto& [processor, stream] : written.streams) {
            std::int64_t last = 0;
            for (const test::Image& record : stream) {
                const auto shape = format::record_at(record);
                if (!format::is_event(shape.kind)) {
                    continue; // given up
                }
                EXPECT_GE(shape.time, last) << name;
                last = shape.time;
                ++(is_enablement(record) ? of_sessions : records);
            }
        }
    }
    return records;
}

TEST(Writing, EveryEventIsWrittenOrCountedAsLostWhateverControllersDo) {
    const char* longer = std::getenv("ETL_LONG_TESTS");
    const unsigned rounds = longer != nullptr ? 2000 : 60;
    io::MemoryFiles files;
    std::uint64_t events_lost = 0;
    Told told;
    {
        Runtime runtime;
        const auto events = runtime.add(tea);
        ASSERT_TRUE(events);
        std::atomic<bool> is_over = false;
        std::vector<std::thread> writers;
        for (unsigned i = 0; i < 4; ++i) {
            writers.emplace_back([&, i] { write_until(is_over, *events, i + 1, told); });
        }
        for (unsigned round = 0; round < rounds; ++round) {
            const std::string number = std::to_string(round);
            const auto start = [&](const std::string& name, std::uint32_t mode) {
                return runtime.start({.name = name,
                                      .clock = 1 + round % 3,
                                      .buffer_kb = 4,
                                      .minimum_buffers = 4,
                                      .maximum_buffers = 4,
                                      .mode = mode,
                                      .file = name,
                                      .files = &files});
            };
            const auto one = start("one" + number, 0);
            const auto two = start("two" + number, round % 2 == 0 ? mode::independent_session : 0);
            ASSERT_TRUE(one && two);
            ASSERT_TRUE(one->enable(tea));
            ASSERT_TRUE(two->enable(tea, {.property = enable_property::terminal_session}));
            std::this_thread::yield();
            ASSERT_TRUE(one->flush());
            ASSERT_TRUE(two->disable(tea));
            ASSERT_TRUE(two->enable(tea, {.level = 4, .filters = {make_event_filter({7})}}));
            ASSERT_TRUE(two->update({.maximum_buffers = 6}));
            for (const auto& session : {one, two}) {
                const auto stopped = session->stop();
                ASSERT_TRUE(stopped);
                events_lost += stopped->events_lost;
            }
        }
        is_over = true;
        for (std::thread& writer : writers) {
            writer.join();
        }
    }
    EXPECT_GT(told.written, 0U);
    std::uint64_t of_sessions = 0;
    EXPECT_EQ(records_of(files, of_sessions), told.written);
    EXPECT_EQ(of_sessions + events_lost, told.lost + 3 * rounds);
}

} // namespace
} // namespace etl::session::writing_test
