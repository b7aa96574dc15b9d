// Names of code in a trace of a real machine, where it is at hand. Nothing of its content is
// quoted.
#include "base/cursor.hpp"
#include "base/text.hpp"
#include "facts/frame_names.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/runtime_records.hpp"
#include "tests/unit/context/facts/facts_of.hpp"

#include <filesystem>
#include <map>

namespace etl::facts::real_code_test {
namespace {

/// A method as its record describes it, read at the offsets of the layout.
struct Range {
    std::uint64_t begin = 0, end = 0;
    std::string name; // `Type.Method(`
};

/// By process and first byte; the greatest size is that of no method.
using Ranges = std::map<std::uint32_t, std::multimap<std::uint64_t, Range>>;

constexpr std::uint64_t greatest_method = 1U << 20U;

class RealCode : public testing::Test {
protected:
    void SetUp() override {
        const std::string path = test::shared_corpus() + "/traceevent/net.4.5.2.x64.etl";
        if (!std::filesystem::exists(path)) {
            GTEST_SKIP() << "no " << path;
        }
        auto file = io::InputFile::map(path);
        ASSERT_TRUE(file);
        auto opened = trace::Reader::open(*file);
        ASSERT_TRUE(opened);
        facts = facts_of(**opened, 2);
        input = *file;
    }

    /// Calls `use` with each event and its header.
    template <typename Use>
    void for_each_event(Use use) const {
        const auto reader = trace::Reader::open(input);
        ASSERT_TRUE(reader);
        for (flow::EventCursor events(**reader); const flow::Event* event = events.next();) {
            use(*event, flow::read_header(*event));
        }
    }

    std::shared_ptr<const io::InputFile> input;
    Facts facts;
};

bool is_sample(const flow::EventHeader& header) {
    return header.is_kernel && header.hook_id == 0x0F2E;
}

void add_method(Ranges& ranges, const flow::EventHeader& header) {
    Cursor in(header.payload);
    in.bytes("IDs", 16);
    Range range;
    range.begin = in.u64("start");
    range.end = range.begin + in.u32("size");
    in.bytes("token, flags", 8);
    append_utf16le(range.name, in.zero_terminated16("type"));
    range.name.push_back('.');
    append_utf16le(range.name, in.zero_terminated16("name"));
    range.name.push_back('(');
    ASSERT_TRUE(in);
    ASSERT_LT(range.end - range.begin, greatest_method);
    ranges[header.process_id].emplace(range.begin, range);
}

/// All ranges that contain an address, at any time.
std::vector<const Range*> ranges_at(const Ranges& ranges, std::uint32_t process,
                                    std::uint64_t address) {
    std::vector<const Range*> all;
    const auto of_process = ranges.find(process);
    if (of_process == ranges.end()) {
        return all;
    }
    const auto last = of_process->second.upper_bound(address);
    for (auto at = of_process->second.lower_bound(address - std::min(address, greatest_method));
         at != last; ++at) {
        if (address < at->second.end) {
            all.push_back(&at->second);
        }
    }
    return all;
}

bool is_one_of(std::string_view text, const std::vector<const Range*>& ranges) {
    return std::ranges::any_of(ranges, [&](const Range* range) {
        return text.find(range->name) != std::string_view::npos;
    });
}

TEST_F(RealCode, EverySampleInAMethodIsNamed) {
    Ranges ranges;
    for_each_event([&](const flow::Event&, const flow::EventHeader& header) {
        const bool is_method = header.provider == runtime_guid || header.provider == rundown_guid;
        if (is_method && !header.is_kernel && (header.id == 143 || header.id == 144)) {
            add_method(ranges, header);
        }
    });
    std::size_t samples = 0, managed = 0, named = 0, with_module = 0;
    for_each_event([&](const flow::Event& event, const flow::EventHeader& header) {
        if (!is_sample(header)) {
            return;
        }
        ++samples;
        Cursor in(header.payload);
        const std::uint64_t address = in.u64("address");
        const std::uint32_t process = facts.process_of_thread(in.u32("thread"), event.raw_time);
        const auto expected = ranges_at(ranges, process, address);
        if (expected.empty()) {
            return;
        }
        ++managed;
        std::string name;
        FrameNames().append(name, facts, {process, address, event.raw_time, false});
        named += is_one_of(name, expected) ? 1U : 0U;
        with_module +=
            name.find(".dll!") != std::string::npos || name.find(".exe!") != std::string::npos ? 1U
                                                                                               : 0U;
    });
    EXPECT_EQ(samples, 79'528U);
    EXPECT_EQ(managed, 4'494U);
    EXPECT_EQ(named, managed);
    EXPECT_EQ(with_module, 4'494U);
}

TEST_F(RealCode, ImagesHaveTheirIdentities) {
    std::size_t with_pdb = 0, with_stamp = 0, with_il = 0, with_name = 0;
    const std::vector<Image> images = facts.images();
    for (const Image& image : images) {
        with_pdb += image.pdb ? 1U : 0U;
        with_il += image.il_pdb ? 1U : 0U;
        with_stamp += image.time_date_stamp != 0 ? 1U : 0U;
        with_name += image.original_name.empty() ? 0U : 1U;
        EXPECT_LE(image.begin, image.end);
    }
    EXPECT_EQ(images.size(), 1'801U);
    // An independent join of the trace's records by process and base has the same numbers.
    EXPECT_EQ(with_pdb, 1'770U);
    EXPECT_EQ(with_il, 22U);
    EXPECT_EQ(with_stamp, 1'801U);
    EXPECT_EQ(with_name, 1'798U);
    EXPECT_EQ(facts.dos_path("\\SystemRoot\\x"), "C:\\Windows\\x");
}

TEST_F(RealCode, StacksBeginWhereTheSampleWasTaken) {
    std::size_t samples = 0, equal = 0;
    for_each_event([&](const flow::Event& event, const flow::EventHeader& header) {
        if (!is_sample(header)) {
            return;
        }
        Cursor in(header.payload);
        const std::uint64_t address = in.u64("address");
        const std::uint32_t thread = in.u32("thread");
        for (const StackPart& part : facts.stacks(event.raw_time)) {
            if (part.thread == thread) {
                ++samples;
                equal += facts.frames(part).front() == address ? 1U : 0U;
                break;
            }
        }
    });
    EXPECT_EQ(facts.counts().unknown_keys, 0U);
    EXPECT_EQ(samples, 6'318U);
    EXPECT_EQ(equal, 6'316U) << "of all keys; two stack records without key begin elsewhere";
    EXPECT_EQ(facts.counts().shared_stacks, 307U) << "kernel parts of programs without user part";
}

} // namespace
} // namespace etl::facts::real_code_test
