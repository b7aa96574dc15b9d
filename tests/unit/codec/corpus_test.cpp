// Real compressed buffers, where a folder of real traces lies beside the project.
#include <etl/codec/xpress.hpp>

#include "tests/support/plain_xpress.hpp"
#include "tests/unit/codec/against_plain.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace etl::codec::xpress {

namespace {

using namespace etl::test;

struct RealBuffer {
    std::vector<std::byte> packed;
    std::size_t size = 0; // unpacked
};

/// The compressed buffers of a trace, found by their headers. docs/format/compression.md#per-buffer
std::vector<RealBuffer> compressed_buffers(const std::filesystem::path& path) {
    constexpr std::size_t header = 0x48;
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    const Bytes bytes = std::as_bytes(std::span(text));
    std::vector<RealBuffer> buffers;
    for (std::size_t at = 0; holds(bytes, at, header);) {
        const std::size_t size = load_le<std::uint32_t>(bytes.data() + at);
        const std::size_t used = load_le<std::uint32_t>(bytes.data() + at + 0x30);
        const unsigned flags = load_le<std::uint16_t>(bytes.data() + at + 0x34);
        if (size < header || !holds(bytes, at, size)) {
            break;
        }
        if ((flags & 0x40U) != 0 && used >= header) {
            const Bytes body = bytes.subspan(at + header, size - header);
            buffers.push_back({{body.begin(), body.end()}, used - header});
        }
        at += size;
    }
    return buffers;
}

std::vector<RealBuffer> all_compressed_buffers() {
    const std::filesystem::path corpus = ETL_SHARED_CORPUS;
    std::vector<RealBuffer> all;
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

TEST(XpressCorpus, DecodesRealBuffersAsTheObviousDecoderDoes) {
    const auto buffers = all_compressed_buffers();
    if (buffers.empty()) {
        GTEST_SKIP() << "no real compressed traces in " << ETL_SHARED_CORPUS;
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        SCOPED_TRACE(i);
        const RealBuffer& buffer = buffers[i];
        expect_as_plain(decompress, plain_xpress, buffer.packed, buffer.size);
        const Outcome outcome = decode(decompress, buffer.packed, buffer.size).outcome;
        ASSERT_TRUE(outcome.complete()) << outcome.what;
        // Nothing but a bare indicator word may be left over.
        ASSERT_TRUE(outcome.consumed == buffer.packed.size() ||
                    outcome.consumed + 4 == buffer.packed.size());
    }
    RecordProperty("buffers", static_cast<int>(buffers.size()));
}

TEST(XpressCorpus, PacksRealBuffersAtLeastAsSmallAsWindows) {
    const auto buffers = all_compressed_buffers();
    if (buffers.empty()) {
        GTEST_SKIP() << "no real compressed traces in " << ETL_SHARED_CORPUS;
    }
    std::size_t theirs = 0;
    std::size_t ours = 0;
    for (const RealBuffer& buffer : buffers) {
        const auto bytes = decode(decompress, buffer.packed, buffer.size).bytes;
        std::vector<std::byte> packed;
        compress(bytes, packed);
        expect_as_plain(decompress, plain_xpress, packed, bytes.size());
        theirs += buffer.packed.size();
        ours += packed.size();
    }
    EXPECT_LE(ours, theirs);
}

TEST(XpressCorpus, DecodesDamagedRealBuffersAsTheObviousDecoderDoes) {
    const auto buffers = all_compressed_buffers();
    if (buffers.empty()) {
        GTEST_SKIP() << "no real compressed traces in " << ETL_SHARED_CORPUS;
    }
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        SCOPED_TRACE(testing::Message() << "seed 1, round " << round);
        RealBuffer buffer = buffers[random.below(buffers.size())];
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
