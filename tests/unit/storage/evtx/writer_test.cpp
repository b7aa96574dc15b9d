#include "tests/support/eventlogs/event_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace etl;
using namespace etl::test;
using evtx::ValueType;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

std::vector<std::string> written_and_read(SampleEvent& sample) {
    SampleLog log;
    EXPECT_TRUE(log.add(sample.event()));
    const ReadLog read = read_log(log.finish());
    EXPECT_THAT(read.findings, IsEmpty());
    EXPECT_THAT(read.errors, IsEmpty());
    return read.fields.empty() ? std::vector<std::string>() : read.fields.front();
}

/// The names in the table of a chunk, each in its bucket.
std::size_t count_names(Bytes chunk) {
    std::size_t names = 0;
    for (std::size_t bucket = 0; bucket < evtx::name_buckets; ++bucket) {
        auto at = load_le<std::uint32_t>(chunk.data() + evtx::name_table_offset + 4 * bucket);
        while (at != 0) {
            EXPECT_TRUE(has_range(chunk, at, 8));
            const auto size = load_le<std::uint16_t>(chunk.data() + at + 6);
            std::u16string units;
            for (std::size_t i = 0; i < size; ++i) {
                units += load_le<char16_t>(chunk.data() + at + 8 + 2 * i);
            }
            const std::uint32_t hash = evtx::name_hash(units);
            EXPECT_EQ(hash % evtx::name_buckets, bucket);
            EXPECT_EQ(static_cast<std::uint16_t>(hash),
                      load_le<std::uint16_t>(chunk.data() + at + 4));
            const auto next = load_le<std::uint32_t>(chunk.data() + at);
            EXPECT_LT(next, at); // so the list ends
            at = next;
            ++names;
        }
    }
    return names;
}

std::size_t count_templates(Bytes chunk) {
    std::size_t templates = 0;
    for (std::size_t bucket = 0; bucket < evtx::template_buckets; ++bucket) {
        auto at = load_le<std::uint32_t>(chunk.data() + evtx::template_table_offset + 4 * bucket);
        for (; at != 0; ++templates) {
            EXPECT_TRUE(has_range(chunk, at - 10, 34));
            EXPECT_EQ(chunk[at - 10], std::byte{0x0C}); // the instance that defines it
            EXPECT_EQ(load_le<std::uint32_t>(chunk.data() + at - 4), at);
            const auto next = load_le<std::uint32_t>(chunk.data() + at);
            EXPECT_LT(next, at);
            at = next;
        }
    }
    return templates;
}

} // namespace

TEST(EventLogWriter, WritesEveryTypeOfValue) {
    SampleEvent sample;
    sample.text("text", u"\u00e4 < b & \"c\"").text("empty", u"");
    sample.bytes("ansi", ValueType::ansi, ByteWriter().text8("plain"));
    sample.number("i8", ValueType::int8, std::int8_t{-8});
    sample.number("u8", ValueType::uint8, std::uint8_t{200});
    sample.number("i16", ValueType::int16, std::int16_t{-16});
    sample.number("u16", ValueType::uint16, std::uint16_t{60000});
    sample.number("i32", ValueType::int32, std::int32_t{-32});
    sample.number("u32", ValueType::uint32, std::uint32_t{4000000000});
    sample.number("i64", ValueType::int64, std::int64_t{-64});
    sample.number("u64", ValueType::uint64, ~std::uint64_t{0});
    sample.number("float", ValueType::float32, 1.5F);
    sample.number("double", ValueType::float64, -2.25);
    sample.number("true", ValueType::boolean, std::uint32_t{1});
    sample.number("false", ValueType::boolean, std::uint32_t{0});
    sample.bytes("binary", ValueType::binary, ByteWriter().u8(0xDE).u8(0xAD));
    sample.number("guid", ValueType::guid,
                  parse_guid("01234567-89ab-cdef-0123-456789abcdef").value());
    sample.number("size", ValueType::size, std::uint64_t{0x10});
    sample.number("filetime", ValueType::filetime, std::int64_t{133000000000000001});
    sample.bytes("systemtime", ValueType::systemtime,
                 ByteWriter().u16(2024).u16(2).u16(4).u16(29).u16(23).u16(59).u16(58).u16(7));
    sample.bytes("sid", ValueType::sid, ByteWriter().u8(1).u8(1).u16(0).u32(0x05000000).u32(18));
    sample.number("hex32", ValueType::hex32, std::uint32_t{0xABC});
    sample.number("hex64", ValueType::hex64, std::uint64_t{0xFFFFFA8003E92010});
    sample.add("null", {});
    EXPECT_THAT(written_and_read(sample),
                ElementsAre("text=\u00e4 < b & \"c\"", "empty=", "ansi=plain", "i8=-8", "u8=200",
                            "i16=-16", "u16=60000", "i32=-32", "u32=4000000000", "i64=-64",
                            "u64=18446744073709551615", "float=1.5", "double=-2.25", "true=true",
                            "false=false", "binary=DEAD",
                            "guid={01234567-89ab-cdef-0123-456789abcdef}", "size=0x10",
                            "filetime=2022-06-18T04:26:40.0000001Z",
                            "systemtime=2024-02-29T23:59:58.0070000Z", "sid=S-1-5-18",
                            "hex32=0xabc", "hex64=0xfffffa8003e92010", "null="));
}

