// Real compressed buffers, where a folder of real traces lies beside the project.
#include <etl/codec/xpress.hpp>

#include "tests/support/compressed_buffers.hpp"
#include "tests/support/plain_xpress.hpp"
#include "tests/unit/codec/against_plain.hpp"

namespace etl::codec::xpress {

namespace {

using namespace etl::test;

std::vector<CompressedBuffer> all_compressed_buffers() {
    const std::filesystem::path corpus = ETL_SHARED_CORPUS;
    std::vector<CompressedBuffer> all;
    if (!std::filesystem::is_directory(corpus)) {
        return all;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
        if (entry.path().extension() == ".etl") {
            auto buffers = compressed_buffers(entry.path());
            std::ranges::move(buffers, std::back_inserter(all));
        }
    }
    return all;
}

TEST(XpressCorpus, DecodesCompressedBuffersAsTheObviousDecoderDoes) {
    const auto buffers = all_compressed_buffers();
    if (buffers.empty()) {
        GTEST_SKIP() << "no real compressed traces in " << ETL_SHARED_CORPUS;
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        SCOPED_TRACE(i);
        const CompressedBuffer& buffer = buffers[i];
        expect_as_plain(decompress, plain_xpress, buffer.packed, buffer.size);
        const Outcome outcome = decode(decompress, buffer.packed, buffer.size).outcome;
        ASSERT_TRUE(outcome.complete()) << outcome.what;
        // Nothing but a bare indicator word may be left over.
        ASSERT_TRUE(outcome.consumed == buffer.packed.size() ||
                    outcome.consumed + 4 == buffer.packed.size());
    }
    RecordProperty("buffers", static_cast<int>(buffers.size()));
}

TEST(XpressCorpus, PacksCompressedBuffersAtLeastAsSmallAsWindows) {
    const auto buffers = all_compressed_buffers();
    if (buffers.empty()) {
        GTEST_SKIP() << "no real compressed traces in " << ETL_SHARED_CORPUS;
    }
    std::size_t theirs = 0;
    std::size_t ours = 0;
    for (const CompressedBuffer& buffer : buffers) {
        const auto bytes = decode(decompress, buffer.packed, buffer.size).bytes;
        std::vector<std::byte> packed;
        compress(bytes, packed);
        expect_as_plain(decompress, plain_xpress, packed, bytes.size());
        theirs += buffer.packed.size();
        ours += packed.size();
    }
    EXPECT_LE(ours, theirs);
}

TEST(XpressCorpus, DecodesDamagedCompressedBuffersAsTheObviousDecoderDoes) {
    const auto buffers = all_compressed_buffers();
    if (buffers.empty()) {
        GTEST_SKIP() << "no real compressed traces in " << ETL_SHARED_CORPUS;
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

} // namespace etl::codec::xpress
