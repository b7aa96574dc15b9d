// How much of real traces must decode, where they are at hand: they are not ours and not part of
// the project. The aims are docs/info-and-check.md's figures of `etl info --decode`.
#include "decode/coverage.hpp"
#include "format/kernel_group.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/decodable_trace.hpp"
#include "trace/inputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace etl::test {
namespace {

namespace fs = std::filesystem;

using decode::CoverageCounts;
using decode::DecodedBy;
using decode::RawReason;

/// One trace, decoded with what it carries, the built-in classes and `schemas`.
decode::Coverage coverage_of(const fs::path& path, const std::vector<std::string>& schemas = {}) {
    decode::Coverage coverage;
    const DecodableTrace trace = decodable_trace(path, schemas);
    if (trace.reader) {
        decode::Decoder decoder(trace.store);
        trace.for_each_event(
            [&](const flow::Event& event) { coverage.add(decoder.decode(event)); });
    }
    return coverage;
}

/// Classes that the kernel logs, and those that a merge adds on its behalf.
bool is_kernels(const Guid& guid) {
    constexpr std::array more{
        *parse_guid("6a399ae0-4bc6-4de9-870b-3657f8947e7e"),  // Lost_Event
        *parse_guid("b3e675d7-2554-4f18-830b-2762732560de"),  // ImageId
        *parse_guid("9b79ee91-b5fd-41c0-a243-4248e266e9d0")}; // SystemConfigEx
    return !format::class_name(guid).empty() || std::ranges::find(more, guid) != more.end();
}

CoverageCounts kernel_part(const decode::Coverage& coverage) {
    CoverageCounts sum;
    for (const auto& [guid, counts] : coverage.providers()) {
        if (is_kernels(guid)) {
            sum += counts;
        }
    }
    return sum;
}

class DecodingOfRealTraces : public testing::Test {
protected:
    void SetUp() override {
        if (!fs::is_directory(corpus)) {
            GTEST_SKIP() << "no folder of real traces beside the project";
        }
    }

    const fs::path corpus = test::shared_corpus();
};

TEST_F(DecodingOfRealTraces, UsesUpKernelRecordsToTheLastByte) {
    CoverageCounts all;
    for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
        const fs::path& path = entry.path();
        if (!entry.is_regular_file() || !trace::is_trace_name(path.filename().string())) {
            continue;
        }
        const CoverageCounts counts = kernel_part(coverage_of(path));
        EXPECT_EQ(counts.contradicting, 0U) << path;
        // Some of these traces were made with pointers of the other size: a guess each.
        EXPECT_GE(100 * (counts.exact + counts.guessed), 99 * counts.events()) << path;
        all += counts;
    }
    RecordProperty("kernel_events", std::to_string(all.events()));
    RecordProperty("exact", std::to_string(all.exact));
    EXPECT_GT(all.events(), 100'000U);
    EXPECT_GE(1000 * all.exact, 999 * all.events());
}

TEST_F(DecodingOfRealTraces, FitsManifestsOfAnotherBuild) {
    const std::string manifests = corpus / "manifests" / "win10-18990.tar.zst";
    const auto counts_of = [&](const char* name) {
        return coverage_of(corpus / name, {manifests}).total();
    };
    // A build before that of the manifests: a few of its events have older layouts.
    const CoverageCounts graphics = counts_of("gpuvis/wintracecmd.etl.zst");
    RecordProperty("graphics_decoded", std::to_string(graphics.decoded()));
    RecordProperty("graphics_exact", std::to_string(graphics.exact));
    EXPECT_GT(graphics.decoded_by[static_cast<std::size_t>(DecodedBy::manifest)], 190'000U);
    EXPECT_GE(100 * graphics.exact, 95 * graphics.decoded());
    EXPECT_EQ(graphics.contradicting, 0U);
    EXPECT_EQ(graphics.raw(),
              graphics.raw_by_reason[static_cast<std::size_t>(RawReason::unknown_provider)] +
                  graphics.raw_by_reason[static_cast<std::size_t>(RawReason::other_version)]);

    const CoverageCounts amsi = counts_of("etl-parser/AMSITrace.etl");
    EXPECT_GT(amsi.events(), 20U);
    EXPECT_EQ(amsi.exact, amsi.events());
}

// .NET 7 and PktMon: no manifest at hand describes these events, only schemas/additions.
TEST_F(DecodingOfRealTraces, UsesUpEventsThatOnlyAdditionsDescribe) {
    for (const char* name : {"traceevent/gcevents.etl", "packets/synthetic-pktmon.etl",
                             "packets/synthetic-empty.etl"}) {
        const CoverageCounts counts = coverage_of(corpus / name).total();
        EXPECT_GT(counts.events(), 3U) << name;
        EXPECT_EQ(counts.exact, counts.events()) << name;
    }
}

TEST_F(DecodingOfRealTraces, FindsAllFramesOfClrStackWalks) {
    constexpr Guid clr = *parse_guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    constexpr std::uint16_t stack_walk = 82;
    // Described by the trace itself, and by dumps of manifests, which lose the constant count.
    const std::string manifests = corpus / "manifests" / "win10-18990.tar.zst";
    const std::vector<std::vector<std::string>> choices{{}, {manifests}};
    for (const std::vector<std::string>& schemas : choices) {
        const DecodableTrace trace =
            decodable_trace(corpus / "traceevent" / "net.4.5.2.x64.etl", schemas);
        ASSERT_TRUE(trace.reader);
        decode::Decoder decoder(trace.store);
        decode::FieldWalker walker;
        std::size_t walks = 0, exact = 0;
        trace.for_each_event([&](const flow::Event& event) {
            const decode::DecodedEvent& decoded = decoder.decode(event);
            if (decoded.header.provider != clr || decoded.header.id != stack_walk) {
                return;
            }
            walker.start(decoded.kind->plan, decoded.body);
            while (walker.next() != decode::Step::end) {
            }
            ++walks;
            exact += walker.consumed_exactly() ? 1U : 0U;
        });
        EXPECT_GT(walks, 10'000U);
        EXPECT_EQ(exact, walks);
    }
}

// The one real trace of WPP has no formats beside it: its messages stay raw, and say why.
TEST_F(DecodingOfRealTraces, LeavesWppMessagesWithoutFormatRaw) {
    const fs::path path = corpus / "s4" / "CldFlt0-2025-12-21-121418.etlgz";
    if (!fs::exists(path)) {
        GTEST_SKIP() << "no trace of WPP messages";
    }
    const std::string formats = test::source_dir() + "/corpus/good/wpp-messages.tmf";
    const CoverageCounts counts = coverage_of(path, {formats}).total();
    EXPECT_GT(counts.raw_by_reason[static_cast<std::size_t>(RawReason::no_format)], 0U);
    EXPECT_EQ(counts.raw(), counts.raw_by_reason[static_cast<std::size_t>(RawReason::no_format)]);
    EXPECT_EQ(counts.decoded_by[static_cast<std::size_t>(DecodedBy::wpp)], 0U);
}

} // namespace
} // namespace etl::test
