// Parts of traces add up to the whole. docs/parts.md
#include "base/text.hpp"
#include "gather/trace_index.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/reading.hpp"
#include "trace/inputs.hpp"
#include "trace/parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

namespace etl::parts_test {
namespace {

using namespace test;
using trace::ReaderOptions;

using File = std::shared_ptr<const io::InputFile>;

constexpr std::uint32_t part_counts[] = {1, 2, 7, 64};

std::vector<Seen> read_all(flow::Source& source) {
    std::vector<Seen> events;
    for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        std::ranges::transform(run, std::back_inserter(events), seen);
    }
    return events;
}

std::unique_ptr<trace::Reader> open(const File& file, const ReaderOptions& options = {}) {
    auto reader = trace::Reader::open(file, options);
    return reader ? *std::move(reader) : nullptr;
}

std::shared_ptr<const trace::TraceIndex> shared(trace::TraceIndex index) {
    return std::make_shared<const trace::TraceIndex>(std::move(index));
}

struct Parts {
    std::vector<Seen> events;
    std::uint64_t needed_buffers = 0; // by all parts
};

Parts read_parts(const File& file, trace::Reader& reader, std::uint32_t count,
                 const ReaderOptions& options = {}) {
    const trace::TraceIndex index = gather::index_of(reader, 1).index;
    const trace::IndexedTrace indexed{&reader, &index};
    Parts parts;
    for (std::uint32_t number = 1; number <= count; ++number) {
        const auto window = trace::window_of({.number = number, .count = count}, {&indexed, 1});
        auto source = trace::WindowReader::open(file, options, shared(index), window);
        EXPECT_TRUE(source);
        const std::vector<Seen> events = read_all(**source);
        parts.events.insert(parts.events.end(), events.begin(), events.end());
        parts.needed_buffers += (*source)->needed_buffers();
    }
    return parts;
}

void expect_sum(const File& file, const ReaderOptions& options = {}) {
    const auto reader = open(file, options);
    if (!reader) {
        return; // not a trace
    }
    const std::vector<Seen> whole = read_all(*reader);
    for (const std::uint32_t count : part_counts) {
        EXPECT_TRUE(read_parts(file, *reader, count, options).events == whole)
            << file->name() << " in " << count;
    }
}

/// Buffers of some processors whose times overlap, tie, and fall, as numbers decide.
class RandomTrace {
public:
    explicit RandomTrace(unsigned seed) : random_(seed) {}

    File make() {
        TraceFacts facts;
        facts.reference_time = 0;
        facts.processors = 1 + below(4);
        TraceBuilder trace(facts);
        const unsigned buffers = 1 + below(30), disorder = below(3);
        const bool has_untimed = below(4) == 0;
        std::int64_t time = 100;
        for (unsigned i = 0; i < buffers; ++i) {
            auto& buffer =
                trace.buffer({.processor = static_cast<std::uint16_t>(below(facts.processors))});
            for (unsigned event = 0, events = below(6); event < events; ++event) {
                time += below(4);
                if (has_untimed && below(3) == 0) {
                    buffer.add(format::MessageRecord{.number = next_id_++});
                    continue;
                }
                const std::int64_t back = disorder == 0 ? 0 : below(disorder == 1 ? 5 : 60);
                buffer.add(
                    format::EventRecord{.time = time - back, .descriptor = {.id = next_id_++}});
            }
        }
        return in_memory(trace.build());
    }

private:
    unsigned below(unsigned end) {
        return std::uniform_int_distribution<unsigned>(0, end - 1)(random_);
    }

    std::mt19937 random_;
    std::uint16_t next_id_ = 0;
};

TEST(Parts, AddUpWhateverTheOrderOfTheEvents) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        const File file = RandomTrace(seed).make();
        expect_sum(file);
        expect_sum(file, {.threads = 2, .select = [](const flow::Event& event) {
                              return flow::read_header(event).id % 3 != 0;
                          }});
    }
}

