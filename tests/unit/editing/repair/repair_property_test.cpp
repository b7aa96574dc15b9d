// What holds of every repair, whatever happened to the file.
#include "tests/support/traces/canal_story.hpp"
#include "tests/unit/editing/repair/repaired.hpp"

#include <random>

namespace etl::repair::repair_property_test {
namespace {

using namespace test;

/// Two processors, buffers of 1 KB, three events each.
Image small_story(codec::Format compression) {
    TraceFacts facts;
    facts.lineage =
        compression == codec::Format::none ? trace::Lineage::session : trace::Lineage::relogger;
    facts.reference_time = 0;
    facts.processors = 2;
    facts.buffer_size = 0x400;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= 4; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 2),
                                     .time_stamp = 10 * i + 9,
                                     .compression = compression});
        for (std::uint16_t k = 0; k < 3; ++k) {
            buffer.add(
                format::EventRecord{.time = 10 * i + k,
                                    .descriptor = {.id = static_cast<std::uint16_t>(10 * i + k)},
                                    .payload = noise(5U + k, i)});
        }
    }
    return trace.build();
}

std::size_t count(const Streams& streams) {
    std::size_t records = 0;
    for (const auto& [processor, stream] : streams) {
        records += stream.size();
    }
    return records;
}

bool is_prefix(const Streams& part, const Streams& whole) {
    return std::ranges::all_of(part, [&](const auto& stream) {
        const auto found = whole.find(stream.first);
        return stream.second.empty() ||
               (found != whole.end() && stream.second.size() <= found->second.size() &&
                std::equal(stream.second.begin(), stream.second.end(), found->second.begin()));
    });
}

/// Repairs a cut file and holds it against what a reader sees in it.
void expect_prefix(const Image& whole, const Streams& original, std::size_t size) {
    SCOPED_TRACE(size);
    const Image cut = truncate_at(whole, size);
    const Content read = content_of(cut);
    const Repaired made = repaired(cut);
    ASSERT_EQ(made.error.has_value(), read.error.has_value());
    if (made.error) {
        return;
    }
    expect_clean(made.file);
    const Content now = content_of(made.file);
    EXPECT_EQ(now.streams, read.streams);
    EXPECT_TRUE(is_prefix(now.streams, original));
    // What is missing is told. A file without its last buffers that was never finished tells
    // nothing of them.
    if (count(now.streams) < count(original) && read.info.has_header && !read.info.is_unfinalized) {
        EXPECT_FALSE(made.report.is_complete);
    }
}

TEST(RepairProperty, AFileCutAtAnyByteGivesAPrefixOfTheOriginal) {
    for (const auto compression : {codec::Format::none, codec::Format::xpress}) {
        const Image whole = small_story(compression);
        const Streams original = content_of(whole).streams;
        for (std::size_t size = 0; size <= whole.size(); ++size) {
            expect_prefix(whole, original, size);
        }
    }
}

TEST(RepairProperty, EveryShapeOfFileCutAnywhereGivesAPrefix) {
    std::mt19937 random(7);
    for (const FileShape& shape : file_shapes()) {
        if (shape.options.mode == trace::FileMode::circular ||
            shape.options.mode == trace::FileMode::append) {
            continue; // the end of the file is not the end of the story
        }
        SCOPED_TRACE(shape.name);
        io::MemoryFiles files;
        write_shape(shape, "", files);
        for (const auto& [name, file] : files.files()) {
            const Streams original = content_of(file).streams;
            for (int i = 0; i < 20; ++i) {
                expect_prefix(file, original, random() % (file.size() + 1));
            }
        }
    }
}

TEST(RepairProperty, AnUndamagedTraceKeepsItsEventsAndBuffers) {
    for (const auto& path : corpus_files("good")) {
        SCOPED_TRACE(path);
        const Image file = image_of(path);
        const Content before = content_of(file);
        ASSERT_FALSE(before.error);
        const Repaired made = repaired(file);
        ASSERT_FALSE(made.error);
        EXPECT_TRUE(made.losses().empty());
        EXPECT_TRUE(made.report.is_complete);
        expect_clean(made.file);
        const Content after = content_of(made.file);
        EXPECT_EQ(after.streams, before.streams);
        EXPECT_EQ(after.buffers.size(), before.buffers.size());
        const auto header = [](const Content& content) { return content.info.header; };
        EXPECT_EQ(header(after).start_time, header(before).start_time);
        EXPECT_EQ(header(after).session_name, header(before).session_name);
        EXPECT_EQ(header(after).events_lost, header(before).events_lost);
        if (!before.info.is_unfinalized) {
            EXPECT_EQ(header(after).end_time, header(before).end_time);
        }
    }
}

TEST(RepairProperty, RepairingTwiceChangesNothing) {
    for (const char* folder : {"good", "damaged"}) {
        for (const auto& path : corpus_files(folder)) {
            SCOPED_TRACE(path);
            const Repaired once = repaired(image_of(path));
            ASSERT_FALSE(once.error);
            const Repaired twice = repaired(once.file);
            ASSERT_FALSE(twice.error);
            EXPECT_TRUE(twice.losses().empty());
            EXPECT_TRUE(twice.report.corrections.empty()) << twice.report.corrections.front();
            EXPECT_EQ(twice.file, once.file);
        }
    }
}

Image hurt(Image file, std::mt19937& random) {
    const auto pick = [&](std::size_t below) { return random() % below; };
    const std::size_t at = pick(file.size());
    const std::size_t size = std::min(file.size() - at, 1 + pick(1500));
    const auto first = file.begin() + static_cast<std::ptrdiff_t>(at);
    const auto last = first + static_cast<std::ptrdiff_t>(size);
    switch (pick(4)) {
    case 0:
        for (std::size_t i = 0, n = 1 + pick(8); i < n; ++i) {
            file[pick(file.size())] ^= std::byte{1} << pick(8);
        }
        break;
    case 1:
        std::fill(first, last, std::byte{0});
        break;
    case 2:
        std::generate(first, last, [&] { return static_cast<std::byte>(pick(256)); });
        break;
    default:
        file.erase(first, last);
        break;
    }
    return file;
}

TEST(RepairProperty, WhateverHappensToAFileTheOutputIsClean) {
    std::mt19937 random(20240517);
    for (const auto& path : corpus_files("good")) {
        SCOPED_TRACE(path);
        const Image file = image_of(path);
        for (int i = 0; i < 60; ++i) {
            SCOPED_TRACE(i);
            const Image damaged = hurt(file, random);
            const Content read = content_of(damaged);
            const Repaired made = repaired(damaged);
            ASSERT_EQ(made.error.has_value(), read.error.has_value());
            if (!made.error) {
                expect_clean(made.file);
                EXPECT_GE(count(content_of(made.file).streams), count(read.streams));
            }
        }
    }
}

TEST(RepairProperty, ThreadsDoNotChangeTheOutput) {
    for (const auto& path : corpus_files("damaged")) {
        const Image file = image_of(path);
        EXPECT_EQ(repaired(file, {.threads = 4}).file, repaired(file).file) << path;
    }
}

} // namespace
} // namespace etl::repair::repair_property_test