TEST(EventLogWriter, WritesArrays) {
    SampleEvent sample;
    sample.array("numbers", ValueType::uint32, ByteWriter().u32(1).u32(2).u32(3));
    sample.array("texts", ValueType::string, ByteWriter().text16(u"a").u16(0).text16(u"bc").u16(0));
    sample.array("none", ValueType::int16, ByteWriter());
    EXPECT_THAT(written_and_read(sample), ElementsAre("numbers=1, 2, 3", "texts=a, bc", "none="));
}

TEST(EventLogWriter, WritesUserDataWithStructures) {
    SampleEvent sample;
    sample.event().payload = evtx::PayloadKind::user_data;
    sample.event().payload_name = "Shutdown Event";
    sample.text("Reason", u"power").structure("2nd").text("Inner", u"x", 1).text("Last", u"y");
    SampleLog log;
    ASSERT_TRUE(log.add(sample.event()));
    const auto file = log.finish();
    auto reader = evtx::Reader::open(file);
    evtx::Record record;
    ASSERT_TRUE(reader && reader->next(record));
    evtx::EventReader events;
    const auto event = events.read(record);
    ASSERT_TRUE(event);
    EXPECT_EQ((*event)->payload, evtx::PayloadKind::user_data);
    EXPECT_EQ((*event)->payload_name, "Shutdown_Event");
    EXPECT_THAT(lines_of(**event), ElementsAre("Reason=power", "_2nd{", " Inner=x", "Last=y"));
}

TEST(EventLogWriter, WritesSystemValues) {
    SampleEvent sample;
    evtx::Event& event = sample.event();
    const ByteWriter sid = ByteWriter().u8(1).u8(2).u16(0).u32(0x05000000).u32(32).u32(544);
    event.event_source = "Old Source";
    event.qualifiers = 0x4000;
    event.task = 500;
    event.opcode = 11;
    event.keywords = 0x8000000000000012;
    event.activity = parse_guid("11111111-2222-3333-4444-555555555555");
    event.related_activity = parse_guid("66666666-7777-8888-9999-aaaaaaaaaaaa");
    event.processor = 3;
    event.session = 1;
    event.kernel_time = 15;
    event.user_time = 16;
    event.user_sid = sid.view();
    SampleLog log({.first_record = 100});
    ASSERT_TRUE(log.add(event));
    const auto file = log.finish();
    auto reader = evtx::Reader::open(file);
    evtx::Record record;
    ASSERT_TRUE(reader && reader->next(record));
    evtx::EventReader events;
    const auto read = events.read(record);
    ASSERT_TRUE(read);
    const evtx::Event& back = **read;
    EXPECT_EQ(back.provider, event.provider);
    EXPECT_EQ(back.provider_guid, event.provider_guid);
    EXPECT_EQ(back.event_source, "Old Source");
    EXPECT_EQ(back.id, 7U);
    EXPECT_EQ(back.qualifiers, 0x4000);
    EXPECT_EQ(back.version, 1);
    EXPECT_EQ(back.level, 4);
    EXPECT_EQ(back.task, 500);
    EXPECT_EQ(back.opcode, 11);
    EXPECT_EQ(back.keywords, 0x8000000000000012);
    EXPECT_EQ(back.time, event.time);
    EXPECT_EQ(back.record_id, 100U);
    EXPECT_EQ(record.id, 100U);
    EXPECT_EQ(back.activity, event.activity);
    EXPECT_EQ(back.related_activity, event.related_activity);
    EXPECT_EQ(back.process_id, 4U);
    EXPECT_EQ(back.thread_id, 8U);
    EXPECT_EQ(back.processor, 3U);
    EXPECT_EQ(back.session, 1U);
    EXPECT_EQ(back.kernel_time, 15U);
    EXPECT_EQ(back.user_time, 16U);
    EXPECT_FALSE(back.processor_time);
    EXPECT_EQ(back.channel, "Made-Up/Operational");
    EXPECT_EQ(back.computer, "machine.example");
    EXPECT_EQ(back.user, "S-1-5-32-544");
    EXPECT_EQ(back.payload, evtx::PayloadKind::event_data);
}