TEST(Parts, AddUpForEveryTraceOfTheCorpus) {
    for (const char* const folder : {"/corpus/good", "/corpus/damaged"}) {
        const auto inputs = trace::open_inputs({test::source_dir() + folder});
        EXPECT_GT(inputs.files.size(), 5U);
        for (const File& file : inputs.files) {
            expect_sum(file);
        }
    }
}

/// Kept whatever their time.
bool is_context(const flow::Event& event) {
    return flow::read_header(event).id % 5 == 0;
}

TEST(ReaderOfAWindow, KeepsContextAndTheOrder) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        const File file = RandomTrace(seed).make();
        const auto whole = open(file);
        const std::vector<Seen> all = read_all(*whole);
        if (all.empty()) {
            continue;
        }
        const flow::RawWindow window{all[all.size() / 3].time, all[all.size() / 2].time};
        trace::TraceIndex index = gather::index_of(*whole, 1).index;
        whole->for_each_buffer(1, [&](unsigned, const trace::BufferEntry& entry, flow::Run events) {
            index.buffers[static_cast<std::size_t>(&entry - whole->buffers().data())].has_context =
                std::ranges::any_of(events, is_context);
        });
        const ReaderOptions options{.select = [&](const flow::Event& event) {
            return window.contains(event.raw_time) || is_context(event);
        }};
        const auto expected = read_all(*open(file, options));
        const auto reader = open(file, options);
        reader->skip_outside(index, window, &trace::IndexedBuffer::has_context);
        EXPECT_TRUE(read_all(*reader) == expected);
    }
}

TEST(Parts, ReadOnlyTheBuffersThatTheyNeed) {
    TraceFacts facts;
    facts.reference_time = 0;
    facts.processors = 2;
    TraceBuilder trace(facts);
    constexpr unsigned buffers = 100;
    for (unsigned i = 0; i < buffers; ++i) {
        trace.buffer({.processor = static_cast<std::uint16_t>(i % 2)})
            .add(format::EventRecord{.time = 100 + i, .descriptor = {}});
    }
    const File file = in_memory(trace.build());
    const auto reader = open(file);
    const Parts parts = read_parts(file, *reader, 10);
    EXPECT_EQ(parts.events.size(), buffers + 1);
    EXPECT_LE(parts.needed_buffers, buffers + 20);
}

TEST(Parts, AreWithoutEventsOfAnEmptyTrace) {
    const TraceBuilder trace{TraceFacts{}};
    const File file = in_memory(trace.build());
    expect_sum(file);
}

TEST(Parts, KeepEventsOfOneTimeTogether) {
    TraceFacts facts;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    for (int i = 0; i < 20; ++i) {
        trace.buffer().add(format::EventRecord{.time = 50, .descriptor = {}});
    }
    const File file = in_memory(trace.build());
    const auto reader = open(file);
    const trace::TraceIndex index = gather::index_of(*reader, 1).index;
    const trace::IndexedTrace indexed{reader.get(), &index};
    std::vector<std::size_t> sizes;
    for (std::uint32_t number = 1; number <= 3; ++number) {
        const auto window = trace::window_of({.number = number, .count = 3}, {&indexed, 1});
        auto source = trace::WindowReader::open(file, {}, shared(index), window);
        sizes.push_back(read_all(**source).size());
    }
    std::ranges::sort(sizes);
    EXPECT_THAT(sizes, testing::ElementsAre(0, 1, 20)); // the header record by itself
}

TEST(WindowReader, RefusesAnotherOrderAndTheIndexOfAnotherTrace) {
    const File file = RandomTrace(1).make();
    const auto reader = open(file);
    const trace::TraceIndex index = gather::index_of(*reader, 1).index;
    const auto in_file_order =
        trace::WindowReader::open(file, {.order = trace::Order::file}, shared(index), {});
    ASSERT_FALSE(in_file_order);
    EXPECT_EQ(in_file_order.error().code, ErrorCode::invalid_option);
    EXPECT_FALSE(trace::WindowReader::open(file, {}, shared({}), {}));
}

