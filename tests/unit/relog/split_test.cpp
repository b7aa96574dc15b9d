#include <etl/flow/context.hpp>
#include <etl/merge/merge.hpp>
#include <etl/relog/limits.hpp>
#include <etl/relog/split.hpp>

#include "tests/support/kernel_records.hpp"
#include "tests/support/written.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace etl::relog {
namespace {

using namespace test;
using namespace literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t second = 10'000'000;
constexpr Guid canal = "87bfca0e-1c0b-5c34-4101-c4374a8602cc"_guid;
constexpr Guid railway = "11111111-2222-3333-4444-555555555555"_guid;

/// Hands records to a Writer, each 1 ms behind the last, as a BufferBuilder takes them.
class Story {
public:
    explicit Story(std::uint16_t processors) : processors_(processors) {
        trace::WriterOptions options{.recording = trace::begin_recording({story_start}, processors),
                                     .files = &files_};
        options.file.buffer_size = 4096;
        options.recording->header.session_name = u"Timetable";
        options.recording->header.events_lost = 3;
        writer_ = std::move(*trace::Writer::create("story.etl", std::move(options)));
    }

    template <typename Record>
    void add(Record record) {
        record.time = time();
        EXPECT_TRUE(writer_->add(record, static_cast<std::uint16_t>(count_ % processors_)));
        ++count_;
    }

    void add(KernelRecord record) {
        record.time = time();
        record.add_to(*this);
    }

    std::int64_t time() const { return story_start + 1 + 10'000 * std::int64_t{count_}; }

    Image finish() {
        EXPECT_TRUE(writer_->close());
        return files_.files().at("story.etl");
    }

private:
    std::uint16_t processors_;
    int count_ = 0;
    io::MemoryFiles files_;
    std::unique_ptr<trace::Writer> writer_;
};

constexpr int own_events = 900;

/// Processes are told of at the beginning and the end, an image in between; two providers, and
/// samples with their stacks.
Image timetable() {
    Story story(3);
    for (std::uint32_t id = 1; id <= 4; ++id) {
        story.add(process_record(0, Life::rundown_at_start, id, "signal.exe"));
    }
    std::mt19937 random(5);
    for (int i = 0; i < own_events / 3; ++i) {
        const std::uint32_t process = 1 + random() % 4;
        const Image payload(random() % 200, std::byte{0x5A});
        story.add(format::EventRecord{.process_id = process,
                                      .thread_id = 10 * process,
                                      .provider = i % 2 == 0 ? canal : railway,
                                      .descriptor = {.id = static_cast<std::uint16_t>(i)},
                                      .payload = payload});
        const std::int64_t sampled = story.time();
        story.add(sample_record(0, 0x1000, 10 * process));
        if (i == own_events / 6) {
            story.add(image_record(0, Life::start, 2, 0x400000, 0x1000, u"points.dll"));
        }
        story.add(stack_record(0, sampled, process, 10 * process, {1, 2, 3}));
    }
    for (std::uint32_t id = 1; id <= 4; ++id) {
        story.add(process_record(0, Life::rundown_at_end, id, "signal.exe"));
    }
    return story.finish();
}

/// What became of a trace.
struct Outcome {
    std::optional<Error> error;
    std::vector<Part> parts;
    std::vector<Image> files; // in the order of parts
};

Outcome split_image(const Image& image, SplitOptions options) {
    const auto file = in_memory(image);
    auto reader = trace::Reader::open(file);
    io::MemoryFiles files;
    options.writer.files = &files;
    options.writer.recording = trace::recording_of((*reader)->info());
    options.writer.file.buffer_size = 4096;
    const auto open = [&]() -> Result<std::unique_ptr<flow::Source>> {
        return trace::Reader::open(file);
    };
    auto parts = split(open, "part-%d.etl", options);
    if (!parts) {
        EXPECT_THAT(files.files(), IsEmpty());
        return {.error = parts.error(), .parts = {}, .files = {}};
    }
    Outcome outcome{.error = {}, .parts = *std::move(parts), .files = {}};
    EXPECT_EQ(files.files().size(), outcome.parts.size());
    for (const Part& part : outcome.parts) {
        outcome.files.push_back(files.files().at(part.path));
        EXPECT_EQ(part.bytes, outcome.files.back().size());
    }
    return outcome;
}

/// The records of a trace in the order of time; each sample has a time of its own.
struct Told {
    std::int64_t time = 0;
    std::uint16_t processor = 0;
    bool is_context = false;
    flow::EventHeader header; // views into what is gone: for its numbers alone
    Image record;

