// The slow, obvious decoder of plain LZ77. docs/format/compression.md#xpress
#pragma once

#include "tests/support/codecs/plain_codec.hpp"

namespace etl::test {

inline PlainOutcome plain_xpress(Bytes in, std::size_t want) {
    PlainOutcome out;
    PlainInput input{in};
    std::uint64_t indicators = 0;
    int left = 0;
    std::uint64_t pending = 16; // a nibble, or 16 for none
    const auto failed = [&](ErrorCode code) {
        out.code = code;
        return out;
    };
    while (out.bytes.size() < want) {
        if (left == 0) {
            indicators = input.number(4);
            left = 32;
            if (input.ended) {
                return failed(ErrorCode::truncated);
            }
            out.consumed = input.at;
        }
        --left;
        if ((indicators >> left & 1) == 0) {
            const auto literal = static_cast<std::byte>(input.number(1));
            if (input.ended) {
                return failed(ErrorCode::truncated);
            }
            out.bytes.push_back(literal);
            out.consumed = input.at;
            continue;
        }
        const std::uint64_t match = input.number(2);
        const std::uint64_t distance = match / 8 + 1;
        std::uint64_t length = match % 8 + 3;
        bool too_small = false;
        if (match % 8 == 7) {
            std::uint64_t nibble = pending;
            pending = 16;
            if (nibble == 16) {
                const std::uint64_t byte = input.number(1);
                nibble = byte % 16;
                pending = byte / 16;
            }
            length = 10 + nibble;
            if (nibble == 15) {
                const std::uint64_t byte = input.number(1);
                length = 25 + byte;
                if (byte == 255) {
                    std::uint64_t word = input.number(2);
                    if (word == 0) {
                        word = input.number(4);
                    }
                    length = word + 3;
                    too_small = word < 22;
                }
            }
        }
        if (input.ended) {
            return failed(ErrorCode::truncated);
        }
        if (too_small || distance > out.bytes.size()) {
            return failed(ErrorCode::malformed);
        }
        plain_match(out.bytes, distance, length, want);
        out.consumed = input.at;
    }
    return out;
}

} // namespace etl::test