TEST(WriteIndex, WritesTheBytesOfAnEncodedIndex) {
    const File file = RandomTrace(1).make();
    const auto reader = open(file);
    const trace::TraceIndex index = gather::index_of(*reader, 1).index;
    const trace::IndexKey key{1, 2, 3};
    const std::vector<trace::IndexSection> sections{{"kettle", std::vector<std::byte>(100)},
                                                    {"teapot", std::vector<std::byte>(3)}};
    StringOutput written;
    ASSERT_TRUE(gather::write_index(*reader, *file, index, key, sections, written));
    const auto encoded = gather::encoded_index(*reader, *file, index, key, sections);
    EXPECT_EQ(written.text(), as_text(encoded));
    const auto identity = trace::identity_of(reader->info(), reader->buffers(), key);
    const auto parsed = trace::parse_index(encoded, identity, key);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->sections->find("kettle").value().size(), 100U);
}

// The key keeps others from making such an index; a fault of ours would be seen.
TEST(WindowReader, FindsBuffersWithOtherTimesThanTheIndexStates) {
    TraceFacts facts;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    for (int i = 0; i < 6; ++i) {
        trace.buffer().add(format::EventRecord{.time = 100 + i, .descriptor = {}});
    }
    const File file = in_memory(trace.build());
    trace::TraceIndex index = gather::index_of(*open(file), 1).index;
    const auto findings_of = [&] {
        DiagnosticList findings;
        const auto window =
            trace::WindowReader::open(file, {.diagnostics = &findings}, shared(index), {});
        EXPECT_EQ(read_all(**window).size(), 7U);
        return findings.list();
    };
    EXPECT_TRUE(findings_of().empty());
    index.buffers[3].first_time = index.buffers[3].last_time = 90;
    const auto findings = findings_of();
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].buffer, 3U);
    EXPECT_EQ(findings[0].severity, Severity::warning);
}

class TraceIndex : public testing::Test {
protected:
    TraceIndex()
        : reader_(
              open(*trace::open_input(test::source_dir() + "/corpus/good/process-activity.etl"))),
          index_(gather::index_of(*reader_, 1).index),
          identity_(trace::identity_of(reader_->info(), reader_->buffers(), key_)),
          file_(encode(index_, identity_, key_)) {}

    Error error_of(Bytes file) const { return parse_index(file, identity_, key_).error(); }

    trace::IndexKey key_{1, 2, 3};
    std::unique_ptr<trace::Reader> reader_;
    trace::TraceIndex index_;
    trace::TraceIdentity identity_;
    std::vector<std::byte> file_;
};

TEST_F(TraceIndex, IsTheSameAfterAFile) {
    EXPECT_EQ(parse_index(file_, identity_, key_), index_);
}

TEST_F(TraceIndex, DoesNotDependOnThreads) {
    for (const unsigned threads : {2U, 3U}) {
        EXPECT_EQ(gather::index_of(*reader_, threads).index, index_);
    }
}

// Which buffer is the first to record something must not depend on who reads it.
TEST(MadeIndex, OfKernelClassesDoesNotDependOnThreads) {
    TraceFacts facts;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    const std::array<std::byte, 64> payload{};
    for (int i = 0; i < 200; ++i) {
        auto& buffer = trace.buffer();
        for (const int hook : {0x0440, 0x010A}) { // FileIo/Create, DiskIo/Read
            buffer.add(format::SystemRecord{
                .hook_id = static_cast<std::uint16_t>(hook), .time = 10 + i, .payload = payload});
        }
    }
    const auto reader = open(in_memory(trace.build()));
    const trace::TraceIndex index = gather::index_of(*reader, 1).index;
    EXPECT_EQ(index.numbers_of(&trace::IndexedBuffer::has_processes).size(), 1U);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(gather::index_of(*reader, 8).index, index);
    }
}

TEST(MadeIndex, CountsDamageInBuffers) {
    for (const auto& [trace, damage] : {std::pair("/corpus/damaged/bad-record.etl", 1U),
                                        std::pair("/corpus/good/first-steps.etl", 0U)}) {
        const auto reader = open(*trace::open_input(test::source_dir() + trace));
        EXPECT_EQ(gather::index_of(*reader, 2).damage, damage) << trace;
    }
}

