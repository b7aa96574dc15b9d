#include "base/text.hpp"
#include "evtx/limits.hpp"
#include "tests/support/eventlogs/event_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace etl;
using namespace etl::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

constexpr std::size_t first_chunk = evtx::block_size;

/// A log of three chunks with two records each, whose text is their number.
std::vector<std::byte> sample_log() {
    SampleLog log;
    for (char16_t i = 1; i <= 6; ++i) {
        SampleEvent sample;
        sample.text("Number", std::u16string(1, u'0' + i))
            .text("Fill", std::u16string(14000, u'.'));
        if (!log.add(sample.event())) {
            throw std::logic_error("sample log");
        }
    }
    return log.finish();
}

std::vector<std::string> numbers(const ReadLog& log) {
    std::vector<std::string> texts;
    for (const auto& fields : log.fields) {
        texts.push_back(fields.empty() ? "" : fields.front());
    }
    return texts;
}

std::vector<std::string> findings(const ReadLog& log) {
    std::vector<std::string> texts;
    for (const Diagnostic& finding : log.findings) {
        texts.emplace_back(finding.what);
    }
    return texts;
}

std::size_t record_of(Bytes file, std::size_t chunk, std::size_t index) {
    std::size_t at = first_chunk + chunk * evtx::chunk_size + evtx::chunk_header_size;
    for (; index > 0; --index) {
        at += load_le<std::uint32_t>(file.data() + at + 4);
    }
    return at;
}

} // namespace

TEST(EventLogReader, ReadsAnIntactLog) {
    const ReadLog log = read_log(sample_log());
    EXPECT_THAT(numbers(log), ElementsAre("Number=1", "Number=2", "Number=3", "Number=4",
                                          "Number=5", "Number=6"));
    EXPECT_THAT(log.findings, IsEmpty());
    EXPECT_EQ(log.counts.chunks, 3U);
    EXPECT_EQ(log.counts.records, 6U);
    EXPECT_EQ(log.counts.damaged_chunks, 0U);
    EXPECT_EQ(log.counts.bytes_skipped, 0U);
}

TEST(EventLogReader, RefusesOtherFiles) {
    EXPECT_EQ(evtx::Reader::open({}).error().code, ErrorCode::empty_file);
    const std::string text = "not an event log, but long enough to be one";
    EXPECT_EQ(evtx::Reader::open(std::as_bytes(std::span(text))).error().code,
              ErrorCode::not_a_trace);
}

TEST(EventLogReader, FindsChunksBehindADamagedFileHeader) {
    auto file = sample_log();
    file[30] ^= std::byte{1};
    const ReadLog log = read_log(file);
    EXPECT_EQ(log.fields.size(), 6U);
    EXPECT_THAT(findings(log), ElementsAre("the header of the event log is damaged"));
}

TEST(EventLogReader, ReadsAFileThatLostItsFirstBlock) {
    const auto file = sample_log();
    const ReadLog log = read_log(Bytes(file).subspan(first_chunk));
    EXPECT_EQ(log.fields.size(), 6U);
    EXPECT_THAT(findings(log), ElementsAre("the header of the event log is missing"));
}

TEST(EventLogReader, ReadsChunksThatAreNotInTheirPlace) {
    auto file = sample_log();
    file.insert(file.begin() + first_chunk + evtx::chunk_size, 24, std::byte{0xAA});
    const ReadLog log = read_log(file);
    EXPECT_EQ(log.fields.size(), 6U);
    EXPECT_EQ(log.counts.bytes_skipped, 24U);
}

TEST(EventLogReader, FindsRecordsOfADamagedChunkHeader) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{24}, std::size_t{130}}) {
        auto file = sample_log();
        file[first_chunk + evtx::chunk_size + at] ^= std::byte{0x55};
        const ReadLog log = read_log(file);
        EXPECT_EQ(log.fields.size(), 6U) << at;
        EXPECT_EQ(log.counts.damaged_chunks, 1U) << at;
        EXPECT_THAT(log.ids, ElementsAre(1, 2, 3, 4, 5, 6)) << at;
        ASSERT_FALSE(log.findings.empty());
        EXPECT_EQ(log.findings[0].severity, Severity::warning);
        EXPECT_EQ(log.findings[0].where.value, first_chunk + evtx::chunk_size);
    }
}

