#include "base/text.hpp"
#include "format/records.hpp"
#include "merge/correlate.hpp"
#include "tests/unit/storage/merge/made_traces.hpp"
#include "tests/unit/storage/merge/merging.hpp"

#include <gmock/gmock.h>

namespace etl::merge::correlate_test {

namespace {

using flow::TraceInfo;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t boot = 133'603'920'000'000'000;

TraceInfo trace() {
    TraceInfo made;
    made.has_header = true;
    made.header.boot_time = boot;
    made.header.reserved_flags = 1;
    made.header.sub_version = 1;
    made.header.sub_minor_version = 5;
    made.header.provider_version = 19045;
    made.header.number_of_processors = 8;
    made.header.perf_freq = 10'000'000;
    made.header.cpu_speed_mhz = 2394;
    made.header.pointer_size = 8;
    return made;
}

/// What a second trace has against the first, after a change.
std::vector<Mismatch> with(void (*change)(TraceInfo& second)) {
    const TraceInfo first = trace();
    TraceInfo second = trace();
    change(second);
    const std::array traces{&first, static_cast<const TraceInfo*>(&second)};
    return correlate(traces);
}

std::string told(const std::vector<Mismatch>& mismatches) {
    std::string text;
    for (const Mismatch& each : mismatches) {
        text += std::to_string(each.input) + " " + each.field + ": " + each.first + ", " +
                each.other + (each.is_other_machine ? " other machine" : "") + "\n";
    }
    return text;
}

TEST(Correlate, SessionsOfOneBootFit) {
    EXPECT_EQ(told(with([](TraceInfo&) {})), "");
    EXPECT_THAT(correlate({}), IsEmpty());
}

TEST(Correlate, ABootTimeThatMovedALittleFits) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.boot_time += 10'000'000; })), "");
}

TEST(Correlate, AnotherBootDoesNotFit) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.boot_time += 10'000'001; })),
              "1 boot time: 2024-05-17T04:00:00.0000000Z, 2024-05-17T04:00:01.0000001Z\n");
}

TEST(Correlate, AnUnknownBootTimeFitsNone) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.boot_time = 0; })),
              "1 boot time: 2024-05-17T04:00:00.0000000Z, not recorded\n");
    TraceInfo unknown = trace();
    unknown.header.boot_time = 0;
    unknown.header.start_time = boot + 1'000;
    const std::array<const TraceInfo*, 2> parts{&unknown, &unknown};
    EXPECT_EQ(told(correlate(parts)), "") << "parts of one recording";
    TraceInfo other = unknown;
    other.header.start_time += 1;
    const std::array<const TraceInfo*, 2> traces{&unknown, &other};
    EXPECT_EQ(told(correlate(traces)), "1 boot time: not recorded, not recorded\n");
    for (TraceInfo* const one : {&unknown, &other}) {
        one->header.reserved_flags = 2;
        one->header.start_time = 0;
    }
    EXPECT_EQ(told(correlate(traces)), "") << "system times of any boots are comparable";
}

TEST(Correlate, AnotherClockDoesNotFit) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.reserved_flags = 2; })),
              "1 clock: qpc, system-time\n");
}

TEST(Correlate, AnotherFrequencyOnTheSameBootIsAnotherMachine) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.perf_freq = 2'337'949; })),
              "1 clock frequency: 10000000 Hz, 2337949 Hz other machine\n");
}

TEST(Correlate, OtherProcessorsBuildsAndSpeedsAreOtherMachines) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.number_of_processors = 4; })),
              "1 processors: 8, 4 other machine\n");
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.provider_version = 22631; })),
              "1 Windows build: 19045, 22631 other machine\n");
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.cpu_speed_mhz = 3600; })),
              "1 CPU speed: 2394 MHz, 3600 MHz other machine\n");
}

TEST(Correlate, AnotherBootOfAnotherMachineIsToldAsSuch) {
    const auto found = with([](TraceInfo& t) {
        t.header.boot_time -= 36'000'000'000;
        t.header.number_of_processors = 4;
    });
    ASSERT_EQ(found.size(), 1U);
    EXPECT_STREQ(found[0].field, "boot time");
    EXPECT_TRUE(found[0].is_other_machine);
}

TEST(Correlate, ASessionWithOneStreamFitsAnyNumberOfProcessors) {
    EXPECT_EQ(told(with([](TraceInfo& t) {
                  t.header.number_of_processors = 1;
                  t.header.log_file_mode = format::log_mode::no_per_processor_buffering;
              })),
              "");
}

TEST(Correlate, TheControllersPointerSizeIsNoMismatch) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.pointer_size = 4; })), "");
}

