#include "format/buffer_header.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/reading.hpp"
#include "trace/missing_buffers.hpp"
#include "trace/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace etl::trace::reader_damage_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x400;

// A header buffer of 1 KB and `count` buffers of three events each on two processors.
TraceBuilder story(std::uint16_t count, codec::Format compression = codec::Format::none) {
    TraceFacts facts;
    facts.lineage = compression == codec::Format::none ? Lineage::session : Lineage::relogger;
    facts.reference_time = 0;
    facts.processors = 2;
    facts.buffer_size = size;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= count; ++i) {
        auto& buffer = trace.buffer(
            {.processor = static_cast<std::uint16_t>(i % 2), .compression = compression});
        for (std::uint16_t k = 0; k < 3; ++k) {
            buffer.add(
                format::EventRecord{.time = 10 * i + k,
                                    .descriptor = {.id = static_cast<std::uint16_t>(10 * i + k)},
                                    .payload = noise(5U + k, i)});
        }
    }
    return trace;
}

/// Every event tells the truth about where it lies.
void expect_sound(const Reading& reading, const Image& file) {
    std::set<std::pair<std::uint64_t, std::uint32_t>> places;
    for (const Seen& event : reading.events) {
        ASSERT_LT(event.buffer, reading.buffers.size());
        EXPECT_TRUE(places.emplace(event.buffer, event.offset).second) << "given twice";
    }
    for (const BufferEntry& entry : reading.buffers) {
        EXPECT_LE(entry.where.value + entry.disk_size, file.size());
    }
}

TEST(ReaderDamage, RefusesAnEmptyFile) {
    ASSERT_TRUE(read({}).error);
    EXPECT_EQ(read({}).error->code, ErrorCode::empty_file);
}

TEST(ReaderDamage, RefusesWhatIsNoTrace) {
    const std::string_view text = "Nov 11 08:00:00 box7 kernel: [    0.000000] Linux version 6.1\n";
    Image file;
    for (int i = 0; i < 100; ++i) {
        file = concatenate(std::move(file), Image(std::as_bytes(std::span(text)).begin(),
                                                  std::as_bytes(std::span(text)).end()));
    }
    for (const Image& bytes : {file, Image(100), Image(100'000), Image(100'000, std::byte{0xFF}),
                               noise(100'000), Image(1), noise(71)}) {
        const Reading reading = read(bytes);
        ASSERT_TRUE(reading.error);
        EXPECT_EQ(reading.error->code, ErrorCode::not_a_trace);
    }
}

TEST(ReaderDamage, KnowsAGitLfsPointer) {
    const std::string_view pointer = "version https://git-lfs.github.com/spec/v1\n"
                                     "oid sha256:4d7a214614ab2935c943f9e0ff69d22e\nsize 12345\n";
    const auto bytes = std::as_bytes(std::span(pointer));
    const Reading reading = read(Image(bytes.begin(), bytes.end()));
    ASSERT_TRUE(reading.error);
    EXPECT_NE(std::string_view(reading.error->what).find("git lfs pull"), std::string_view::npos);
}

TEST(ReaderDamage, SaysThatBuffersAreMissing) {
    const Image image = story(20).build();
    EXPECT_EQ(read(image).damage, 0U);
    const Reading cut = read(truncate_at(image, 5 * size));
    EXPECT_EQ(cut.damage, 1U);
    ASSERT_EQ(cut.findings.size(), 1U);
    EXPECT_THAT(cut.findings.front().what, testing::HasSubstr("missing buffers"));
    EXPECT_EQ(cut.findings.front().where.value, 5U * size);
}

TEST(ReaderDamage, DoesNotAskAnUnfinishedTraceForBuffers) {
    TraceFacts facts;
    facts.buffer_size = size;
    facts.end_time = std::nullopt;
    facts.buffers_written = 0;
    TraceBuilder trace(facts);
    trace.buffer().add(format::EventRecord{.time = 10, .descriptor = {.id = 1}});
    trace.buffer().add(format::EventRecord{.time = 20, .descriptor = {.id = 2}});
    EXPECT_EQ(read(truncate_at(trace.build(), 2 * size)).damage, 0U);
}

TEST(ReaderDamage, SurvivesACutAtEveryByte) {
    const Image file = story(3).build();
    const auto whole = read(file).events.size();
    std::size_t last = 0;
    for (std::size_t length = 0; length <= file.size(); ++length) {
        SCOPED_TRACE(length);
        const Image cut = truncate_at(file, length);
        const Reading reading = read(cut);
        if (reading.error) {
            EXPECT_LT(length, 0x200U); // not even the log file header is whole
            continue;
        }
        expect_sound(reading, cut);
        EXPECT_GE(reading.events.size(), last); // more bytes never give fewer events
        last = reading.events.size();
        // A loss is reported; fill that is missing is none.
        EXPECT_EQ(reading.events.size() == whole,
                  length >= file.size() - size + 0x48 + 3 * 0x58U - 1);
    }
    EXPECT_EQ(last, whole);
}

TEST(ReaderDamage, ReportsWhatACutTookAway) {
    const Image file = story(3).build();
    const std::size_t in_records = file.size() - size + 0x48 + 0x58 + 10;
    const Reading reading = read(truncate_at(file, in_records));
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 21, 22, 30));
    EXPECT_EQ(reading.damage, 1U);
    EXPECT_TRUE(reading.found("the file is truncated inside a buffer"));
}

