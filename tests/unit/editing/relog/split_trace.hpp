// A trace to split, and what its parts tell.
#pragma once

#include "flow/context.hpp"
#include "relog/split.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "tests/support/traces/written.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace etl::test {

using namespace literals;

inline constexpr std::int64_t second = 10'000'000;
inline constexpr Guid canal = "87bfca0e-1c0b-5c34-4101-c4374a8602cc"_guid;
inline constexpr Guid railway = "11111111-2222-3333-4444-555555555555"_guid;

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

inline constexpr int own_events = 900;

/// Processes are told of at the beginning and the end, an image in between; two providers, and
/// samples with their stacks.
inline Image timetable() {
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
    std::vector<relog::Part> parts;
    std::vector<Image> files; // in the order of parts
};

inline Outcome split_image(const Image& image, relog::SplitOptions options) {
    const auto file = in_memory(image);
    auto reader = trace::Reader::open(file);
    io::MemoryFiles files;
    options.writer.files = &files;
    options.writer.recording = trace::recording_of((*reader)->info());
    options.writer.file.buffer_size = 4096;
    const auto open = [&]() -> Result<std::unique_ptr<flow::Source>> {
        return trace::Reader::open(file);
    };
    auto parts = relog::split(open, "part-%d.etl", options);
    if (!parts) {
        EXPECT_THAT(files.files(), testing::IsEmpty());
        return {.error = parts.error(), .parts = {}, .files = {}};
    }
    Outcome outcome{.error = {}, .parts = *std::move(parts), .files = {}};
    EXPECT_EQ(files.files().size(), outcome.parts.size());
    for (const relog::Part& part : outcome.parts) {
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

inline std::vector<Told> told_by(flow::Source& source) {
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
inline std::vector<Told> told_by(const Image& image) {
    auto reader = trace::Reader::open(in_memory(image));
    std::vector<Told> all = told_by(**reader);
    std::erase_if(all,
                  [](const Told& one) { return one.header.is_kernel && one.header.hook_id == 0; });
    return all;
}

inline std::vector<Told> context_in(std::vector<Told> all) {
    std::erase_if(all, [](const Told& one) { return !one.is_context; });
    return all;
}

inline std::vector<Told> own_in(std::vector<Told> all) {
    std::erase_if(all, [](const Told& one) { return one.is_context; });
    return all;
}

inline void expect_whole(const Image& file) {
    const Written written = read_written(file);
    EXPECT_FALSE(written.error);
    EXPECT_EQ(written.damage, 0U);
    for (const std::string& finding : written.checked) {
        EXPECT_EQ(finding, "the session lost events or buffers");
    }
    EXPECT_FALSE(written.info.is_unfinalized);
}

/// Every part is whole, has all context, and together they have everything else once.
inline void expect_partition(const Image& whole, const Outcome& outcome, bool with_context) {
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

inline relog::SplitOptions by(relog::SplitBy key, std::uint64_t limit = 0) {
    return {.by = key, .limit = limit};
}

inline const relog::SplitOptions every_way[] = {
    by(relog::SplitBy::size, 20'000), by(relog::SplitBy::time, second / 10),
    by(relog::SplitBy::count, 77),    by(relog::SplitBy::provider),
    by(relog::SplitBy::process),      by(relog::SplitBy::processor)};

} // namespace etl::test