TEST(Correlate, CyclesAskForTheVerySameSpeed) {
    TraceInfo first = trace();
    first.header.reserved_flags = 3;
    TraceInfo second = first;
    second.header.cpu_speed_mhz = 2395;
    const std::array<const TraceInfo*, 2> traces{&first, &second};
    EXPECT_EQ(told(correlate(traces)), "1 CPU speed: 2394 MHz, 2395 MHz other machine\n");
}

TEST(Correlate, ATraceWithoutHeaderFitsNoOther) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.has_header = false; })),
              "1 log file header: there, none\n");
    TraceInfo alone;
    const std::array<const TraceInfo*, 1> traces{&alone};
    EXPECT_THAT(correlate(traces), IsEmpty());
}

TEST(Correlate, TellsOneMismatchOfEachTrace) {
    const TraceInfo first = trace();
    TraceInfo second = trace();
    second.header.boot_time += 1'000'000'000;
    TraceInfo fourth = trace();
    fourth.header.reserved_flags = 2;
    fourth.header.boot_time = 1;
    const std::array<const TraceInfo*, 4> traces{&first, &second, &first, &fourth};
    const auto found = correlate(traces);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].input, 1U);
    EXPECT_EQ(found[1].input, 3U);
    EXPECT_STREQ(found[1].field, "clock");
}

} // namespace

// Which machines the traces of a merge come from, and what the outcome tells of its sources.