TEST(ReaderDamage, SurvivesACutAtEveryByteOfACompressedFile) {
    const Image file = story(4, codec::Format::xpress).build();
    const auto whole = read(file).events.size();
    EXPECT_EQ(whole, 13U);
    for (std::size_t length = 0; length <= file.size(); ++length) {
        SCOPED_TRACE(length);
        const Image cut = truncate_at(file, length);
        const Reading reading = read(cut);
        if (!reading.error) {
            expect_sound(reading, cut);
            EXPECT_LE(reading.events.size(), whole);
            EXPECT_TRUE(reading.events.size() == whole || reading.damage > 0 ||
                        reading.buffers.size() < 5);
        }
    }
}

TEST(ReaderDamage, SurvivesAnyByteFlipped) {
    for (const auto compression : {codec::Format::none, codec::Format::xpress}) {
        const Image file = story(2, compression).build();
        for (std::size_t at = 0; at < file.size(); ++at) {
            for (const std::uint8_t mask : std::initializer_list<std::uint8_t>{0x01, 0x80, 0xFF}) {
                const Image hurt = flip(file, at, mask);
                const Reading reading = read(hurt);
                if (!reading.error) {
                    expect_sound(reading, hurt);
                }
            }
        }
    }
}

TEST(ReaderDamage, ResumesAtTheNextBufferAfterABadRecord) {
    const Image file = flip(story(3).build(), 2 * size + 0x48 + 0x58 + 3); // marker of event 21
    const Reading reading = read(file);
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 30, 31, 32));
    ASSERT_EQ(reading.findings.size(), 1U);
    EXPECT_EQ(reading.findings[0].where.value, 2 * size);
    EXPECT_EQ(reading.findings[0].buffer, 2U);
    EXPECT_EQ(reading.findings[0].offset, 0x48U + 0x58U);
    EXPECT_EQ(reading.findings[0].bytes_skipped, 2 * 0x58U - 1);
    EXPECT_EQ(reading.damage, 1U);
}

TEST(ReaderDamage, ReportsARecordThatReachesBeyondItsBuffer) {
    Image file = story(1).build();
    store_le(file.data() + size + 0x48 + 2 * 0x58, std::uint16_t{0x200});
    const Reading reading = read(file);
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11));
    EXPECT_TRUE(reading.found("exceeds the valid bytes"));
}