// Those of merged logs can repeat; IDs of records cannot.
TEST(EventLogWriter, KeepsRecordIdsThatAscend) {
    SampleLog log;
    for (const std::uint64_t id : {7U, 0U, 5U, ~0U}) {
        SampleEvent sample;
        sample.event().record_id = id == ~0U ? ~std::uint64_t{0} : id;
        ASSERT_TRUE(log.add(sample.event()));
    }
    EXPECT_THAT(read_log(log.finish()).ids, ElementsAre(7, 8, 9, 10));
}

TEST(EventLogWriter, WritesAnEventWithoutPayload) {
    SampleEvent sample;
    sample.event().payload = evtx::PayloadKind::none;
    EXPECT_THAT(written_and_read(sample), IsEmpty());
}

TEST(EventLogWriter, WritesALogWithoutEvents) {
    SampleLog log;
    const auto file = log.finish();
    EXPECT_EQ(file.size(), evtx::block_size + evtx::chunk_size);
    const auto header = evtx::parse_file_header(file);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->chunks, 1);
    EXPECT_EQ(header->next_record, 1U);
    EXPECT_EQ(header->flags, 0U);
    const ReadLog read = read_log(file);
    EXPECT_THAT(read.ids, IsEmpty());
    EXPECT_THAT(read.findings, IsEmpty());
}

// Records of every size meet the end of a chunk at every distance; what a record that did not fit
// had added is undone.
TEST(EventLogWriter, BeginsAChunkAtEveryFillLevel) {
    SampleLog log;
    std::uint64_t written = 0;
    for (std::size_t size = 0; written < 4000; ++size) {
        SampleEvent sample;
        sample.text("Text", std::u16string(size % 613, u'x'));
        if (size % 3 == 0) { // a template and names of its own
            sample.number("Number" + std::to_string(size % 40), ValueType::uint32,
                          static_cast<std::uint32_t>(size));
        }
        ASSERT_TRUE(log.add(sample.event()));
        ++written;
    }
    const auto file = log.finish();
    EXPECT_EQ((file.size() - evtx::block_size) % evtx::chunk_size, 0U);
    const std::size_t chunks = (file.size() - evtx::block_size) / evtx::chunk_size;
    EXPECT_EQ(log.counts().chunks, chunks);
    EXPECT_GT(chunks, 20U);
    std::uint64_t next = 1;
    for (std::size_t i = 0; i < chunks; ++i) {
        const Bytes chunk =
            Bytes(file).subspan(evtx::block_size + i * evtx::chunk_size, evtx::chunk_size);
        const auto header = evtx::parse_chunk_header(chunk);
        ASSERT_TRUE(header);
        EXPECT_EQ(header->first_id, next);
        EXPECT_EQ(header->first_number, next);
        next = header->last_id + 1;
        EXPECT_EQ(load_le<std::uint64_t>(chunk.data() + header->last_record + 8), header->last_id);
        EXPECT_GT(count_names(chunk), 20U);
        EXPECT_GE(count_templates(chunk), 2U);
    }
    EXPECT_EQ(next, written + 1);
    const ReadLog read = read_log(file);
    EXPECT_THAT(read.findings, IsEmpty());
    EXPECT_THAT(read.errors, IsEmpty());
    ASSERT_EQ(read.fields.size(), written);
    for (std::size_t i = 0; i < read.fields.size(); ++i) {
        EXPECT_EQ(read.ids[i], i + 1);
        EXPECT_EQ(read.fields[i].front(), "Text=" + std::string(i % 613, 'x'));
        EXPECT_EQ(read.fields[i].size(), i % 3 == 0 ? 2U : 1U);
    }
}

