// Buffers of a ring.
#include "session/buffers/buffers.hpp"
#include "tests/unit/sessions/session/buffers/open_buffers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace etl::session::ring_test {
namespace {

using testing::ElementsAre;

std::vector<std::vector<std::uint32_t>> in_ring(Buffers& buffers) {
    std::vector<std::vector<std::uint32_t>> result;
    buffers.for_each_in_ring(
        [&](const ClosedBuffer& view) { result.push_back(names(view.memory, view.used)); });
    return result;
}

const BufferPlan ring{
    .buffer_size = buffer_size, .minimum = 3, .maximum = 90, .stripes = 1, .is_ring = true};

TEST(Ring, OverwritesWhatIsOldest) {
    Open session(ring);
    for (std::uint32_t i = 0; i < 5; ++i) {
        session.fill_buffer(10 * i + 1);
    }
    EXPECT_THAT(in_ring(session.buffers),
                ElementsAre(ElementsAre(21, 22, 23, 24), ElementsAre(31, 32, 33, 34),
                            ElementsAre(41, 42, 43, 44)));
    EXPECT_EQ(session.buffers.number_of_buffers(), 3U);
    EXPECT_EQ(session.buffers.events_lost(), 0U);
}

TEST(Ring, IsAsItWasWhenItWasCopied) {
    Open session(ring);
    session.fill_buffer(1);
    session.write(11);
    const auto once = in_ring(session.buffers);
    EXPECT_THAT(once, ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(11)));
    EXPECT_EQ(in_ring(session.buffers), once);
    session.write(12); // into the same buffer
    EXPECT_THAT(in_ring(session.buffers),
                ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(11, 12)));
}

TEST(Ring, ClosesABufferThatIsNeverQuietToCopyIt) {
    Open session(ring);
    session.write(1);
    const Place begun = session.reserve();
    std::vector<std::vector<std::uint32_t>> copy;
    std::thread copier([&] { copy = in_ring(session.buffers); });
    for (;;) { // until the copier has closed it, or it is full
        const Place other = session.reserve(8);
        session.buffers.abandon(other);
        if (other.in_place != begun.in_place) {
            break;
        }
    }
    session.finish(begun, 2);
    copier.join();
    ASSERT_FALSE(copy.empty());
    ASSERT_GE(copy[0].size(), 2U);
    EXPECT_EQ(copy[0][0], 1U);
    EXPECT_EQ(copy[0][1], 2U); // it was waited for
}

TEST(Ring, LeavesABufferWithAnUnfinishedRecordAlone) {
    Open session(ring);
    session.write(1);
    const Place begun = session.reserve();
    session.write(3);
    session.write(4);
    for (std::uint32_t i = 1; i < 6; ++i) {
        session.fill_buffer(10 * i + 1);
    }
    session.finish(begun, 2);
    EXPECT_THAT(in_ring(session.buffers),
                ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(41, 42, 43, 44),
                            ElementsAre(51, 52, 53, 54)));
}

TEST(Ring, LosesAnEventOnlyWhenAllBuffersAreUnfinished) {
    Open session(ring);
    std::vector<Place> begun;
    for (int i = 0; i < 3; ++i) {
        begun.push_back(session.reserve(capacity));
    }
    EXPECT_EQ(session.refusal(8), Refusal::no_buffer);
    session.finish(begun[1], 5, capacity);
    session.write(6);
    EXPECT_EQ(session.buffers.events_lost(), 1U);
    session.finish(begun[0], 1, capacity);
    session.finish(begun[2], 2, capacity);
    session.buffers.close();
    EXPECT_THAT(in_ring(session.buffers),
                ElementsAre(ElementsAre(1), ElementsAre(2), ElementsAre(6)));
}

} // namespace
} // namespace etl::session::ring_test
