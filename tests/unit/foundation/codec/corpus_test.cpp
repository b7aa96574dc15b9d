// Real compressed buffers, where a folder of real traces lies beside the project.
#include "codec/formats.hpp"
#include "tests/support/codecs/compressed_buffers.hpp"
#include "tests/support/codecs/plain_xpress.hpp"
#include "tests/support/folders.hpp"
#include "tests/unit/foundation/codec/against_plain.hpp"

#include <array>
#include <cstdio>
#include <string>

namespace etl::codec::xpress::corpus_test {

namespace {

using namespace etl::test;

struct RealTrace {
    std::string name;
    std::vector<CompressedBuffer> buffers;
};

/// Those with compressed buffers.
std::vector<RealTrace> real_traces() {
    const std::filesystem::path corpus = test::shared_corpus();
    std::vector<RealTrace> traces;
    if (!std::filesystem::is_directory(corpus)) {
        return traces;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
        if (entry.path().extension() == ".etl") {
            RealTrace trace{entry.path().filename().string(), compressed_buffers(entry.path())};
            if (!trace.buffers.empty()) {
                traces.push_back(std::move(trace));
            }
        }
    }
    return traces;
}

std::vector<CompressedBuffer> all_compressed_buffers() {
    std::vector<CompressedBuffer> all;
    for (RealTrace& trace : real_traces()) {
        std::ranges::move(trace.buffers, std::back_inserter(all));
    }
    return all;
}

TEST(XpressCorpus, DecodesCompressedBuffersAsTheObviousDecoderDoes) {
    const auto buffers = all_compressed_buffers();
    if (buffers.empty()) {
        GTEST_SKIP() << "no real compressed traces in " << test::shared_corpus();
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        SCOPED_TRACE(i);
        const CompressedBuffer& buffer = buffers[i];
        expect_as_plain(decompress, plain_xpress, buffer.packed, buffer.size);
        const Outcome outcome = decode(decompress, buffer.packed, buffer.size).outcome;
        ASSERT_TRUE(outcome.is_complete()) << outcome.what;
        // Nothing but a bare indicator word may be left over.
        ASSERT_TRUE(outcome.consumed == buffer.packed.size() ||
                    outcome.consumed + 4 == buffer.packed.size());
    }
    RecordProperty("buffers", static_cast<int>(buffers.size()));
}

TEST(XpressCorpus, PacksBuffersAboutAsSmallAsWindows) {
    const auto traces = real_traces();
    if (traces.empty()) {
        GTEST_SKIP() << "no real compressed traces in " << test::shared_corpus();
    }
    std::printf("%-34s %10s %10s %10s %10s %10s\n", "bytes", "unpacked", "Windows", "fast",
                "normal", "small");
    for (const RealTrace& trace : traces) {
        std::size_t unpacked = 0;
        std::size_t theirs = 0;
        std::array<std::size_t, std::size(levels)> ours{};
        for (const CompressedBuffer& buffer : trace.buffers) {
            const auto bytes = decode(decompress, buffer.packed, buffer.size).bytes;
            unpacked += bytes.size();
            theirs += buffer.packed.size();
            for (std::size_t i = 0; i < ours.size(); ++i) {
                std::vector<std::byte> packed;
                compress(bytes, packed, levels[i]);
                ASSERT_TRUE(std::ranges::equal(plain_xpress(packed, bytes.size()).bytes, bytes));
                ours[i] += packed.size();
            }
        }
        std::printf("%-34s %10zu %10zu %10zu %10zu %10zu\n", trace.name.c_str(), unpacked, theirs,
                    ours[0], ours[1], ours[2]);
        EXPECT_LE(ours[0] * 100, theirs * 105) << trace.name;
        EXPECT_LE(ours[1], theirs) << trace.name;
        EXPECT_LT(ours[2], ours[1]) << trace.name;
    }
}

TEST(XpressCorpus, DecodesDamagedCompressedBuffersAsTheObviousDecoderDoes) {
    const auto buffers = all_compressed_buffers();
    if (buffers.empty()) {
        GTEST_SKIP() << "no real compressed traces in " << test::shared_corpus();
    }
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        SCOPED_TRACE(testing::Message() << "seed 1, round " << round);
        CompressedBuffer buffer = buffers[random.below(buffers.size())];
        buffer.packed[random.below(buffer.packed.size())] ^=
            static_cast<std::byte>(1U << random.below(8));
        if (round % 3 == 0) {
            buffer.packed.resize(random.below(buffer.packed.size()));
        }
        expect_as_plain(decompress, plain_xpress, buffer.packed, buffer.size);
        ASSERT_FALSE(HasFatalFailure());
    }
}

} // namespace

} // namespace etl::codec::xpress::corpus_test
