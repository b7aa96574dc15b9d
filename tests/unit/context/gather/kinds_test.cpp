// Which buffers contain which kinds of events, and readers of few kinds. docs/parts.md#kinds
#include "decode/decoder.hpp"
#include "decode/kind_numbers.hpp"
#include "format/kernel_group.hpp"
#include "gather/kinds_of_buffers.hpp"
#include "gather/trace_index.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/reading.hpp"
#include "trace/buffer_kinds.hpp"
#include "trace/inputs.hpp"
#include "trace/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <span>

namespace etl::kinds_test {
namespace {

using namespace test;
using trace::BufferKind;

using File = std::shared_ptr<const io::InputFile>;
using Predicate = std::function<bool(const flow::Event&)>;

std::unique_ptr<trace::Reader> open(const File& file, Predicate select = {}, unsigned threads = 1) {
    auto reader = trace::Reader::open(file, {.threads = threads, .select = std::move(select)});
    return reader ? *std::move(reader) : nullptr;
}

std::vector<Seen> read_all(flow::Source& source) {
    std::vector<Seen> events;
    for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        std::ranges::transform(run, std::back_inserter(events), seen);
    }
    return events;
}

/// Of each eight kinds, one: by what identifies a kind, and nothing else.
bool is_wanted(const flow::Event& event, std::uint32_t which) {
    const flow::EventHeader header = flow::read_header(event);
    std::uint32_t hash = header.id * 7U + header.hook_id * 13U + header.opcode * 31U + which;
    for (const std::byte byte : std::as_bytes(std::span(&header.provider, 1))) {
        hash = hash * 31U + std::to_integer<std::uint32_t>(byte);
    }
    return (hash >> 7U) % 8 == 0;
}

/// Many buffers of two processors; events with ids of few kinds, some of which are rare.
File many_buffers(unsigned seed) {
    std::mt19937 random(seed);
    TraceFacts facts;
    facts.reference_time = 0;
    facts.processors = 2;
    TraceBuilder trace(facts);
    std::int64_t time = 100;
    for (unsigned i = 0; i < 60; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 2)});
        for (unsigned event = 0; event < 5; ++event) {
            const auto id = static_cast<std::uint16_t>(random() % 40 == 0 ? random() % 9 : 9);
            buffer.add(format::EventRecord{.time = time++, .descriptor = {.id = id}});
        }
    }
    return in_memory(trace.build());
}

TEST(SkippedKinds, LeaveOutBuffersAndNoEventThatIsWanted) {
    std::size_t left_out = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        const File file = many_buffers(seed);
        const trace::TraceIndex index = gather::index_of(*open(file), 2).index;
        const auto wanted = [&](const flow::Event& event) { return is_wanted(event, seed); };
        const std::vector<Seen> expected = read_all(*open(file, wanted));
        for (const unsigned threads : {1U, 3U}) {
            const auto reader = open(file, wanted, threads);
            gather::skip_kinds(*reader, index, wanted);
            EXPECT_TRUE(read_all(*reader) == expected);
        }
        const auto unselected = open(file);
        gather::skip_kinds(*unselected, index, wanted);
        left_out += read_all(*open(file)).size() - read_all(*unselected).size();
    }
    EXPECT_GT(left_out, 10'000U); // of 30,100
}

TEST(SkippedKinds, AreThoseOfOneBuffer) {
    TraceFacts facts;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    for (unsigned i = 0; i < 40; ++i) {
        auto& buffer = trace.buffer();
        for (std::uint16_t id = 0; id < 3; ++id) {
            const std::uint16_t rare = 7;
            buffer.add(format::EventRecord{.time = 100 + 3 * i + id,
                                           .descriptor = {.id = i == 25 ? rare : id}});
        }
    }
    const auto reader = open(in_memory(trace.build()));
    const trace::TraceIndex index = gather::index_of(*reader, 1).index;
    gather::skip_kinds(*reader, index,
                       [](const flow::Event& event) { return flow::read_header(event).id == 7; });
    EXPECT_EQ(read_all(*reader).size(), 3U);
}

TEST(SkippedKinds, OfTheCorpusDoNotDependOnThreadsNorOnTheFile) {
    const trace::IndexKey key{1, 2, 3};
    for (const File& file : trace::open_inputs({source_dir() + "/corpus/good"}).files) {
        const auto reader = open(file);
        if (!reader) {
            continue;
        }
        SCOPED_TRACE(file->name());
        const trace::TraceIndex index = gather::index_of(*reader, 1).index;
        ASSERT_NE(index.find_kinds(), nullptr);
        EXPECT_EQ(*gather::index_of(*reader, 3).index.find_kinds(), *index.find_kinds());
        const auto made = gather::encoded_index(*reader, *file, index, key);
        const auto again = trace::parse_index(
            made, trace::identity_of(reader->info(), reader->buffers(), key), key);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->kinds, nullptr);
        EXPECT_EQ(*again->find_kinds(), *index.find_kinds());
        for (std::uint32_t which = 0; which < 8; ++which) {
            const auto wanted = [&](const flow::Event& event) { return is_wanted(event, which); };
            const auto some = open(file, wanted);
            gather::skip_kinds(*some, *again, wanted);
            EXPECT_TRUE(read_all(*some) == read_all(*open(file, wanted)));
        }
    }
}