    bool operator==(const Told& other) const {
        return time == other.time && processor == other.processor && record == other.record;
    }

    bool operator<(const Told& other) const {
        return std::tie(time, processor, record) <
               std::tie(other.time, other.processor, other.record);
    }
};

std::vector<Told> told_by(flow::Source& source) {
    std::vector<Told> all;
    flow::EventCursor events(source);
    while (const flow::Event* event = events.next()) {
        const Bytes record = event->bytes();
        all.push_back({.time = event->raw_time,
                       .processor = event->buffer->processor,
                       .is_context = flow::context_of(*event) != flow::Context::none,
                       .header = flow::read_header(*event),
                       .record = {record.begin(), record.end()}});
    }
    return all;
}

/// Without the log file header.
std::vector<Told> told_by(const Image& image) {
    auto reader = trace::Reader::open(in_memory(image));
    std::vector<Told> all = told_by(**reader);
    std::erase_if(all,
                  [](const Told& one) { return one.header.is_kernel && one.header.hook_id == 0; });
    return all;
}

std::vector<Told> context_in(std::vector<Told> all) {
    std::erase_if(all, [](const Told& one) { return !one.is_context; });
    return all;
}

std::vector<Told> own_in(std::vector<Told> all) {
    std::erase_if(all, [](const Told& one) { return one.is_context; });
    return all;
}

void expect_whole(const Image& file) {
    const Written written = read_written(file);
    EXPECT_FALSE(written.error);
    EXPECT_EQ(written.damage, 0U);
    for (const std::string& finding : written.checked) {
        EXPECT_EQ(finding, "the session itself lost events or buffers");
    }
    EXPECT_FALSE(written.info.unfinished);
}

/// Every part is whole, has all context, and together they have everything else once.
void expect_partition(const Image& whole, const Outcome& outcome, bool with_context) {
    ASSERT_FALSE(outcome.error);
    const std::vector<Told> all = told_by(whole);
    std::vector<Told> together;
    for (std::size_t i = 0; i < outcome.files.size(); ++i) {
        expect_whole(outcome.files[i]);
        const std::vector<Told> part = told_by(outcome.files[i]);
        const std::vector<Told> own = with_context ? own_in(part) : part;
        EXPECT_EQ(own.size(), outcome.parts[i].events);
        EXPECT_FALSE(own.empty());
        if (with_context) {
            EXPECT_EQ(context_in(part), context_in(all));
            EXPECT_EQ(outcome.parts[i].context, context_in(all).size());
        }
        EXPECT_TRUE(std::ranges::is_sorted(own, {}, &Told::time));
        together.insert(together.end(), own.begin(), own.end());
    }
    std::sort(together.begin(), together.end());
    EXPECT_EQ(together, with_context ? own_in(all) : all);
}

SplitOptions by(SplitBy key, std::uint64_t limit = 0) {
    return {.by = key, .limit = limit};
}

const SplitOptions every_way[] = {by(SplitBy::size, 20'000), by(SplitBy::time, second / 10),
                                  by(SplitBy::count, 77),    by(SplitBy::provider),
                                  by(SplitBy::process),      by(SplitBy::processor)};

TEST(Split, PartsHaveEveryEventOnceAndAllContext) {
    const Image whole = timetable();
    for (SplitOptions options : every_way) {
        SCOPED_TRACE(static_cast<int>(options.by));
        const Outcome outcome = split_image(whole, options);
        EXPECT_GT(outcome.parts.size(), 1U);
        expect_partition(whole, outcome, true);
        options.context = SplitContext::none;
        expect_partition(whole, split_image(whole, options), false);
    }
}

TEST(Split, SharedContextIsInAFileOfItsOwn) {
    const Image whole = timetable();
    const std::vector<Told> all = told_by(whole);
    for (SplitOptions options : every_way) {
        SCOPED_TRACE(static_cast<int>(options.by));
        options.context = SplitContext::shared;
        std::vector<SplitForecast> forecasts;
        options.planned = [&](const SplitForecast& forecast) { forecasts.push_back(forecast); };
        Outcome outcome = split_image(whole, options);
        ASSERT_FALSE(outcome.error);
        ASSERT_GT(outcome.parts.size(), 2U);
        ASSERT_EQ(forecasts.size(), 1U);
        EXPECT_EQ(forecasts[0].parts, outcome.parts.size() - 1);
        EXPECT_EQ(forecasts[0].context_events, context_in(all).size());
        EXPECT_EQ(forecasts[0].context_bytes, outcome.parts[0].context_record_bytes);
        EXPECT_EQ(outcome.parts[0].path, "part-0.etl");
        EXPECT_EQ(outcome.parts[0].key, PartKey{});
        EXPECT_EQ(outcome.parts[0].events, 0U);
        EXPECT_EQ(told_by(outcome.files[0]), context_in(all));
        EXPECT_EQ(outcome.parts[1].path, "part-1.etl");
        EXPECT_EQ(outcome.parts[1].context, 0U);
        EXPECT_EQ(outcome.parts[1].context_path, "part-0.etl");
        outcome.parts.erase(outcome.parts.begin());
        outcome.files.erase(outcome.files.begin());
        const SplitOptions copied = {.by = options.by, .limit = options.limit};
        const Outcome with_copies = split_image(whole, copied);
        ASSERT_EQ(outcome.files.size(), with_copies.files.size());
        for (std::size_t i = 0; i < outcome.files.size(); ++i) {
            EXPECT_EQ(told_by(outcome.files[i]), own_in(told_by(with_copies.files[i])));
        }
    }
}

/// `count` events; the last but one has a payload of so many bytes.
Image small_story(int count, std::size_t payload) {
    Story story(1);
    for (int i = 0; i < count; ++i) {
        const Image bytes(i == count - 2 ? payload : 10);
        story.add(format::EventRecord{.provider = canal, .payload = bytes});
    }
    return story.finish();
}

TEST(Split, WithoutContextThereIsNoFileToShare) {
    SplitOptions options = by(SplitBy::count, 20);
    options.context = SplitContext::shared;
    const Outcome outcome = split_image(small_story(30, 10), options);
    ASSERT_EQ(outcome.parts.size(), 2U);
    EXPECT_EQ(outcome.parts[0].path, "part-1.etl");
    EXPECT_EQ(outcome.parts[0].context_path, "");
}

TEST(Split, PartsMergedAreTheOriginal) {
    const Image whole = timetable();
    for (SplitOptions options : every_way) {
        SCOPED_TRACE(static_cast<int>(options.by));
        options.context =
            options.by == SplitBy::count ? SplitContext::shared : SplitContext::copied;
        const Outcome outcome = split_image(whole, options);
        std::vector<merge::Input> inputs;
        for (const Image& file : outcome.files) {
            auto reader = trace::Reader::open(in_memory(file));
            ASSERT_TRUE(reader);
            const auto info = std::make_shared<const flow::TraceInfo>((*reader)->info());
            inputs.push_back(
                {.trace = info, .open = [file]() -> Result<std::unique_ptr<flow::Source>> {
                     return trace::Reader::open(in_memory(file));
                 }});
        }
        auto merged = merge::Merged::create(std::move(inputs));
        ASSERT_TRUE(merged);
        std::vector<Told> told = told_by(**merged);
        std::erase_if(
            told, [](const Told& one) { return one.header.is_kernel && one.header.hook_id == 0; });
        EXPECT_EQ(told, told_by(whole));
        EXPECT_EQ((*merged)->recording().header.events_lost, 3U);
    }
}

TEST(Split, StacksGoWithTheirEvents) {
    const Outcome outcome = split_image(timetable(), by(SplitBy::count, 5));
    for (const Image& file : outcome.files) {
        std::vector<std::int64_t> sampled;
        for (const Told& one : told_by(file)) {
            if (one.header.hook_id == 0x0F2E) {
                sampled.push_back(one.time);
            } else if (one.header.hook_id == 0x1820) {
                EXPECT_THAT(sampled, testing::Contains(load_le<std::int64_t>(
                                         one.record.data() + one.record.size() - 40)));
            }
        }
    }
}

TEST(Split, PartsOfASizeHaveNoMoreBytesOfRecords) {
    const Image whole = timetable();
    const Outcome outcome = split_image(whole, by(SplitBy::size, 10'000));
    for (std::size_t i = 0; i < outcome.files.size(); ++i) {
        std::size_t bytes = 0;
        for (const Told& one : own_in(told_by(outcome.files[i]))) {
            bytes += format::padded(static_cast<std::uint32_t>(one.record.size()));
        }
        EXPECT_LE(bytes, 10'000U + 80); // the stack of the last event
        if (i + 1 < outcome.files.size()) {
            EXPECT_GT(bytes, 10'000U - 400);
        }
    }
}

TEST(Split, WindowsOfTimeBeginWithTheTrace) {
    const Outcome outcome = split_image(timetable(), by(SplitBy::time, second / 10));
    for (std::size_t i = 0; i < outcome.parts.size(); ++i) {
        const auto window = std::get<PartKey::Window>(outcome.parts[i].key.value);
        EXPECT_EQ((window.from.ticks - story_start) % (second / 10), 0);
        EXPECT_EQ(window.to.ticks - window.from.ticks, second / 10);
        for (const Told& one : own_in(told_by(outcome.files[i]))) {
            const bool is_stack = one.header.hook_id == 0x1820; // goes with its event
            EXPECT_GE(one.time, window.from.ticks);
            EXPECT_LT(one.time, window.to.ticks + (is_stack ? second : 0));
        }
    }
}

TEST(Split, KeysSayWhatIsInAPart) {
    const Image whole = timetable();
    const Outcome by_cpu = split_image(whole, by(SplitBy::processor));
    ASSERT_EQ(by_cpu.parts.size(), 3U);
    EXPECT_EQ(by_cpu.parts[1].key, PartKey{PartKey::Processor{1}});
    EXPECT_EQ(by_cpu.parts[1].path, "part-2.etl");
    for (const Told& one : own_in(told_by(by_cpu.files[1]))) {
        EXPECT_EQ(one.processor, 1);
    }
    const Outcome by_provider = split_image(whole, by(SplitBy::provider));
    EXPECT_EQ(by_provider.parts[0].key, PartKey{canal});
    for (const Told& one : own_in(told_by(by_provider.files[0]))) {
        EXPECT_EQ(one.header.provider, canal);
    }
    const Outcome by_process = split_image(whole, by(SplitBy::process));
    // Samples tell of no process.
    ASSERT_EQ(by_process.parts.size(), 5U);
    EXPECT_EQ(by_process.parts[0].key, PartKey{PartKey::Process{1}});
    EXPECT_EQ(by_process.parts[4].key, PartKey{PartKey::Process{flow::no_id}});
    const Outcome by_count = split_image(whole, by(SplitBy::count, 600));
    ASSERT_EQ(by_count.parts.size(), 2U);
    EXPECT_EQ(by_count.parts[1].key, (PartKey{PartKey::Range{601, 900}}));
}

TEST(Split, ProcessesAreThoseThatTheCallerNames) {
    const Image whole = timetable();
    SplitOptions options = by(SplitBy::process);
    options.process_of = [](const flow::Event& event) {
        constexpr std::size_t thread_offset = 8;
        const flow::EventHeader header = flow::read_header(event);
        const bool is_sample = header.is_kernel && header.hook_id == 0x0F2E;
        return is_sample ? load_le<std::uint32_t>(header.payload.data() + thread_offset) / 10
                         : header.process_id;
    };
    const Outcome outcome = split_image(whole, options);
    expect_partition(whole, outcome, true);
    ASSERT_EQ(outcome.parts.size(), 4U) << "every sample has a process, and takes its stack along";
    for (std::size_t i = 0; i < outcome.parts.size(); ++i) {
        const auto process = static_cast<std::uint32_t>(i + 1);
        EXPECT_EQ(outcome.parts[i].key, PartKey{PartKey::Process{process}});
        EXPECT_EQ(outcome.parts[i].events % 3, 0U);
    }
    options.context = SplitContext::none;
    expect_partition(whole, split_image(whole, options), false);
}

TEST(Split, HeadersAreThoseOfTheWholeButForTheEnd) {
    const Image whole = timetable();
    const Outcome outcome =
        split_image(whole, {.by = SplitBy::count, .limit = 300, .context = SplitContext::none});
    const auto header = [](const Image& file) { return content_of(file).info.header; };
    EXPECT_EQ(header(outcome.files[1]).session_name, u"Timetable");
    EXPECT_EQ(header(outcome.files[1]).start_time, header(whole).start_time);
    EXPECT_LT(header(outcome.files[0]).end_time, header(outcome.files[1]).end_time);
    EXPECT_EQ(header(outcome.files[0]).events_lost, 3U);
    EXPECT_EQ(header(outcome.files[1]).events_lost, 0U);
}

TEST(Split, OfContextAloneThereIsOnePart) {
    Story story(1);
    story.add(process_record(0, Life::rundown_at_start, 1, "signal.exe"));
    const Image whole = story.finish();
    const Outcome outcome = split_image(whole, by(SplitBy::process));
    ASSERT_EQ(outcome.parts.size(), 1U);
    EXPECT_EQ(outcome.parts[0].context, 1U);
    EXPECT_EQ(told_by(outcome.files[0]), told_by(whole));
}

TEST(Split, OfNothingThereIsNoPart) {
    Story story(1);
    const Outcome outcome = split_image(story.finish(), by(SplitBy::count, 5));
    EXPECT_FALSE(outcome.error);
    EXPECT_THAT(outcome.parts, IsEmpty());
}

TEST(Split, MorePartsThanCanBeOpenAreMadeInSeveralPasses) {
    const Image whole = timetable();
    SplitOptions options = by(SplitBy::count, 1);
    const Outcome outcome = split_image(whole, options);
    EXPECT_GT(outcome.parts.size(), 2 * limits::split_parts_at_once);
    expect_partition(whole, outcome, true);
    options.context = SplitContext::none;
    expect_partition(whole, split_image(whole, options), false);
}

/// Counts one trace and writes another.
Result<std::vector<Part>> split_two(const Image& counted, const Image& written, bool with_context) {
    io::MemoryFiles files;
    SplitOptions options = by(SplitBy::count, 20);
    options.context = with_context ? SplitContext::copied : SplitContext::none;
    options.writer.files = &files;
    options.writer.recording = trace::begin_recording({story_start}, 1);
    options.writer.recording->header.log_file_name = u"part.etl";
    options.writer.file.buffer_size = 1024;
    bool is_first = true;
    const auto open = [&]() -> Result<std::unique_ptr<flow::Source>> {
        return trace::Reader::open(in_memory(std::exchange(is_first, false) ? counted : written));
    };
    return split(open, "part-%d.etl", options);
}

TEST(Split, RefusesASourceThatIsAnotherTheNextTime) {
    for (const bool with_context : {true, false}) {
        ASSERT_TRUE(split_two(small_story(30, 10), small_story(30, 10), with_context));
        for (const int count : {5, 20, 29, 31, 40}) {
            SCOPED_TRACE(count);
            const auto parts = split_two(small_story(30, 10), small_story(count, 10), with_context);
            ASSERT_FALSE(parts);
            EXPECT_EQ(parts.error().code, ErrorCode::malformed);
        }
        // The file of the last part is closed when one more comes.
        EXPECT_FALSE(split_two(small_story(20, 10), small_story(21, 10), with_context));
    }
}

TEST(Split, CountsWhatNoBufferHoldsAsLost) {
    const auto parts = split_two(small_story(30, 10), small_story(30, 3000), false);
    ASSERT_TRUE(parts);
    ASSERT_EQ(parts->size(), 2U);
    EXPECT_EQ((*parts)[0].events, 20U);
    EXPECT_EQ((*parts)[0].lost, 0U);
    EXPECT_EQ((*parts)[1].events, 9U);
    EXPECT_EQ((*parts)[1].lost, 1U);
}

/// The same run again and again: nothing but a limit ends it.
class LongRun final : public flow::Source {
public:
    LongRun(flow::Run run, int times) : run_(run), left_(times) {}

    flow::Run next_run() override { return left_-- > 0 ? run_ : flow::Run{}; }

    flow::Pin pin() const override { return {}; }

    const Error* error() const noexcept override { return nullptr; }

private:
    flow::Run run_;
    int left_;
};

TEST(Split, StopsAtTheMostPartsWithinARun) {
    const auto reader = trace::Reader::open(in_memory(small_story(3, 10)));
    flow::EventCursor cursor(**reader);
    cursor.next(); // the log file header
    const flow::Event* const event = cursor.next();
    ASSERT_NE(event, nullptr);
    const std::vector<flow::Event> events(limits::split_parts + 10'000, *event);
    io::MemoryFiles files;
    SplitOptions options = by(SplitBy::count, 1);
    options.writer.files = &files;
    const auto open = [&]() -> Result<std::unique_ptr<flow::Source>> {
        return std::make_unique<LongRun>(flow::Run(events), 1);
    };
    const auto parts = split(open, "part-%d.etl", options);
    ASSERT_FALSE(parts);
    EXPECT_EQ(parts.error().code, ErrorCode::limit);
    EXPECT_EQ(parts.error().have, limits::split_parts + 1);
    EXPECT_THAT(files.files(), IsEmpty());
}

TEST(Split, RefusesWhatMakesNoSense) {
    const Image whole = timetable();
    const auto open = [&]() -> Result<std::unique_ptr<flow::Source>> {
        return trace::Reader::open(in_memory(whole));
    };
    io::MemoryFiles files;
    for (const char* pattern : {"part.etl", "%d-%d.etl", "%x-%d.etl", "%d%%.etl"}) {
        SplitOptions options = by(SplitBy::process);
        options.writer.files = &files;
        const auto parts = split(open, pattern, options);
        ASSERT_FALSE(parts) << pattern;
        EXPECT_EQ(parts.error().code, ErrorCode::invalid_option);
    }
    for (const SplitBy key : {SplitBy::size, SplitBy::time, SplitBy::count}) {
        SplitOptions options = by(key);
        options.writer.files = &files;
        EXPECT_EQ(split(open, "%d.etl", options).error().code, ErrorCode::invalid_option);
    }
    EXPECT_THAT(files.files(), IsEmpty());
}

} // namespace
} // namespace etl::relog
