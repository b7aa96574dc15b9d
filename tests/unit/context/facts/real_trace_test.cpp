// Against a trace of a real machine, where it is at hand. Nothing of its content is quoted.
#include "facts/annotator.hpp"
#include "facts/attributor.hpp"
#include "tests/support/folders.hpp"
#include "tests/unit/context/facts/facts_of.hpp"

#include <filesystem>

namespace etl::facts::real_trace_test {
namespace {

struct Share {
    std::size_t events = 0, with_process = 0, with_stack = 0, with_frames = 0;
};

TEST(RealTrace, SamplesGetTheirProcessesAndStacks) {
    const std::string path = test::shared_corpus() + "/traceevent/net.4.5.2.x64.etl";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "no " << path;
    }
    auto file = io::InputFile::map(path);
    ASSERT_TRUE(file);
    auto reader = trace::Reader::open(*file);
    ASSERT_TRUE(reader);
    auto all = std::make_shared<FactsByTrace>();
    all->push_back(facts_of(**reader, 2));
    const Counts& counts = all->front().counts();
    EXPECT_EQ(counts.unknown_keys, 0U);
    EXPECT_EQ(counts.dropped_names + counts.dropped_lifetimes + counts.dropped_stacks, 0U);
    Annotator annotator(all);
    decode::Decoder decoder(kernel_store());
    flow::EventCursor events(**reader);
    Share samples, reads;
    std::size_t parts_in_place = 0, parts = 0;
    while (const flow::Event* event = events.next()) {
        const decode::DecodedEvent& decoded = decoder.decode(*event);
        const Notes& notes = annotator.annotate(decoded, decoder.generation());
        const std::uint16_t hook = decoded.header.is_kernel ? decoded.header.hook_id : 0;
        constexpr std::uint16_t sample = 0x0F2E, read_begins = 0x010C;
        if (hook != sample && hook != read_begins) {
            continue;
        }
        Share& share = hook == sample ? samples : reads;
        ++share.events;
        share.with_process += notes.process.empty() ? 0U : 1U;
        share.with_stack += notes.stack.empty() ? 0U : 1U;
        share.with_frames += notes.frames.empty() ? 0U : 1U;
        for (const StackPart& part : all->front().stacks(event->raw_time)) {
            const bool is_kernel = all->front().frames(part).front() >> 63U != 0;
            ++parts;
            parts_in_place += is_kernel == (part.where == StackPart::Where::kernel) ? 1U : 0U;
        }
    }
    // The independent join of the trace's records gives the same numbers.
    EXPECT_EQ(samples.events, 79'528U);
    EXPECT_EQ(reads.events, 1'208U);
    EXPECT_EQ(reads.with_stack, 1'208U);
    EXPECT_EQ(reads.with_process, 1'208U);
    EXPECT_EQ(samples.with_stack, 6'318U);
    EXPECT_EQ(samples.with_process, samples.events);
    EXPECT_EQ(parts_in_place, parts) << "each key means frames of the side that refers to it";
    EXPECT_EQ(reads.with_frames, 1'208U);
    EXPECT_GE(samples.with_frames, 6'000U) << "of nearly all stacks an image is known";
    EXPECT_EQ(counts.processes, 35U);
    EXPECT_GE(counts.images, 1'800U);
    EXPECT_GE(counts.files, 3'000U);
    EXPECT_GE(counts.stacks, 9'000U);
    EXPECT_LT(counts.distinct_stacks, counts.stacks);
}

TEST(RealTrace, EventsAreAttributedToProcesses) {
    const std::string path = test::shared_corpus() + "/traceevent/net.4.5.2.x64.etl";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "no " << path;
    }
    auto file = io::InputFile::map(path);
    ASSERT_TRUE(file);
    auto reader = trace::Reader::open(*file);
    ASSERT_TRUE(reader);
    auto all = std::make_shared<FactsByTrace>();
    all->push_back(facts_of(**reader, 2));
    Attributor attributor(all, kernel_store());
    flow::EventCursor events(**reader);
    std::size_t unattributed = 0, samples = 0, by_header = 0, attributed = 0;
    while (const flow::Event* event = events.next()) {
        const Attribution about = attributor.attribute(*event);
        const flow::EventHeader header = flow::read_header(*event);
        unattributed += about.is_complete ? 0U : 1U;
        attributed += about.process != flow::no_id ? 1U : 0U;
        by_header += header.process_id != flow::no_id ? 1U : 0U;
        samples += header.is_kernel && header.hook_id == 0x0F2E && about.process != flow::no_id;
    }
    // An independent computation from the offsets of the fields gives the same numbers. Without
    // its manifest, an event of Microsoft-Windows-Kernel-Process is not attributed.
    EXPECT_EQ(samples, 79'528U);
    EXPECT_EQ(by_header, 79'317U);
    EXPECT_GE(attributed, 172'000U);
    EXPECT_LE(unattributed, 20U);
}

} // namespace
} // namespace etl::facts::real_trace_test