TEST(SkippedKinds, OfADamagedTraceAreNotKnown) {
    const auto reader = open(*trace::open_input(source_dir() + "/corpus/damaged/bad-record.etl"));
    EXPECT_EQ(gather::index_of(*reader, 1).index.find_kinds(), nullptr);
}

// A decoder must not tell events apart that have one number: their layouts would differ.
TEST(KindNumbers, AreAtLeastAsFineAsTheKindsOfADecoder) {
    std::size_t kinds = 0;
    for (const File& file : trace::open_inputs({source_dir() + "/corpus/good"}).files) {
        const auto reader = open(file);
        if (!reader) {
            continue;
        }
        SCOPED_TRACE(file->name());
        decode::KindNumbers numbers;
        decode::Decoder decoder{schema::SchemasByTrace()};
        std::map<std::uint32_t, std::uint32_t> first_kinds; // by number
        for (flow::Run run = reader->next_run(); !run.empty(); run = reader->next_run()) {
            for (const flow::Event& event : run) {
                std::optional<std::uint32_t> first;
                decoder.show_kinds(event, [&](const decode::DecodedEvent& decoded) {
                    first = first.value_or(decoded.kind->number);
                });
                const auto [known, is_new] = first_kinds.try_emplace(numbers.of(event), *first);
                ASSERT_EQ(known->second, *first);
                ASSERT_EQ(numbers.of(event), known->first); // from what was met before
            }
        }
        kinds += numbers.size();
        EXPECT_EQ(first_kinds.size(), numbers.size());
    }
    EXPECT_GT(kinds, 100U);
}

bool has_same_marks(const gather::KindMarks& a, const gather::KindMarks& b) {
    return a.buffer == b.buffer && a.sources == b.sources && a.runtime == b.runtime;
}

// What a kind is to an index is asked of its first event.
TEST(KindMarks, AreThoseOfAllEventsOfAKind) {
    auto inputs = trace::open_inputs({source_dir() + "/corpus/good"}).files;
    TraceFacts facts;
    facts.reference_time = 0;
    TraceBuilder trace(facts); // records of several families, of one class
    auto& buffer = trace.buffer();
    const Guid process = format::class_of_hook(0x0301);
    buffer.add(
        format::InstanceRecord{.opcode = 3, .version = 4, .time = 100, .event_class = process});
    buffer.add(format::FullRecord{.opcode = 3, .version = 4, .time = 101, .event_class = process});
    inputs.push_back(in_memory(trace.build()));
    for (const File& file : inputs) {
        const auto reader = open(file);
        if (!reader) {
            continue;
        }
        SCOPED_TRACE(file->name());
        decode::KindNumbers numbers;
        std::vector<gather::KindMarks> marks;
        for (flow::Run run = reader->next_run(); !run.empty(); run = reader->next_run()) {
            for (const flow::Event& event : run) {
                const std::uint32_t number = numbers.of(event);
                if (number == marks.size()) {
                    marks.push_back(gather::marks_of(event));
                }
                ASSERT_TRUE(has_same_marks(marks[number], gather::marks_of(event)));
            }
        }
    }
}

TEST(KindNumbers, AreTranslatedIntoThoseOfOthers) {
    const File file = many_buffers(1);
    decode::KindNumbers here, there;
    const auto reader = open(file);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
    for (flow::Run run = reader->next_run(); !run.empty(); run = reader->next_run()) {
        for (const flow::Event& event : run) {
            static_cast<void>(here.of(run[run.size() - 1]));
            both.emplace_back(here.of(event), there.of(event));
        }
    }
    for (const auto& [mine, yours] : both) {
        EXPECT_EQ(here.of(there, yours), mine);
    }
    EXPECT_EQ(here.of(there, 1000), decode::KindNumbers::none);
    EXPECT_EQ(both.size(), 301U);
}

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
    std::vector<std::byte> bytes;
    for (const unsigned value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

TEST(BufferKinds, AreTheSameAfterASection) {
    const std::vector<BufferKind> kinds{
        {.offset = 72, .buffers = {{0, 0}, {2, 5}, {7, 99'999}}},
        {.offset = 100'000, .buffers = {{99'999, 99'999}}},
    };
    EXPECT_EQ(trace::parse_kinds(trace::encode(kinds), 100'000), kinds);
    EXPECT_EQ(trace::parse_kinds(trace::encode({}), 0), std::vector<BufferKind>{});
    const auto bytes = trace::encode(kinds);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(trace::parse_kinds(Bytes(bytes).first(size), 100'000)) << size;
    }
    EXPECT_FALSE(trace::parse_kinds(bytes, 99'999)) << "beyond the buffers";
}

TEST(BufferKinds, ThatCannotBeAreRefused) {
    EXPECT_TRUE(trace::parse_kinds(bytes_of({1, 1, 0, 2, 0, 1, 1, 0}), 4));
    EXPECT_FALSE(trace::parse_kinds(bytes_of({2, 0}), 4)) << "version";
    EXPECT_FALSE(trace::parse_kinds(bytes_of({1, 1, 0, 0}), 4)) << "a kind without buffers";
    EXPECT_FALSE(trace::parse_kinds(bytes_of({1, 1, 0, 2, 0, 1, 0, 0}), 4)) << "ranges that touch";
    EXPECT_FALSE(trace::parse_kinds(bytes_of({1, 0, 0}), 4)) << "more bytes";
    EXPECT_FALSE(trace::parse_kinds(bytes_of({1, 0x7F}), 4)) << "more kinds than bytes";
}

} // namespace
} // namespace etl::kinds_test