TEST_F(TraceIndex, OfAnotherTraceIsRefused) {
    trace::TraceIdentity other = identity_;
    ++other.hash;
    EXPECT_EQ(parse_index(file_, other, key_).error().code, ErrorCode::not_found);
}

TEST_F(TraceIndex, ThatIsDamagedIsRefused) {
    for (std::size_t size = 0; size < file_.size(); ++size) {
        EXPECT_FALSE(parse_index(Bytes(file_).first(size), identity_, key_)) << size;
    }
    for (std::size_t at = 0; at < file_.size(); ++at) {
        std::vector<std::byte> damaged = file_;
        damaged[at] ^= std::byte{0x10};
        EXPECT_FALSE(parse_index(damaged, identity_, key_)) << at;
    }
    EXPECT_EQ(error_of({}).code, ErrorCode::malformed);
}

TEST_F(TraceIndex, HasSectionsWithCodesOfTheirOwn) {
    const std::vector<std::byte> content{std::byte{1}, std::byte{2}, std::byte{3}};
    const trace::IndexSection sections[] = {{"a", content}, {"b", {}}, {"c", content}};
    auto file = encode(index_, identity_, key_, sections);
    {
        const auto index = parse_index(file, identity_, key_);
        ASSERT_TRUE(index);
        EXPECT_TRUE(std::ranges::equal(*index->sections->find("c"), content));
        EXPECT_TRUE(index->sections->find("b")->empty());
        EXPECT_TRUE(index->sections->find("d")->empty());
    }
    for (std::size_t size = file.size() - 2 * content.size(); size < file.size(); ++size) {
        EXPECT_FALSE(parse_index(Bytes(file).first(size), identity_, key_)) << size;
    }
    file.back() ^= std::byte{1};
    const auto index = parse_index(file, identity_, key_);
    ASSERT_TRUE(index);
    EXPECT_TRUE(index->sections->find("a"));
    EXPECT_EQ(index->sections->find("c").error().code, ErrorCode::invalid_option);
    // Contents that change places.
    auto other = encode(index_, identity_, key_, sections);
    std::swap(other[other.size() - 6], other[other.size() - 1]);
    EXPECT_FALSE(parse_index(other, identity_, key_)->sections->find("a"));
}

TEST_F(TraceIndex, OfAnotherKeyIsRefused) {
    for (std::size_t i = 0; i < key_.size(); ++i) {
        trace::IndexKey other = key_;
        other[i] ^= 1U;
        const auto forged = encode(index_, identity_, other);
        EXPECT_EQ(error_of(forged).code, ErrorCode::invalid_option) << i;
    }
}

TEST_F(TraceIndex, IdentifiesItsTraceByTheKey) {
    trace::IndexKey other = key_;
    other[0] ^= 1U;
    EXPECT_NE(trace::identity_of(reader_->info(), reader_->buffers(), other), identity_);
}

/// What the schemas of a trace are: their number, the providers, and the rejections.
auto schemas_of(const std::unique_ptr<trace::Reader>& reader, gather::Indexes indexes) {
    std::vector<std::string> remarks;
    auto schemas = gather::schemas_of({&reader, 1}, indexes, {}, [&](const gather::Remark& remark) {
        remarks.push_back(gather::describe(remark));
    });
    EXPECT_TRUE(schemas);
    const schema::SchemaStore& store = *schemas->by_trace.store_for(reader->info().file);
    return std::tuple(store.size(), store.providers().size(), remarks);
}

TEST(IndexedSchemas, AreThoseOfAllBuffers) {
    const auto inputs = trace::open_inputs({test::source_dir() + "/corpus/good"});
    for (const File& file : inputs.files) {
        const auto reader = open(file);
        const auto index =
            std::make_shared<const trace::TraceIndex>(gather::index_of(*reader, 2).index);
        EXPECT_TRUE(schemas_of(reader, {&index, 1}) == schemas_of(reader, {})) << file->name();
    }
}

} // namespace
} // namespace etl::parts_test