namespace {

using namespace test;
using testing::ElementsAre;

TraceFacts boot_at(std::int64_t boot_time, std::uint32_t processors = 4) {
    TraceFacts facts{.processors = processors};
    facts.boot_time = boot_time;
    facts.start_time = boot_time + 1'000'000'000;
    facts.end_time = facts.start_time + 600'000'000;
    return facts;
}

/// Of the events; those about sources, which processor 0 has, aside.
std::vector<std::uint16_t> processors_of(const std::vector<Image>& images, const Options& options) {
    std::vector<std::uint16_t> processors;
    for (const auto& [processor, records] : content_of(merged_file(images, options)).streams) {
        if (processor != 0) {
            processors.push_back(processor);
        }
    }
    return processors;
}

TEST(Machines, ThatRanAtOneTimeHaveProcessorsOfTheirOwn) {
    const Image a = trace_with({{1, reference + 1}}, boot_at(story_start), 1);
    const Image b = trace_with({{2, reference + 1}}, boot_at(story_start + 20'000'000), 1);
    EXPECT_THAT(processors_of({a, b}, system_time), ElementsAre(1, 5));
    EXPECT_EQ(content_of(merged_file({a, b}, system_time)).info.header.number_of_processors, 8U);
}

TEST(Machines, OneBootIsOneMachine) {
    const Image a = trace_with({{1, reference + 1}}, boot_at(story_start), 1);
    const Image b = trace_with({{2, reference + 1}}, boot_at(story_start + 1'000'000), 1);
    EXPECT_THAT(processors_of({a, b}, system_time), ElementsAre(1));
}

TEST(Machines, BootsOneAfterTheOtherMayBeOfOneMachine) {
    const Image a = trace_with({{1, reference + 1}}, boot_at(story_start), 1);
    const Image b = trace_with({{2, reference + 1}}, boot_at(story_start + 5'000'000'000), 1);
    const Image c = trace_with({{3, reference + 1}}, boot_at(story_start + 9'000'000'000, 6), 1);
    EXPECT_THAT(processors_of({a, b}, system_time), ElementsAre(1));
    EXPECT_THAT(processors_of({a, b, c}, system_time), ElementsAre(1, 5));
}

TEST(Machines, FilesOfASeriesAreOfOne) {
    const Image a = trace_with({{1, reference + 1}}, boot_at(story_start), 1);
    const Image b = trace_with({{2, reference + 1}}, boot_at(story_start + 20'000'000), 1);
    Options options = system_time;
    options.relation = Relation::series;
    EXPECT_THAT(processors_of({a, b}, options), ElementsAre(1));
}

/// Of two machines, the first of which has a processor 5 that its header does not count.
std::vector<merge::Input> inputs_that_count_too_few(std::uint32_t processors_of_buffers) {
    auto inputs =
        inputs_of({trace_with({{1, reference + 1}}, boot_at(story_start, 2), 5),
                   trace_with({{2, reference + 1}}, boot_at(story_start + 20'000'000, 2), 1)});
    auto first = std::make_shared<flow::TraceInfo>(*inputs[0].trace);
    EXPECT_EQ(first->processors, 6U);
    first->header.number_of_processors = 2;
    first->processors = processors_of_buffers;
    inputs[0].trace = first;
    return inputs;
}

TEST(Machines, HaveAllTheProcessorsThatBuffersName) {
    const Content content =
        content_of(file_of(*must_merge(inputs_that_count_too_few(6), system_time)));
    EXPECT_TRUE(content.streams.contains(5));
    EXPECT_TRUE(content.streams.contains(6 + 1));
    EXPECT_EQ(content.streams.size(), 3U); // 0: about the sources
    EXPECT_EQ(content.info.header.number_of_processors, 8U);
}

TEST(Machines, KeepProcessorsThatNobodyToldOfFromOthers) {
    const Content content =
        content_of(file_of(*must_merge(inputs_that_count_too_few(0), system_time)));
    EXPECT_TRUE(content.streams.contains(1)); // the last of the first machine
    EXPECT_TRUE(content.streams.contains(2 + 1));
    EXPECT_EQ(content.streams.size(), 3U); // 0: about the sources
}

TEST(Machines, HaveNoMoreProcessorsThanFilesCanCount) {
    const Image a = trace_with({{1, reference + 1}}, boot_at(story_start, 1500), 1);
    const Image b = trace_with({{2, reference + 1}}, boot_at(story_start + 20'000'000, 1500), 1);
    EXPECT_EQ(MergedSource::create(inputs_of({a, b}), system_time).error().code, ErrorCode::limit);
}

TEST(Sources, AreToldAtTheBeginningAndByTheirBuffers) {
    const Image a = trace_with({{1, reference + 30}});
    const Image b = trace_with({{2, reference + 20}});
    const Image file = merged_file({a, b}, {.tag_sources = true});
    auto reader = trace::Reader::open(in_memory(file));
    ASSERT_TRUE(reader);
    std::map<int, std::vector<std::uint16_t>> loggers; // by id; 0: about the sources
    flow::EventCursor events(**reader);
    while (const flow::Event* event = events.next()) {
        if (format::is_event(event->kind)) {
            loggers[flow::read_header(*event).id].push_back(event->buffer->logger_id);
        }
    }
    EXPECT_THAT(loggers[0], testing::UnorderedElementsAre(1, 2));
    EXPECT_THAT(loggers[1], ElementsAre(1));
    EXPECT_THAT(loggers[2], ElementsAre(2));
    EXPECT_THAT(read_written(file).checked, testing::IsEmpty());
}

TEST(Sources, AreKeptByTheWriterThatTheMergeAsksFor) {
    const std::vector<Image> images{trace_with({{1, reference}})};
    EXPECT_TRUE(
        must_merge(inputs_of(images), {.tag_sources = true})->writer_options().keep_logger_ids);
    const auto merged = must_merge(inputs_of(images));
    const trace::WriterOptions options = merged->writer_options();
    EXPECT_FALSE(options.keep_logger_ids);
    ASSERT_TRUE(options.recording);
    EXPECT_EQ(options.recording->header.start_time, merged->recording().header.start_time);
}

TEST(Sources, DescribeThemselves) {
    auto inputs = inputs_of({trace_with({{1, reference + 30}})});
    auto named = std::make_shared<flow::TraceInfo>(*inputs[0].trace);
    named->name = "C:\\Users\\somebody\\kernel.etl";
    inputs[0].trace = named;
    auto merged = must_merge(std::move(inputs), {.tag_sources = true});
    const flow::Run run = merged->next_run();
    ASSERT_EQ(run.size(), 1U);
    const flow::EventHeader header = flow::read_header(run.front());
    EXPECT_EQ(to_string(header.provider), "db41954b-010e-5779-8fff-439d2ecd2866");
    EXPECT_FALSE(header.has_invalid_items);
    EXPECT_EQ(run.front().raw_time, merged->info().reference_time);
    EXPECT_FALSE(flow::find_item(header, format::ItemType::event_schema_tl).data.empty());
    EXPECT_FALSE(flow::find_item(header, format::ItemType::provider_traits).data.empty());
    EXPECT_EQ(load_le<std::uint16_t>(header.payload.data()), 1);
    std::string file;
    append_utf16le(file, header.payload.subspan(2, 2 * std::string_view("kernel.etl").size()));
    EXPECT_EQ(file, "kernel.etl");
}

/// By id of the event: the input that it comes from, from 1; 0: unknown.
std::map<int, std::uint16_t> inputs_by_event(const Image& file) {
    std::map<int, std::uint16_t> inputs;
    auto reader = trace::Reader::open(in_memory(file));
    flow::EventCursor events(**reader);
    while (const flow::Event* event = events.next()) {
        if (const flow::EventHeader header = flow::read_header(*event);
            format::is_event(event->kind) && header.id != 0) {
            inputs[header.id] = event->buffer->merged_input;
        }
    }
    return inputs;
}

std::vector<flow::MergedInput> inputs_in(const Image& file) {
    return (*trace::Reader::open(in_memory(file)))->info().merged_inputs;
}

Image client() {
    return trace_with({{1, reference + 30}}, boot_at(story_start, 2), 1);
}

Image server() {
    return trace_with({{2, reference + 20}}, boot_at(story_start + 20'000'000, 3), 1);
}

TEST(Sources, AreRecordedWhenTracesOfAnyMachinesAreRestamped) {
    const Image file = merged_file({client(), server()}, system_time);
    const auto inputs = inputs_in(file);
    ASSERT_EQ(inputs.size(), 2U);
    EXPECT_EQ(inputs[0].number, 1U);
    EXPECT_EQ(inputs[0].file, "1.etl");
    EXPECT_EQ(inputs[0].boot, Filetime{story_start});
    EXPECT_EQ(inputs[0].last_processor, 1U);
    EXPECT_EQ(inputs[1].boot, Filetime{story_start + 20'000'000});
    EXPECT_EQ(inputs[1].first_processor, 2U);
    EXPECT_EQ(inputs[1].last_processor, 4U);
    EXPECT_EQ(inputs_by_event(file), (std::map<int, std::uint16_t>{{1, 1}, {2, 2}}));
    EXPECT_TRUE(inputs_in(merged_file({client(), client()})).empty()) << "nothing is mixed";
}

TEST(Sources, OfUnknownBootsAreRecorded) {
    const auto unknown = [](std::uint16_t id, std::int64_t start) {
        TraceFacts facts;
        facts.clock = format::ClockType::system_time;
        facts.boot_time = 0;
        facts.start_time = story_start + start;
        return trace_with({{id, reference + 20}}, facts, 1);
    };
    const Image file = merged_file({unknown(1, 0), unknown(2, 10), unknown(3, 0)});
    const auto inputs = inputs_in(file);
    ASSERT_EQ(inputs.size(), 3U);
    EXPECT_EQ(inputs[0].boot, Filetime{});
    EXPECT_EQ(inputs_by_event(file), (std::map<int, std::uint16_t>{{1, 1}, {2, 2}, {3, 3}}));
    EXPECT_TRUE(inputs_in(merged_file({unknown(1, 0), unknown(3, 0)})).empty())
        << "parts of one recording";
}

TEST(Sources, OfBootsInOneSeriesAreRecorded) {
    Options options = system_time;
    options.relation = Relation::series;
    const Image late =
        trace_with({{2, reference + 20}}, boot_at(story_start + 5'000'000'000, 2), 1);
    EXPECT_EQ(inputs_by_event(merged_file({client(), late}, options)),
              (std::map<int, std::uint16_t>{{1, 1}, {2, 2}}));
}

TEST(Sources, OfAMergeOfMergesAreAllInputs) {
    const Image third = trace_with({{3, reference + 10}}, boot_at(story_start + 40'000'000, 4));
    const Image inner = merged_file({client(), server()}, system_time);
    const Image outer = merged_file({third, inner}, system_time);
    const auto inputs = inputs_in(outer);
    ASSERT_EQ(inputs.size(), 3U);
    EXPECT_EQ(inputs[1].file, "1.etl");
    EXPECT_EQ(inputs[1].boot, Filetime{story_start});
    EXPECT_EQ(inputs[1].first_processor, 4U);
    EXPECT_EQ(inputs[2].first_processor, 6U);
    EXPECT_EQ(inputs_by_event(outer), (std::map<int, std::uint16_t>{{1, 2}, {2, 3}, {3, 1}}));
    int told = 0;
    for (const Seen& event : read(outer).events) {
        told += format::is_event(event.kind) && event.id == 0 ? 1 : 0;
    }
    EXPECT_EQ(told, 3);
}

TEST(Sources, AreFoundByProcessorWhereAnotherReloggerClearedTheirNumbers) {
    auto merged = must_merge(inputs_of({client(), server()}), system_time);
    io::MemoryFiles files;
    trace::WriterOptions options = merged->writer_options();
    options.keep_logger_ids = false;
    options.files = &files;
    auto writer = trace::Writer::create("cleared.etl", options);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(trace::copy(*merged, **writer));
    ASSERT_TRUE((*writer)->close());
    const Image file = files.files().at("cleared.etl");
    EXPECT_EQ(inputs_in(file).size(), 2U);
    EXPECT_EQ(inputs_by_event(file), (std::map<int, std::uint16_t>{{1, 1}, {2, 2}}));
}

} // namespace

} // namespace etl::merge::correlate_test
