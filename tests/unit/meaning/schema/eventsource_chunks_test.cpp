#include "schema/eventsource_chunks.hpp"
#include "schema/limits.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::eventsource_chunks_test {
namespace {

using namespace etl::literals;
using test::manifest_chunks;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr Guid one = "11111111-2222-3333-4444-555555555555"_guid;
constexpr Guid two = "99999999-2222-3333-4444-555555555555"_guid;

/// Sends chunks as one thread of a process does.
struct Sender {
    EventSourceChunks& to;
    Guid provider = one;
    std::uint32_t process = 1;
    std::uint32_t thread = 1;

    void send(Bytes payload, std::int64_t time, std::uint64_t position = 0) const {
        to.add(provider, process, thread, time, position, payload);
    }
};

TEST(EventSourceChunks, TellsManifestChunks) {
    const auto chunk = manifest_chunks("<x/>").at(0);
    EXPECT_TRUE(is_manifest_chunk(0xFFFE, 0xFE, chunk));
    EXPECT_FALSE(is_manifest_chunk(0xFFFD, 0xFE, chunk));
    EXPECT_FALSE(is_manifest_chunk(0xFFFE, 0, chunk));
    EXPECT_FALSE(is_manifest_chunk(0xFFFE, 0xFE, Bytes(chunk).first(7)));
    auto other = chunk;
    other[0] = std::byte{2};
    EXPECT_FALSE(is_manifest_chunk(0xFFFE, 0xFE, other)) << "another format";
    other = chunk;
    other[3] = std::byte{0};
    EXPECT_FALSE(is_manifest_chunk(0xFFFE, 0xFE, other)) << "no magic";
}

TEST(EventSourceChunks, JoinsChunksInTheOrderOfTime) {
    const auto chunks = manifest_chunks("<manifest>ä</manifest>", 11); // cuts the ä in two
    ASSERT_EQ(chunks.size(), 3U);
    EventSourceChunks collector;
    const Sender sender{collector};
    sender.send(chunks[2], 30);
    sender.send(chunks[0], 10, 1);
    sender.send(chunks[1], 10, 2);
    EXPECT_THAT(collector.manifests(), ElementsAre(Pair(one, "<manifest>ä</manifest>")));
}

TEST(EventSourceChunks, KeepsSendersApart) {
    const auto a = manifest_chunks("<a>1234</a>", 6);
    const auto b = manifest_chunks("<b>5678</b>", 6);
    EventSourceChunks collector;
    const Sender first{collector, one, 1, 1};
    const Sender second{collector, one, 1, 2};
    first.send(a[0], 1);
    second.send(b[0], 2);
    first.send(a[1], 3);
    second.send(b[1], 4);
    EXPECT_THAT(collector.manifests(),
                ElementsAre(Pair(one, "<a>1234</a>"), Pair(one, "<b>5678</b>")));
}

TEST(EventSourceChunks, GivesARepeatedManifestOnce) {
    const auto chunks = manifest_chunks("<a/>");
    EventSourceChunks collector;
    Sender{collector, one, 1, 1}.send(chunks[0], 1);
    Sender{collector, one, 1, 1}.send(chunks[0], 2);
    Sender{collector, one, 7, 1}.send(chunks[0], 3);
    Sender{collector, two, 7, 1}.send(chunks[0], 3);
    EXPECT_THAT(collector.manifests(), ElementsAre(Pair(one, "<a/>"), Pair(two, "<a/>")));
}

TEST(EventSourceChunks, StartsOverAfterAGapOrARepetition) {
    const auto chunks = manifest_chunks("<abcdef/>", 3);
    ASSERT_EQ(chunks.size(), 3U);
    EventSourceChunks gap;
    Sender{gap}.send(chunks[0], 1);
    Sender{gap}.send(chunks[2], 2);
    EXPECT_THAT(gap.manifests(), IsEmpty());

    EventSourceChunks repeated;
    const Sender sender{repeated};
    std::int64_t time = 0;
    for (const std::size_t i : {0U, 1U, 1U, 0U, 0U, 1U, 2U}) {
        sender.send(chunks[i], ++time);
    }
    EXPECT_THAT(repeated.manifests(), ElementsAre(Pair(one, "<abcdef/>")));
}

TEST(EventSourceChunks, DoesNotMixVersions) {
    auto chunks = manifest_chunks("<ab/>", 3);
    chunks[1][2] = std::byte{9}; // minor version
    EventSourceChunks collector;
    Sender{collector}.send(chunks[0], 1);
    Sender{collector}.send(chunks[1], 2);
    EXPECT_THAT(collector.manifests(), IsEmpty());
}

TEST(EventSourceChunks, RejectsMoreChunksThanTheLimit) {
    EventSourceChunks collector;
    const std::uint16_t total = limits::manifest_chunks + 1;
    for (std::uint16_t i = 0; i < total; ++i) {
        ByteWriter chunk;
        chunk.u8(1).u8(1).u8(0).u8(0x5B).u16(total).u16(i).text8("x");
        Sender{collector}.send(chunk.view(), i);
    }
    EXPECT_THAT(collector.manifests(), IsEmpty());
}

TEST(EventSourceChunks, PassesOverWhatHasNoEnvelope) {
    EventSourceChunks collector;
    Sender{collector}.send(std::vector<std::byte>(3), 1);
    EXPECT_THAT(collector.manifests(), IsEmpty());
    EXPECT_FALSE(collector.omitted());
}

// The last of a flood comes first in time: it stays, however the chunks are spread over threads.
TEST(EventSourceChunks, KeepsTheFirstOfTooMany) {
    const std::vector<std::byte> big(60'000, std::byte{1});
    const std::size_t flood = 2 * limits::manifest_bytes / big.size();
    EventSourceChunks whole;
    EventSourceChunks odd;
    EventSourceChunks even;
    for (std::size_t i = 0; i < flood; ++i) {
        const auto time = static_cast<std::int64_t>(i) + 10;
        Sender{whole}.send(big, time);
        Sender{i % 2 != 0 ? odd : even}.send(big, time);
    }
    const auto chunks = manifest_chunks("<x/>");
    Sender{whole}.send(chunks[0], 1);
    Sender{odd}.send(chunks[0], 1);
    odd.combine(std::move(even));
    EXPECT_THAT(whole.manifests(), SizeIs(1));
    EXPECT_EQ(whole.manifests(), odd.manifests());
    EXPECT_TRUE(whole.omitted());
    EXPECT_TRUE(odd.omitted());
}

TEST(EventSourceChunks, CombinesWhatThreadsCollected) {
    const auto chunks = manifest_chunks("<abcd/>", 4);
    EventSourceChunks first;
    EventSourceChunks second;
    Sender{second}.send(chunks[0], 1);
    Sender{first}.send(chunks[1], 2);
    first.combine(std::move(second));
    EXPECT_THAT(first.manifests(), ElementsAre(Pair(one, "<abcd/>")));
}

} // namespace
} // namespace etl::schema::eventsource_chunks_test