TEST(EventLogReader, SkipsADamagedRecord) {
    auto file = sample_log();
    const std::size_t at = record_of(file, 0, 0);
    const auto size = load_le<std::uint32_t>(file.data() + at + 4);
    file[at] = std::byte{0};
    const ReadLog log = read_log(file);
    EXPECT_THAT(log.ids, ElementsAre(2, 3, 4, 5, 6));
    EXPECT_THAT(findings(log),
                ElementsAre("checksum mismatch in the records of a chunk",
                            "bytes that are no record", "missing records before this one"));
    EXPECT_EQ(log.counts.bytes_skipped, size);
    EXPECT_EQ(log.counts.missing_records, 1U);
}

TEST(EventLogReader, ReportsAMismatchingSizeAtTheEndOfARecord) {
    auto file = sample_log();
    const std::size_t at = record_of(file, 2, 0);
    const auto size = load_le<std::uint32_t>(file.data() + at + 4);
    file[at + size - 4] ^= std::byte{8};
    EXPECT_THAT(read_log(file).ids, ElementsAre(1, 2, 3, 4, 6));
}

TEST(EventLogReader, ReadsATruncatedLog) {
    const auto file = sample_log();
    const std::size_t end = record_of(file, 2, 1) + 100;
    const ReadLog log = read_log(Bytes(file).first(end));
    EXPECT_THAT(log.ids, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(findings(log),
                ElementsAre("the last chunk is truncated", "bytes that are no record",
                            "missing records at the end of the chunk"));
}

TEST(EventLogReader, OrdersTheChunksOfALogThatWrappedAround) {
    auto file = sample_log();
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(first_chunk);
    std::ranges::rotate(begin, begin + static_cast<std::ptrdiff_t>(evtx::chunk_size), file.end());
    const ReadLog log = read_log(file);
    EXPECT_THAT(log.ids, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(log.findings, IsEmpty());
}

TEST(EventLogReader, FindsNothingMissingInALogThatOverwroteItsOldestChunk) {
    auto file = sample_log();
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(first_chunk);
    file.erase(begin, begin + static_cast<std::ptrdiff_t>(evtx::chunk_size));
    evtx::store_file_header(MutableBytes(file).first(128), {.next_record = 7, .chunks = 2});
    const ReadLog log = read_log(file);
    EXPECT_THAT(log.ids, ElementsAre(3, 4, 5, 6));
    EXPECT_THAT(log.findings, IsEmpty());
}

TEST(EventLogReader, CountsTheRecordsOfAChunkOfZeros) {
    auto file = sample_log();
    const std::size_t at = first_chunk + evtx::chunk_size;
    std::ranges::fill(MutableBytes(file).subspan(at, evtx::chunk_size), std::byte{0});
    const ReadLog log = read_log(file);
    EXPECT_THAT(log.ids, ElementsAre(1, 2, 5, 6));
    EXPECT_THAT(findings(log),
                ElementsAre("zeros in place of chunks", "missing records before this one"));
    EXPECT_EQ(log.findings[0].where.value, at);
    EXPECT_EQ(log.findings[0].bytes_skipped, evtx::chunk_size);
    ASSERT_TRUE(log.findings[1].missing);
    EXPECT_EQ(log.findings[1].missing->count, 2U);
    EXPECT_EQ(log.findings[1].missing->first, 3);
    EXPECT_EQ(log.findings[1].where.value, first_chunk + 2 * evtx::chunk_size);
    EXPECT_EQ(log.counts.missing_records, 2U);
    EXPECT_THAT(describe(log.findings[1]), testing::HasSubstr("(2 records, IDs 3 to 4)"));
}

TEST(EventLogReader, CountsTheRecordsOfAChunkThatWasCutOut) {
    for (const std::size_t number : {0U, 1U, 2U}) {
        auto file = sample_log();
        const auto begin =
            file.begin() + static_cast<std::ptrdiff_t>(first_chunk + number * evtx::chunk_size);
        file.erase(begin, begin + static_cast<std::ptrdiff_t>(evtx::chunk_size));
        const ReadLog log = read_log(file);
        EXPECT_EQ(log.ids.size(), 4U);
        ASSERT_FALSE(log.findings.empty()) << number;
        EXPECT_EQ(log.findings.back().severity, Severity::warning);
        EXPECT_EQ(log.counts.missing_records, number == 0 ? 0U : 2U) << number; // or overwritten
    }
}

TEST(EventLogReader, ReportsChunksThatAreNotInOrder) {
    auto file = sample_log();
    const MutableBytes chunks = MutableBytes(file).subspan(first_chunk);
    std::ranges::swap_ranges(chunks.subspan(evtx::chunk_size, evtx::chunk_size),
                             chunks.subspan(2 * evtx::chunk_size, evtx::chunk_size));
    EXPECT_THAT(findings(read_log(file)),
                ElementsAre("chunks that are not in the order of their records"));
}

TEST(EventLogReader, ReportsAChunkThatOccursTwice) {
    auto file = sample_log();
    const MutableBytes chunks = MutableBytes(file).subspan(first_chunk);
    std::ranges::copy(chunks.first(evtx::chunk_size),
                      chunks.subspan(evtx::chunk_size, evtx::chunk_size).begin());
    const ReadLog log = read_log(file);
    EXPECT_THAT(findings(log),
                ElementsAre("chunks that are not in the order of their records",
                            "records that occurred before", "missing records before this one"));
    EXPECT_EQ(log.counts.missing_records, 2U);
}

// A query that exports records keeps their IDs; their numbers in the file have no gaps.
TEST(EventLogReader, AcceptsGapsBetweenIdsOfAnExportedLog) {
    SampleLog exported;
    for (const std::uint64_t id : {5U, 9U, 12U, 40U, 41U, 77U}) {
        SampleEvent sample;
        sample.text("Fill", std::u16string(14000, u'.'));
        sample.event().record_id = id;
        ASSERT_TRUE(exported.add(sample.event()));
    }
    auto file = exported.finish();
    const ReadLog log = read_log(file);
    EXPECT_THAT(log.ids, ElementsAre(5, 9, 12, 40, 41, 77));
    EXPECT_THAT(log.findings, IsEmpty());

    std::ranges::fill(MutableBytes(file).subspan(first_chunk + evtx::chunk_size, evtx::chunk_size),
                      std::byte{0});
    EXPECT_EQ(read_log(file).counts.missing_records, 2U);
}

TEST(EventLogReader, CountsNothingByADamagedNumber) {
    auto file = sample_log();
    store_le<std::uint64_t>(file.data() + record_of(file, 1, 0) + 8, 0xFFFFFFFFFFFFFF00U);
    EXPECT_LE(read_log(file).counts.missing_records, 1U);
}

TEST(EventLogReader, IgnoresChunksWithoutContent) {
    auto file = sample_log();
    file.resize(file.size() + 2 * evtx::chunk_size);
    const ReadLog log = read_log(file);
    EXPECT_EQ(log.fields.size(), 6U);
    EXPECT_THAT(log.findings, IsEmpty());
    EXPECT_EQ(log.counts.chunks, 3U);
}

// A log that was not closed: its last chunk has more records than its header says.
TEST(EventLogReader, ReadsNewerRecordsOfADirtyLog) {
    auto file = sample_log();
    evtx::store_file_header(MutableBytes(file).first(128),
                            {.chunks = 3, .flags = evtx::dirty_flag});
    const MutableBytes chunk = MutableBytes(file).subspan(first_chunk + 2 * evtx::chunk_size);
    auto header = evtx::parse_chunk_header(chunk);
    ASSERT_TRUE(header);
    header->last_id = header->last_number = 5;
    header->free_space = header->last_record;
    header->records_checksum = evtx::checksum(chunk.subspan(512, header->free_space - 512));
    evtx::store_chunk_header(chunk.first(512), *header);
    ReadLog log = read_log(file);
    EXPECT_THAT(log.ids, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(findings(log), ElementsAre("the event log was not closed",
                                           "newer records in the free space of the chunk"));

    // One of an earlier use of the chunk is none of them.
    store_le<std::uint64_t>(chunk.data() + header->free_space + 8, 2);
    log = read_log(file);
    EXPECT_THAT(log.ids, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(findings(log), ElementsAre("the event log was not closed"));
}

// What is left of an earlier use of a chunk is no damage, whatever it is.
TEST(EventLogReader, IgnoresStaleBytesInTheFreeSpaceOfChunks) {
    auto file = sample_log();
    evtx::store_file_header(MutableBytes(file).first(128),
                            {.chunks = 3, .flags = evtx::dirty_flag});
    for (std::size_t number = 0; number < 3; ++number) {
        const MutableBytes chunk =
            MutableBytes(file).subspan(first_chunk + number * evtx::chunk_size);
        const auto header = evtx::parse_chunk_header(chunk);
        ASSERT_TRUE(header);
        for (std::size_t at = header->free_space; at < evtx::chunk_size && at < chunk.size();
             ++at) {
            chunk[at] = static_cast<std::byte>(1 + at * 7 % 255);
        }
    }
    const ReadLog log = read_log(file);
    EXPECT_THAT(log.ids, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(findings(log), ElementsAre("the event log was not closed"));
    EXPECT_EQ(log.counts.bytes_skipped, 0U);
    EXPECT_EQ(log.counts.damaged_chunks, 0U);
}

TEST(EventLogReader, RefusesTemplatesThatContainThemselves) {
    ByteWriter chunk;
    chunk.fill(512);
    chunk.u8(0x0F).u8(1).u8(1).u8(0);
    chunk.u8(0x0C).u8(1).u32(0).u32(526); // the definition follows
    chunk.u32(0).guid({}).u32(14);
    chunk.u8(0x0C).u8(1).u32(0).u32(526).u32(0); // an instance of itself
    chunk.u32(0).u8(0);
    const evtx::Record record{
        .chunk = chunk.view(), .body = 512, .size = static_cast<std::uint32_t>(chunk.size() - 512)};
    evtx::NodeReader nodes;
    const auto read = nodes.read(record);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::limit);
}

TEST(EventLogReader, LimitsTheNodesOfAnEvent) {
    // Each level refers to the next a hundred times: 100^5 nodes in some kilobytes.
    constexpr std::uint32_t levels = 5;
    constexpr std::uint32_t references = 100;
    constexpr std::uint32_t body = 14 * references;
    ByteWriter chunk;
    chunk.fill(512);
    for (std::uint32_t level = 0; level < levels; ++level) {
        const auto next = static_cast<std::uint32_t>(512 + (level + 1) * (24 + body));
        chunk.u32(0).guid({}).u32(body);
        for (std::uint32_t i = 0; i < references; ++i) {
            chunk.u8(0x0C).u8(1).u32(0).u32(next).u32(0);
        }
    }
    chunk.u32(0).guid({}).u32(0);
    const std::size_t at = chunk.size();
    chunk.u8(0x0C).u8(1).u32(0).u32(512).u32(0).u8(0);
    const evtx::Record record{.chunk = chunk.view(),
                              .body = static_cast<std::uint32_t>(at),
                              .size = static_cast<std::uint32_t>(chunk.size() - at)};
    evtx::NodeReader nodes;
    const auto read = nodes.read(record);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::limit);
}
