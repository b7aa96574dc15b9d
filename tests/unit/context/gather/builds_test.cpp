// The build of Windows of traces, and the layouts that it chooses. docs/schemas.md#builds
#include "decode/decoder.hpp"
#include "gather/schemas.hpp"
#include "gather/stream_schemas.hpp"
#include "tests/support/traces/shop_trace.hpp"
#include "tests/unit/storage/merge/made_traces.hpp"
#include "tests/unit/storage/merge/merging.hpp"
#include "trace/inputs.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <fstream>

namespace etl::gather_builds_test {
namespace {

using namespace test;
using namespace literals;
using testing::ElementsAre;

constexpr Guid tea = "7e57ab1e-0000-4000-8000-00000000cafe"_guid;

class BuildsOfTraces : public testing::Test {
protected:
    BuildsOfTraces() {
        std::ofstream(schemas_) << "provider Tea 7e57ab1e-0000-4000-8000-00000000cafe\n"
                                   "builds 19041 22621\n"
                                   "fields 1\n  Number UInt32\n"
                                   "event 1 0 symbol Brew fields 1 builds 19041\n"
                                   "fields 2\n  Text UnicodeString\n"
                                   "event 1 0 symbol Brew fields 2 builds 22621\n";
    }

    /// A trace with an event of each payload.
    static Image of_build(std::uint32_t build, const std::vector<std::vector<std::byte>>& payloads,
                          std::int64_t boot = 0) {
        TraceFacts facts;
        facts.build = build;
        facts.boot_time += boot;
        TraceBuilder trace(facts);
        BufferBuilder& buffer = trace.buffer({});
        std::int64_t time = reference;
        for (const auto& payload : payloads) {
            buffer.add(format::EventRecord{
                .time = ++time, .provider = tea, .descriptor = {.id = 1}, .payload = payload});
        }
        return trace.build();
    }

    void open(const Image& image) {
        readers_.push_back(*trace::Reader::open(
            in_memory(image), {.file = static_cast<std::uint32_t>(readers_.size())}));
    }

    /// `Number`, `Text (layout of build 22621)`, or `raw`, of an event of the tea house.
    static void add_field(const decode::DecodedEvent& event, std::vector<std::string>& to) {
        const auto& kind = *event.kind;
        if (event.header.provider == tea) {
            const std::string name =
                kind.schema == nullptr ? "raw" : kind.schema->fields.front().name;
            to.push_back(kind.note.empty() ? name : name + " (" + kind.note + ")");
        }
    }

    /// Of each of its events, in a stream.
    std::vector<std::string> fields_of_stream(const Image& image, std::uint32_t build) {
        const auto ignored = [](const gather::Remark&) {};
        auto schemas = gather::StreamSchemas::open({.paths = {schemas_}}, ignored);
        EXPECT_TRUE(schemas);
        schemas->set_build(build);
        const auto reader = *trace::Reader::open(in_memory(image));
        gather::SchemaFeed feed(*reader, *schemas, gather::SchemaFeed::Harvesting::on_passage);
        std::vector<std::string> all;
        for (flow::Run run = feed.next_run(); !run.empty(); run = feed.next_run()) {
            decode::Decoder decoder(schemas->newest());
            for (const flow::Event& event : run) {
                add_field(decoder.decode(event), all);
            }
        }
        return all;
    }

    /// Of each event, of complete traces.
    std::vector<std::string> fields(unsigned threads = 1) {
        const auto ignored = [](const gather::Remark&) {};
        const auto schemas =
            gather::schemas_of(readers_, {.paths = {schemas_}, .threads = threads}, ignored);
        EXPECT_TRUE(schemas);
        decode::Decoder decoder(schemas->by_trace);
        std::vector<std::string> all;
        for (const auto& reader : readers_) {
            for (flow::Run run = reader->next_run(); !run.empty(); run = reader->next_run()) {
                for (const flow::Event& event : run) {
                    add_field(decoder.decode(event), all);
                }
            }
        }
        return all;
    }

