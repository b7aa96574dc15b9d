#include "profiles/gzip_output.hpp"
#include "profiles/profile.hpp"
#include "profiles/proto.hpp"
#include "tests/unit/outputs/profiles/shown.hpp"

#include <zlib.h>

namespace etl::profiles::profiles_test {
namespace {

using namespace etl::analysis;

constexpr std::uint64_t ntdll = 0x7FFA00000000, kettle = 0x7FF600000000, nt = 0xFFFFF80000000000;

/// Records what an analyzer shows.
class Recorder final : public ActivitySink {
public:
    void start(const ActivityContext& context) override { context_ = context; }

    /// `THREAD: innermost, ... outermost (END)`
    void sample(const ThreadSample& sample) override {
        const ActivityThread& thread = (*context_.threads)[sample.thread];
        std::string line = context_.owner_of(thread).name.value_or("?") + ' ' +
                           std::to_string(thread.id.value_or(0)) + ' ' + thread.name + ':';
        for (const FrameRef frame : sample.stack.frames) {
            line += ' ';
            context_.frames->function((*context_.frames)[frame].function).append_to(line);
        }
        lines.push_back(line + ' ' + std::string(label(sample.stack.end)));
    }

    void finish() override { ++finished; }

    std::vector<std::string> lines;
    int finished = 0;

private:
    ActivityContext context_;
};

std::string profile_of(std::string_view format, const std::vector<KernelRecord>& records) {
    StringOutput output;
    const auto writer = find_format(format)->make(output, {.exporter = "test", .title = "made"});
    show(records, *writer);
    EXPECT_EQ(writer->error(), nullptr);
    return output.text();
}

KernelRecord stack_of(std::int64_t event, const std::vector<std::uint64_t>& frames) {
    ByteWriter payload;
    payload.value(event).u32(100).u32(104);
    for (const std::uint64_t frame : frames) {
        payload.u64(frame);
    }
    return kernel_record(0x1820, 2, event + 1, payload);
}

std::vector<KernelRecord> in_kitchen(std::vector<KernelRecord> records) {
    std::vector<KernelRecord> all = tea_kitchen();
    all.push_back(image_record(t0, Life::rundown_at_start, 100, ntdll, 0x1000, u"\\ntdll.dll"));
    all.push_back(image_record(t0, Life::rundown_at_start, 100, kettle, 0x1000, u"\\kettle.exe"));
    all.push_back(image_record(t0, Life::rundown_at_start, 0, nt, 0x1000, u"\\ntoskrnl.exe"));
    all.insert(all.end(), records.begin(), records.end());
    return all;
}

std::string unpacked(std::string_view packed) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, gzip_only), Z_OK);
    std::string in(packed), out(1U << 24U, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

TEST(Activity, SamplesHaveNamedStacks) {
    Recorder recorder;
    show(in_kitchen({sample_in(t0 + 10, nt + 0x10, 104),
                     stack_of(t0 + 10, {nt + 0x10, nt + 0x20, kettle + 0x30, ntdll + 0x40}),
                     sample_in(t0 + 20, kettle + 0x10, 104), // no stack
                     sample_in(t0 + 30, kettle + 0x10, 104), // broken
                     stack_of(t0 + 30, {kettle + 0x10, kettle + 0x20}),
                     sample_in(t0 + 40, nt + 0x10, 104), // the kernel alone
                     stack_of(t0 + 40, {nt + 0x10, nt + 0x20}), sample_in(t0 + 50, nt, 0)}),
         recorder);
    EXPECT_EQ(recorder.finished, 1);
    EXPECT_EQ(recorder.lines,
              (Rows{"kettle.exe 104 : ntoskrnl.exe!0x10 ntoskrnl.exe!0x20 kettle.exe!0x30 "
                    "ntdll.dll!0x40 ",
                    "kettle.exe 104 : kettle.exe!0x10 (no stack)",
                    "kettle.exe 104 : kettle.exe!0x10 kettle.exe!0x20 (incomplete)",
                    "kettle.exe 104 : ntoskrnl.exe!0x10 ntoskrnl.exe!0x20 (no user stack)"}));
}

TEST(Activity, AStackOfTheGreatestLengthMayBeTruncated) {
    Recorder recorder;
    const std::vector<std::uint64_t> max(192, ntdll + 0x40);
    show(in_kitchen({sample_in(t0 + 10, ntdll + 0x40, 104), stack_of(t0 + 10, max)}), recorder);
    ASSERT_EQ(recorder.lines.size(), 1U);
    EXPECT_TRUE(recorder.lines[0].ends_with("(truncated)"));
}

// A sampled address and the address to which a call returns can be equal.
TEST(Activity, AddressesOfCallersAreInTheirCalls) {
    const std::string profile = profile_of(
        "firefox", in_kitchen({sample_in(t0 + 10, kettle + 0x20, 104),
                               stack_of(t0 + 10, {kettle + 0x20, kettle + 0x20, ntdll + 0x40})}));
    EXPECT_THAT(profile, testing::HasSubstr(",32,31,63]"));
}

TEST(Activity, ThreadsHaveTheirNames) {
    ByteWriter payload;
    payload.u32(100).u32(104).zero_terminated16(u"main \x202E\xD800");
    Recorder recorder;
    show(in_kitchen({kernel_record(0x0548, 2, t0 + 5, payload), sample_in(t0 + 10, nt, 104)}),
         recorder);
    ASSERT_EQ(recorder.lines.size(), 1U);
    EXPECT_TRUE(recorder.lines[0].starts_with("kettle.exe 104 main \u202E\uFFFD:"))
        << recorder.lines[0];
}

TEST(Activity, NothingIsWrittenWithoutSamples) {
    for (const Format& format : formats()) {
        StringOutput output;
        const auto writer = format.make(output, {});
        const Table table = show(tea_kitchen(), *writer);
        if (format.is_samples_only) {
            EXPECT_EQ(output.text(), "") << format.name;
        }
        EXPECT_THAT(missing_of(table), testing::Contains("samples"));
    }
}

TEST(StackTable, KeepsEachStackOnce) {
    StackTable tree;
    const FrameRef frames[] = {9, 8, 7};
    const StackRef whole = tree.add({.frames = frames});
    EXPECT_EQ(tree.add({.frames = frames}), whole);
    EXPECT_EQ(tree[whole].frame, 9U);
    EXPECT_EQ(tree[tree[tree[whole].parent].parent].parent, StackTable::root);
    const StackRef marked = tree.add({.frames = frames, .end = StackEnd::incomplete});
    EXPECT_NE(marked, whole);
    for (FrameRef frame = 0; frame < 10'000; ++frame) {
        EXPECT_EQ(tree[tree.child(whole, frame)].parent, whole);
    }
    EXPECT_EQ(tree.size(), 2U + 3 + 4 + 10'000);
    EXPECT_EQ(tree.add({.frames = frames}), whole);
}

// A frame and a function for each of more addresses than are kept.
TEST(Limits, ManyNamesStayBounded) {
    TraceFacts facts;
    facts.buffer_size = 0x10000;
    TraceBuilder trace(facts);
    constexpr std::uint64_t more = 5, in_buffer = 1024;
    BufferBuilder* buffer = nullptr;
    for (std::uint64_t i = 0; i < etl::analysis::limits::analysis_frames + more; ++i) {
        buffer = i % in_buffer == 0 ? &trace.buffer() : buffer;
        sample_in(t0 + static_cast<std::int64_t>(i), 0x1000 + i, 104).add_to(*buffer);
    }
    NullOutput output;
    const auto writer = find_format("speedscope")->make(output, {});
    const Table table = show(trace.build(), *writer);
    // The markers, and all others.
    EXPECT_EQ(remainder_of(table, "dropped_frames"), more + 5);
    EXPECT_LT(output.bytes(), 200U << 20U);
}

TEST(Gzip, ContentComesBack) {
    StringOutput output;
    GzipOutput gzip(output);
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
        text += std::to_string(i * 7919);
    }
    EXPECT_TRUE(gzip.write(text));
    EXPECT_TRUE(gzip.write(""));
    EXPECT_TRUE(gzip.write("end"));
    EXPECT_TRUE(gzip.finish());
    EXPECT_EQ(unpacked(output.text()), text + "end");
}

TEST(Protobuf, NumbersAndTexts) {
    std::string text;
    Proto(text).number(1, 150U).number(2, -1).zigzag(3, -2).bytes(16, "tea");
    EXPECT_EQ(text, std::string("\x08\x96\x01"
                                "\x10\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"
                                "\x18\x03"
                                "\x82\x01\x03tea",
                                22));
}

TEST(Speedscope, NamesAreEscaped) {
    ByteWriter payload;
    payload.u32(100).u32(104).zero_terminated16(u"</script>\x01\" \xDC00");
    const std::string text = profile_of(
        "speedscope",
        in_kitchen({kernel_record(0x0548, 2, t0 + 5, payload), sample_in(t0 + 10, kettle, 104)}));
    EXPECT_NE(text.find("thread 104 </script>\\u0001\\\" \uFFFD\""), std::string::npos) << text;
}

TEST(Pprof, EqualStacksAreAdded) {
    const std::string one = unpacked(profile_of("pprof", in_kitchen({sample_in(t0, nt, 104)})));
    const std::string two =
        unpacked(profile_of("pprof", in_kitchen({sample_in(t0, nt, 104), sample_in(t0, nt, 104)})));
    EXPECT_EQ(one.size(), two.size());
    EXPECT_NE(one, two);
}

KernelRecord counter_sample(std::int64_t time, std::uint64_t address, std::uint16_t source) {
    ByteWriter payload;
    payload.u64(address).u32(104).u16(source).u16(0);
    return kernel_record(0x0F2F, 2, time, payload);
}

/// Source 10 has an interval of 1,000 events.
std::vector<KernelRecord> with_counters() {
    ByteWriter payload;
    payload.u32(10).u32(1'000).u32(0);
    return in_kitchen({kernel_record(0x0F49, 2, t0 + 1, payload),
                       counter_sample(t0 + 10, kettle + 0x10, 10),
                       stack_of(t0 + 10, {kettle + 0x10, kettle + 0x20, ntdll + 0x40}),
                       counter_sample(t0 + 20, kettle + 0x10, 27)});
}

TEST(Counters, PprofHasATypeForEachSource) {
    std::vector<KernelRecord> records = with_counters();
    const std::string alone = unpacked(profile_of("pprof", records));
    for (const char* const text : {"10 (CacheMisses)", "events", "27", "kettle.exe!0x20"}) {
        EXPECT_THAT(alone, testing::HasSubstr(text));
    }
    EXPECT_THAT(alone, testing::Not(testing::HasSubstr("nanoseconds")));
    EXPECT_THAT(alone, testing::HasSubstr(std::string("\x12\x03\xE8\x07\x00", 5))); // 1000, 0
    records.push_back(sample_in(t0 + 30, kettle + 0x10, 104));
    EXPECT_THAT(unpacked(profile_of("pprof", records)), testing::HasSubstr("nanoseconds"));
}

TEST(Counters, TextFormatsNameTheSource) {
    for (const std::string_view format : {"speedscope", "firefox", "chrome"}) {
        const std::string text = profile_of(format, with_counters());
        EXPECT_THAT(text, testing::HasSubstr("10 (CacheMisses)")) << format;
        EXPECT_THAT(text, testing::HasSubstr("1000")) << format;
    }
    EXPECT_THAT(profile_of("perfetto", with_counters()), testing::HasSubstr("10 (CacheMisses)"));
}

TEST(Counters, TheyAreNoSamplesOfTime) {
    Recorder recorder;
    const Table table = show(with_counters(), recorder);
    EXPECT_EQ(recorder.lines, Rows{});
    EXPECT_EQ(rows_of(table, {"samples", "counter_samples"}), (Rows{"null 2"}));
    EXPECT_THAT(missing_of(table), testing::Contains("samples of time"));
}

/// More counters than a profile tells apart.
TEST(Counters, ManySourcesAreOne) {
    std::vector<KernelRecord> records;
    for (std::uint16_t source = 0; source < etl::analysis::limits::analysis_counter_sources + 9;
         ++source) {
        records.push_back(counter_sample(t0 + 10 + source, kettle, source));
    }
    const std::string text = profile_of("speedscope", in_kitchen(records));
    EXPECT_THAT(text, testing::HasSubstr("(other)"));
    EXPECT_THAT(text, testing::HasSubstr(": 62\""));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(": 63\"")));
    EXPECT_THAT(text, testing::HasSubstr("\"endValue\":10,"));
}

/// Fails after some bytes.
class FullDisk final : public Output {
public:
    Result<void> write(std::string_view) override { return fail(ErrorCode::io_failure, "full"); }
};

TEST(Profiles, ErrorsOfTheOutputAreKept) {
    for (const Format& format : formats()) {
        FullDisk disk;
        const auto writer = format.make(disk, {});
        show(in_kitchen({sample_in(t0 + 10, nt, 104)}), *writer);
        ASSERT_NE(writer->error(), nullptr) << format.name;
        EXPECT_EQ(writer->error()->code, ErrorCode::io_failure);
    }
}

} // namespace
} // namespace etl::profiles::profiles_test
