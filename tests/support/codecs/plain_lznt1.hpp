// The slow, obvious decoder of LZNT1. docs/format/compression.md#lznt1
#pragma once

#include "tests/support/codecs/plain_codec.hpp"

namespace etl::test {

/// `consumed` is kept only while all is well.
inline PlainOutcome plain_lznt1(Bytes in, std::size_t want) {
    PlainOutcome out;
    PlainInput input{in};
    const auto failed = [&](ErrorCode code) {
        out.code = code;
        return out;
    };
    while (out.bytes.size() < want) {
        const std::uint64_t head = input.number(2);
        if (input.ended || head == 0) {
            return failed(ErrorCode::truncated);
        }
        const std::size_t begin = out.bytes.size();
        const std::size_t chunk_end = input.at + (head & 0xFFF) + 1;
        const bool cut = chunk_end > in.size();
        const std::size_t end = cut ? in.size() : chunk_end;
        if ((head & 0x8000) == 0) {
            while (input.at < end && out.bytes.size() < want) {
                out.bytes.push_back(static_cast<std::byte>(input.number(1)));
            }
        }
        while (input.at < end && out.bytes.size() < want) {
            const std::uint64_t tags = input.number(1);
            for (int i = 0; i < 8 && input.at < end && out.bytes.size() < want; ++i) {
                const std::size_t done = out.bytes.size() - begin;
                if (done >= 4096) {
                    return failed(ErrorCode::malformed); // more in a chunk than it may hold
                }
                if ((tags >> i & 1) == 0) {
                    out.bytes.push_back(static_cast<std::byte>(input.number(1)));
                    continue;
                }
                if (end - input.at < 2) {
                    return failed(cut ? ErrorCode::truncated : ErrorCode::malformed);
                }
                const std::uint64_t match = input.number(2);
                int bits = 12;
                for (std::size_t reach = 16; reach < done; reach *= 2) {
                    --bits;
                }
                const std::uint64_t distance = (match >> bits) + 1;
                const std::uint64_t length = match % (std::uint64_t{1} << bits) + 3;
                if (distance > done) {
                    return failed(ErrorCode::malformed);
                }
                plain_match(out.bytes, distance, length, std::min(want, begin + 4096));
            }
        }
        out.consumed = input.at;
        if (cut && out.bytes.size() < want) {
            return failed(ErrorCode::truncated);
        }
    }
    return out;
}

} // namespace etl::test