    ShopFolder folder_;
    std::string schemas_ = folder_.file("tea.txt");
    std::vector<std::unique_ptr<trace::Reader>> readers_;
    std::vector<std::byte> number_ = ByteWriter().u32(1).take();
    std::vector<std::byte> text_ = ByteWriter().zero_terminated16(u"Earl Grey").take();
    std::vector<std::byte> both_ = ByteWriter().zero_terminated16(u"A").take();
};

TEST_F(BuildsOfTraces, ComeFromTheirHeaders) {
    open(of_build(19045, {both_}));
    open(of_build(22631, {both_}));
    open(of_build(19041, {text_}));
    EXPECT_THAT(fields(), ElementsAre("Number", "Text", "Text (layout of build 22621)"));
}

TEST_F(BuildsOfTraces, ThatAreUnknownTakeWhatMatchesAllPayloads) {
    for (const unsigned threads : {1U, 3U}) {
        readers_.clear();
        open(of_build(0, {both_, text_, both_}));
        open(of_build(0, {both_, number_, both_}));
        EXPECT_THAT(fields(threads), ElementsAre("Text (newest layout that matches)",
                                                 "Text (newest layout that matches)",
                                                 "Text (newest layout that matches)",
                                                 "Number (newest layout that matches)",
                                                 "Number (newest layout that matches)",
                                                 "Number (newest layout that matches)"));
    }
}

TEST_F(BuildsOfTraces, OfWhichNoLayoutMatchesAllAreDecidedByEachPayload) {
    open(of_build(0, {text_, number_}));
    EXPECT_THAT(fields(), ElementsAre("Text (newest layout that matches this payload)",
                                      "Number (newest layout that matches this payload)"));
}

// What the second event would choose by itself does not count.
TEST_F(BuildsOfTraces, OfStreamsThatAreUnknownTakeWhatTheFirstPayloadChooses) {
    EXPECT_THAT(
        fields_of_stream(of_build(0, {number_, both_}), 0),
        ElementsAre("Number (newest layout that matches)", "Number (newest layout that matches)"));
    EXPECT_THAT(
        fields_of_stream(of_build(0, {text_, both_}), 0),
        ElementsAre("Text (newest layout that matches)", "Text (newest layout that matches)"));
    EXPECT_THAT(fields_of_stream(of_build(19041, {both_}), 19041), ElementsAre("Number"));
}

TEST_F(BuildsOfTraces, OfInputsOfAMergeAreKeptApart) {
    merge::Options options = system_time;
    options.tag_sources = true;
    constexpr std::int64_t day = 24 * 3600 * Filetime::per_second;
    open(merged_file({of_build(19041, {both_}), of_build(22621, {both_}, -day)}, options));
    EXPECT_THAT(readers_[0]->info().merged_inputs[0].build, 19041U);
    EXPECT_THAT(readers_[0]->info().merged_inputs[1].build, 22621U);
    EXPECT_THAT(fields(), testing::UnorderedElementsAre("Number", "Text"));
}

// The boot is all that says which machine they are of.
TEST_F(BuildsOfTraces, OfInputsOfOneBootAreKeptApartToo) {
    merge::Options options = system_time;
    options.tag_sources = true;
    open(merged_file({of_build(19041, {both_}), of_build(22621, {both_})}, options));
    EXPECT_THAT(fields(), testing::UnorderedElementsAre("Number", "Text"));
    readers_.clear();
    open(merged_file({of_build(19041, {both_}), of_build(0, {both_})}, options));
    EXPECT_THAT(fields(), ElementsAre("Number", "Number")) << "one of them states it for both";
}

// The store knows such an event by another provider than its header: each by its own.
TEST_F(BuildsOfTraces, AreTriedByTheProviderThatDescribesTheEvent) {
    std::vector<std::byte> control(sizeof(Guid));
    std::memcpy(control.data(), &tea, sizeof(Guid));
    const std::array items{format::ExtendedItem{format::ItemType::control_guid, control}};
    TraceFacts facts;
    facts.build = 0;
    TraceBuilder trace(facts);
    for (std::uint16_t processor = 0; processor < 4; ++processor) {
        BufferBuilder& buffer = trace.buffer({.processor = processor});
        buffer.add(format::EventRecord{
            .time = reference, .provider = tea, .descriptor = {.id = 1}, .payload = number_});
        for (int i = 0; i < 20; ++i) {
            buffer.add(
                format::EventRecord{.time = reference + i,
                                    .provider = "7e57ab1e-0000-4000-8000-00000000beef"_guid,
                                    .descriptor = {.id = 1},
                                    .items = std::span(items).first(processor % 2 == 0 ? 1U : 0U),
                                    .payload = number_});
        }
    }
    open(trace.build());
    for (const unsigned threads : {1U, 2U, 8U}) {
        const auto ignored = [](const gather::Remark&) {};
        const auto schemas =
            gather::schemas_of(readers_, {.paths = {schemas_}, .threads = threads}, ignored);
        ASSERT_TRUE(schemas);
        const auto match = schemas->by_trace.store_for(0)->find({tea, 1, 0});
        ASSERT_EQ(match.candidates.size(), 1U);
        EXPECT_EQ(match.candidates.front()->fields.front().name, "Number");
    }
}

} // namespace
} // namespace etl::gather_builds_test