TEST(ReaderDamage, ReportsAnEndMarkerInFrontOfRecords) {
    for (const std::uint32_t marker : {0U, 0xFFFFFFFFU}) {
        Image file = story(2).build();
        store_le(file.data() + size + 0x48 + 0x58, marker);
        const Reading reading = read(file);
        EXPECT_THAT(reading.ids(), ElementsAre(10, 20, 21, 22));
        ASSERT_EQ(reading.findings.size(), 1U);
        EXPECT_STREQ(reading.findings[0].what, "an end marker in front of valid bytes");
        EXPECT_EQ(reading.findings[0].offset, 0x48U + 0x58U);
        EXPECT_EQ(reading.findings[0].bytes_skipped, 2 * 0x58U - 1);
        EXPECT_EQ(reading.damage, 1U);
    }
}

TEST(ReaderDamage, TakesFillingUpToTheValidBytesForNoDamage) {
    Image file = story(2).build();
    std::ranges::fill_n(file.begin() + size + 0x48 + 0x58, 2 * 0x58 - 1, std::byte{0xFF});
    const Reading reading = read(file);
    EXPECT_THAT(reading.ids(), ElementsAre(10, 20, 21, 22));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(ReaderDamage, ReportsZerosInFrontOfTheEndOfTheValidBytes) {
    Image file = story(2).build();
    std::ranges::fill_n(file.begin() + size + 0x48 + 0x58, 2 * 0x58, std::byte{0});
    const Reading reading = read(file);
    EXPECT_THAT(reading.ids(), ElementsAre(10, 20, 21, 22));
    EXPECT_TRUE(reading.found("an end marker in front of valid bytes"));
    EXPECT_EQ(reading.damage, 1U);
}

TEST(ReaderDamage, ReportsABufferThatOccursTwice) {
    Image file = story(3).build();
    store_le(file.data() + 2 * size + format::buffer_header::time_stamp.offset, std::int64_t{29});
    const Image buffer(file.begin() + 2 * size, file.begin() + 3 * size);
    file.insert(file.begin() + 3 * size, buffer.begin(), buffer.end());
    const Reading reading = read(file);
    EXPECT_TRUE(reading.found("the buffer repeats the one before it of its processor"));
    EXPECT_FALSE(reading.found("more buffers than BuffersWritten"));
    EXPECT_EQ(reading.damage, 1U);
}

TEST(ReaderDamage, CountsMissingBuffersAsLost) {
    const Reading reading = read(drop_buffer(story(3).build(), 2));
    EXPECT_EQ(reading.info.header.buffers_lost, 1U);
    EXPECT_EQ(recording_of(reading.info).header.buffers_lost, 1U)
        << "as of what is written from it";
    EXPECT_EQ(relogged(reading.info).header.buffers_lost, 1U);
    EXPECT_EQ(buffers_lost_by_session(reading.info), 0U);
}

TEST(ReaderDamage, ReadsOnBehindGarbage) {
    for (const std::size_t garbage : {100UL, 1024UL, 10'000UL}) {
        const Reading reading = read(insert_garbage(story(3).build(), 2, garbage));
        EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 21, 22, 30, 31, 32));
        EXPECT_EQ(reading.damage, 1U);
    }
}

TEST(ReaderDamage, ReadsOnBehindGarbageInACompressedFile) {
    const Image file = story(3, codec::Format::xpress).build();
    const Reading reading = read(insert_garbage(file, 2, 77));
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 21, 22, 30, 31, 32));
    EXPECT_EQ(reading.damage, 1U);
}

TEST(ReaderDamage, DoesNotMissABufferThatIsGone) {
    // Sequence numbers are not dense: a gap is no damage.
    const Reading reading = read(drop_buffer(story(3).build(), 2));
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 30, 31, 32));
    ASSERT_EQ(reading.findings.size(), 1U); // only the header knows that there was one more
    EXPECT_THAT(reading.findings.front().what, testing::HasSubstr("missing buffers"));
}

