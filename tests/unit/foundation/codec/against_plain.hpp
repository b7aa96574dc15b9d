// Holds a decoder against the slow, obvious one, and guards the bytes around its output.
#pragma once

#include "codec/codec.hpp"
#include "tests/support/codecs/plain_codec.hpp"
#include "tests/support/traces/sample_bytes.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace etl::test {

using Decompress = codec::Outcome (*)(Bytes, MutableBytes);
using Compress = void (*)(Bytes, std::vector<std::byte>&, codec::Level);
using Plain = PlainOutcome (*)(Bytes, std::size_t);

inline constexpr codec::Level levels[] = {codec::Level::fast, codec::Level::normal,
                                          codec::Level::small};

struct Decoded {
    codec::Outcome outcome;
    std::vector<std::byte> bytes; // all of the output, written or not
    bool kept_to_output = true;   // nothing outside was touched
};

/// Decodes from memory that ends where the input ends (so that a sanitizer sees each byte read too
/// far), into the middle of a guarded piece.
inline Decoded decode(Decompress decompress, Bytes in, std::size_t want) {
    constexpr std::size_t guard = 64;
    constexpr std::byte mark{0xA5};
    const auto exact = std::make_unique<std::byte[]>(in.size());
    std::ranges::copy(in, exact.get());
    std::vector<std::byte> memory(want + 2 * guard, mark);
    Decoded decoded;
    decoded.outcome =
        decompress({exact.get(), in.size()}, MutableBytes(memory).subspan(guard, want));
    const auto is_mark = [](std::byte byte) { return byte == mark; };
    decoded.kept_to_output = std::all_of(memory.begin(), memory.begin() + guard, is_mark) &&
                             std::all_of(memory.end() - guard, memory.end(), is_mark);
    decoded.bytes.assign(memory.begin() + guard, memory.end() - guard);
    return decoded;
}

inline void expect_as_plain(Decompress decompress, Plain plain, Bytes in, std::size_t want) {
    const Decoded fast = decode(decompress, in, want);
    const PlainOutcome slow = plain(in, want);
    ASSERT_EQ(fast.outcome.code, slow.code) << fast.outcome.what;
    ASSERT_EQ(fast.outcome.written, slow.bytes.size());
    ASSERT_TRUE(std::equal(slow.bytes.begin(), slow.bytes.end(), fast.bytes.begin()));
    ASSERT_TRUE(fast.kept_to_output);
    if (slow.code == ErrorCode::none) {
        ASSERT_EQ(fast.outcome.consumed, slow.consumed);
    } else {
        ASSERT_LE(fast.outcome.consumed, in.size());
        ASSERT_STRNE(fast.outcome.what, "");
    }
}

/// At every level.
inline void expect_round_trip(Compress compress, Decompress decompress, Plain plain, Bytes bytes) {
    for (const codec::Level level : levels) {
        SCOPED_TRACE(static_cast<int>(level));
        std::vector<std::byte> packed;
        compress(bytes, packed, level);
        const Decoded decoded = decode(decompress, packed, bytes.size());
        ASSERT_EQ(decoded.outcome.code, ErrorCode::none) << decoded.outcome.what;
        ASSERT_TRUE(std::ranges::equal(decoded.bytes, bytes));
        ASSERT_TRUE(decoded.kept_to_output);
        ASSERT_TRUE(std::ranges::equal(plain(packed, bytes.size()).bytes, bytes));
    }
}

/// Cuts the stream of `bytes` at every byte: what comes out is a prefix, and its end is explained.
inline void expect_prefix_at_every_cut(Compress compress, Decompress decompress, Plain plain,
                                       Bytes bytes) {
    std::vector<std::byte> packed;
    compress(bytes, packed, codec::Level::normal);
    for (std::size_t cut = 0; cut < packed.size(); ++cut) {
        SCOPED_TRACE(cut);
        const Bytes part = Bytes(packed).first(cut);
        const Decoded decoded = decode(decompress, part, bytes.size());
        ASSERT_TRUE(decoded.outcome.is_complete() ? decoded.outcome.written == bytes.size()
                                                  : decoded.outcome.code == ErrorCode::truncated);
        ASSERT_TRUE(
            std::equal(decoded.bytes.begin(),
                       decoded.bytes.begin() + static_cast<std::ptrdiff_t>(decoded.outcome.written),
                       bytes.begin()));
        expect_as_plain(decompress, plain, part, bytes.size());
    }
}

/// Streams with a few bytes changed, cut or asked for more or less than they hold.
inline void expect_as_plain_when_damaged(Compress compress, Decompress decompress, Plain plain,
                                         Bytes bytes, std::uint32_t seed, int rounds) {
    std::vector<std::byte> packed;
    compress(bytes, packed, codec::Level::normal);
    Random random(seed);
    for (int round = 0; round < rounds; ++round) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round);
        std::vector<std::byte> damaged = packed;
        for (auto changes = random.below(4); changes > 0; --changes) {
            damaged[random.below(damaged.size())] = random.byte();
        }
        if (random.below(4) == 0) {
            damaged.resize(random.below(damaged.size()));
        }
        const std::size_t want =
            random.below(3) == 0 ? random.below(2 * bytes.size() + 1) : bytes.size();
        expect_as_plain(decompress, plain, damaged, want);
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

} // namespace etl::test
