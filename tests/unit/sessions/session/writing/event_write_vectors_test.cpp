// EventWrite, case by case. The case without a descriptor (V245) needs the C function:
// tests/unit/compat.
#include <etl/session.hpp>

#include "tests/unit/sessions/session/bare_session.hpp"
#include "tests/unit/sessions/session/guids.hpp"

#include <array>
#include <atomic>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace etl::session::event_write_vectors_test {
namespace {

enum class State : std::uint8_t { ordinary, nobody_listens, no_free_buffer, backlog_full };

struct Case {
    std::string_view id;
    Status expected = Status::success;
    std::uint8_t written = 0, lost = 0;
    std::size_t payload = 0;
    std::size_t parts = 1;
    std::uint32_t buffer_kb = 64;
    std::uint32_t mode = 0;
    State state = State::ordinary;

    friend std::ostream& operator<<(std::ostream& to, const Case& c) { return to << c.id; }
};

constexpr std::array cases{
    Case{.id = "V247", .state = State::nobody_listens},
    Case{.id = "V248", .expected = Status::invalid_parameter, .parts = 129},
    Case{.id = "V249", .written = 1, .parts = 128},
    Case{.id = "V250", .written = 1, .payload = 65384},
    Case{.id = "V251", .expected = Status::more_data, .lost = 1, .payload = 65385},
    Case{.id = "V252", .expected = Status::more_data, .lost = 1, .payload = 4000, .buffer_kb = 4},
    Case{
        .id = "V253", .expected = Status::arithmetic_overflow, .payload = 65536, .buffer_kb = 1024},
    Case{.id = "V254", .written = 1, .payload = 65455, .buffer_kb = 1024},
    Case{
        .id = "V255", .expected = Status::arithmetic_overflow, .payload = 65456, .buffer_kb = 1024},
    Case{.id = "V256",
         .expected = Status::not_enough_memory,
         .lost = 1,
         .payload = 100,
         .state = State::no_free_buffer},
    Case{.id = "V257",
         .lost = 1,
         .payload = 100,
         .mode = mode::independent_session,
         .state = State::no_free_buffer},
    Case{.id = "V258",
         .expected = Status::log_file_full,
         .lost = 1,
         .payload = 100,
         .state = State::backlog_full},
};

class EventWriteVector : public testing::TestWithParam<Case> {};

TEST_P(EventWriteVector, HasTheStatusOfWindows) {
    const Case& c = GetParam();
    BareProvider provider(tea);
    BareSession session({.mode = c.mode, .buffer_size = c.buffer_kb << 10U, .buffers = 2});
    if (c.state != State::nobody_listens) {
        provider.enable(session);
    }
    std::size_t before = 0;
    if (c.state == State::no_free_buffer) {
        const std::vector<std::byte> whole((c.buffer_kb << 10U) - 0x48U -
                                           format::event_record::size);
        while (provider.write({}, whole).written == 1) {
            ++before;
        }
        ASSERT_EQ(before, 2U);
    }
    session.buffers().admit(c.state == State::backlog_full ? 0 : Buffers::no_limit);
    const std::uint64_t lost_before = session.buffers().events_lost();

    const std::vector<std::byte> payload(c.payload);
    std::vector<Bytes> parts(c.parts);
    parts.back() = payload;
    constexpr format::EventDescriptor descriptor{.level = 4};
    const WriteResult result =
        write_event(*provider.node, {.descriptor = &descriptor, .parts = parts}, {});
    EXPECT_EQ(result.status, c.expected);
    EXPECT_EQ(result.written, c.written);
    EXPECT_EQ(result.lost, c.lost);
    EXPECT_EQ(session.buffers().events_lost() - lost_before, c.lost);
    EXPECT_EQ(session.records().size(), before + c.written);
}

INSTANTIATE_TEST_SUITE_P(Table, EventWriteVector, testing::ValuesIn(cases),
                         [](const auto& c) { return std::string(c.param.id); });

TEST(EventWriteVectorV246, RegistrationThatIsGoneIsAnInvalidHandle) {
    const Registration gone;
    EXPECT_EQ(gone.write(format::EventDescriptor{}, {}).status, Status::invalid_handle);
}

TEST(EventWriteVectorV259, BlockingSessionMakesWritersWaitUntilABufferIsFree) {
    BareProvider provider(tea);
    BareSession session({.mode = mode::blocking | mode::private_logger,
                         .buffer_size = 0x1000,
                         .buffers = 2,
                         .may_wait = true});
    provider.enable(session);
    constexpr unsigned wanted = 100;
    std::atomic<unsigned> written = 0;
    std::thread writer([&] {
        for (unsigned i = 0; i < wanted; ++i) {
            written += provider.write({}, std::vector<std::byte>(1000)).written;
        }
    });
    std::size_t read = 0;
    while (written < wanted) {
        if (const auto filled = session.buffers().next_closed()) {
            read += 3; // 1080 bytes each
            session.buffers().give_back(*filled);
        } else {
            std::this_thread::yield();
        }
    }
    writer.join();
    EXPECT_EQ(written, wanted);
    EXPECT_EQ(session.buffers().events_lost(), 0U);
    EXPECT_EQ(read + session.records().size(), wanted);
}

} // namespace
} // namespace etl::session::event_write_vectors_test