TEST(ReaderDamage, TakesAnUnwrittenTailForNoDamage) {
    const Reading reading = read(preallocate(story(2).build(), 50 * size));
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 21, 22));
    EXPECT_EQ(reading.damage, 0U);
    EXPECT_TRUE(reading.found("zeros after the last buffer"));
}

TEST(ReaderDamage, ReadsDataBuffersWithoutAHeaderBuffer) {
    const Reading reading = read(drop_buffer(story(2).build(), 0));
    ASSERT_FALSE(reading.error);
    EXPECT_FALSE(reading.info.has_header);
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 21, 22));
    EXPECT_TRUE(reading.found("missing or unreadable log file header"));
    EXPECT_EQ(reading.info.clock.to_filetime(77).ticks, 77);
}

TEST(ReaderDamage, TakesNothingWithinADestroyedBufferForABuffer) {
    // Bytes that look like a header as long as nobody looks where it leads.
    Image file = overwrite(story(3).build(), 0, noise(size));
    Image decoy(format::buffer_header::size);
    store_le(decoy.data() + format::buffer_header::buffer_size.offset, std::uint32_t{300});
    store_le(decoy.data() + format::buffer_header::offset.offset, std::uint32_t{100});
    file = overwrite(std::move(file), 200, decoy);
    const Reading reading = read(file);
    ASSERT_FALSE(reading.error);
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 21, 22, 30, 31, 32));
    EXPECT_EQ(reading.buffers.size(), 3U);
}

TEST(ReaderDamage, FindsATraceBehindSomethingElse) {
    const Image file = insert_garbage(story(2).build(), 0, 700);
    const Reading reading = read(file);
    ASSERT_FALSE(reading.error);
    EXPECT_TRUE(reading.info.has_header);
    EXPECT_EQ(reading.info.header.session_name, u"Signal Box");
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 21, 22));
    EXPECT_EQ(reading.damage, 1U);
}

TEST(ReaderDamage, KeepsThePrefixOfABrokenCompressedBuffer) {
    const Image file = story(1, codec::Format::xpress).build();
    const Reading reading = read(truncate_at(file, file.size() - 12));
    EXPECT_FALSE(reading.ids().empty());
    EXPECT_LT(reading.ids().size(), 3U);
    EXPECT_GT(reading.damage, 0U);
}

TEST(ReaderDamage, SaysSoWhenACompressedBufferDoesNotTellItsSize) {
    Image file = story(2, codec::Format::xpress).build();
    const std::size_t first = buffers_of(file)[1].offset;
    store_le(file.data() + first + format::buffer_header::offset.offset, std::uint32_t{0});
    store_le(file.data() + first + format::buffer_header::saved_offset.offset, std::uint32_t{0});
    const Reading reading = read(file);
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 21, 22));
    EXPECT_GT(reading.damage, 0U);
}

TEST(ReaderDamage, PassesOverBuffersThatAreNoRecordStreams) {
    TraceFacts facts;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    trace.buffer({.type = format::BufferType::context_swap}).raw(noise(200));
    trace.buffer({.type = format::BufferType::empty_marker});
    trace.buffer({.type = format::BufferType::rundown})
        .add(format::EventRecord{.descriptor = {.id = 1}});
    trace.buffer({.type = format::BufferType::reference_time})
        .add(format::EventRecord{.descriptor = {.id = 2}});
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(ReaderDamage, WalksToTheMarkerWhenABufferDoesNotTellItsUsedBytes) {
    TraceFacts facts;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    trace.buffer({.used = 0})
        .add(format::EventRecord{.descriptor = {.id = 1}})
        .add(format::EventRecord{.descriptor = {.id = 2}});
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2));
    EXPECT_THAT(reading.findings, IsEmpty());
}

} // namespace
} // namespace etl::trace::reader_damage_test