TEST(EventLogWriter, ShortensARecordThatExceedsAChunk) {
    SampleEvent sample;
    sample.text("Long", std::u16string(32000, u'x'));
    sample.text("Longer", std::u16string(40000, u'y'));
    sample.number("Number", ValueType::uint32, std::uint32_t{42});
    SampleLog log;
    ASSERT_TRUE(log.add(SampleEvent().text("Small", u"s").event()));
    ASSERT_TRUE(log.add(sample.event()));
    ASSERT_TRUE(log.add(SampleEvent().text("Small", u"t").event()));
    EXPECT_EQ(log.counts().cut, 1U);
    const ReadLog read = read_log(log.finish());
    EXPECT_THAT(read.findings, IsEmpty());
    ASSERT_EQ(read.fields.size(), 3U);
    ASSERT_EQ(read.fields[1].size(), 3U);
    EXPECT_GT(read.fields[1][0].size() + read.fields[1][1].size(), 28000U);
    EXPECT_EQ(read.fields[1][2], "Number=42");
    EXPECT_THAT(read.fields[2], ElementsAre("Small=t"));
}

TEST(EventLogWriter, KeepsSurrogatesTogetherWhenItShortens) {
    SampleEvent sample;
    std::u16string text(1, u'x');
    while (text.size() < 40000) {
        text += u"\U0001F600";
    }
    sample.text("Smileys", text);
    SampleLog log;
    ASSERT_TRUE(log.add(sample.event()));
    const ReadLog read = read_log(log.finish());
    ASSERT_EQ(read.fields.size(), 1U);
    EXPECT_EQ(read.fields[0][0].find("\uFFFD"), std::string::npos);
}

TEST(EventLogWriter, RefusesARecordWhoseNamesExceedAChunk) {
    SampleEvent sample;
    for (int i = 0; i < 700; ++i) {
        sample.number(std::string(60, 'n') + std::to_string(i), ValueType::uint32, i);
    }
    SampleLog log;
    const auto added = log.add(sample.event());
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::limit);
    ASSERT_TRUE(log.add(SampleEvent().text("Small", u"s").event()));
    const ReadLog read = read_log(log.finish());
    EXPECT_THAT(read.ids, ElementsAre(1));
    EXPECT_THAT(read.findings, IsEmpty());
}

TEST(EventLogWriter, RefusesMoreThanItsChunks) {
    SampleLog log({.chunks = 2});
    SampleEvent sample;
    sample.text("Text", std::u16string(20000, u'x'));
    ASSERT_TRUE(log.add(sample.event()));
    ASSERT_TRUE(log.add(sample.event()));
    const auto added = log.add(sample.event());
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::limit);
    const ReadLog read = read_log(log.finish());
    EXPECT_THAT(read.ids, ElementsAre(1, 2));
    EXPECT_THAT(read.findings, IsEmpty());
}

TEST(EventLogWriter, RefusesAnEventIdThatIsTooLarge) {
    SampleEvent sample;
    sample.event().id = 70000;
    SampleLog log;
    const auto added = log.add(sample.event());
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::invalid_option);
}

TEST(EventLogWriter, ALogThatWasNotFinishedIsDirty) {
    StringOutput output;
    evtx::Writer writer(output);
    SampleEvent sample;
    sample.text("Text", std::u16string(20000, u'x'));
    ASSERT_TRUE(writer.add(sample.event()));
    ASSERT_TRUE(writer.add(sample.event()));
    const ReadLog read = read_log(std::as_bytes(std::span(output.text())));
    EXPECT_THAT(read.ids, ElementsAre(1));
    ASSERT_EQ(read.findings.size(), 1U);
    EXPECT_STREQ(read.findings[0].what, "the event log was not closed");
}
