// The slow, obvious decoder of LZ77 with Huffman codes. docs/format/compression.md#xpress-huffman
#pragma once

#include "tests/support/codecs/plain_codec.hpp"

#include <array>
#include <deque>
#include <map>
#include <utility>

namespace etl::test {

/// Every code by its length and its bits. Empty when the lengths contradict each other.
inline std::map<std::pair<int, std::uint32_t>, std::uint32_t> plain_codes(Bytes table) {
    std::array<int, 512> lengths{};
    for (std::size_t i = 0; i < 256; ++i) {
        lengths[2 * i] = std::to_integer<int>(table[i]) % 16;
        lengths[2 * i + 1] = std::to_integer<int>(table[i]) / 16;
    }
    std::map<std::pair<int, std::uint32_t>, std::uint32_t> codes;
    std::uint32_t next = 0;
    for (int length = 1; length <= 15; ++length) {
        next *= 2;
        for (std::uint32_t symbol = 0; symbol < 512; ++symbol) {
            if (lengths[symbol] == length) {
                if (next >= 1U << length) {
                    return {};
                }
                codes[{length, next}] = symbol;
                ++next;
            }
        }
    }
    return codes;
}

/// The bits of a block, one by one, with the words fetched as early as a real decoder fetches them.
struct PlainBits {
    PlainInput& input;
    std::deque<int> held{};   // -1: a zero from behind the end
    bool ended = false;       // the input was too short for a word or for bytes
    bool overrun = false;     // such a bit was taken
    bool bytes_ended = false; // a length byte was missing

    void fetch() {
        const bool there = !ended && input.bytes.size() - input.at >= 2;
        ended |= !there;
        const std::uint64_t word = there ? input.number(2) : 0;
        for (int bit = 15; bit >= 0; --bit) {
            held.push_back(there ? static_cast<int>(word >> bit & 1) : -1);
        }
    }

    std::uint32_t take(int count) {
        std::uint32_t value = 0;
        for (int i = 0; i < count; ++i) {
            overrun |= held.front() < 0;
            value = value * 2 + (held.front() == 1 ? 1U : 0U);
            held.pop_front();
        }
        if (held.size() < 16) {
            fetch();
        }
        return value;
    }

    std::uint64_t bytes(std::size_t count) {
        if (ended || input.bytes.size() - input.at < count) {
            ended = true;
            bytes_ended = true;
            return 0;
        }
        return input.number(count);
    }
};

inline PlainOutcome plain_xpress_huffman(Bytes in, std::size_t want) {
    PlainOutcome out;
    PlainInput input{in};
    const auto failed = [&](ErrorCode code) {
        out.code = code;
        return out;
    };
    while (out.bytes.size() < want) {
        if (in.size() - input.at < 256) {
            return failed(ErrorCode::truncated);
        }
        const Bytes table = in.subspan(input.at, 256);
        const auto codes = plain_codes(table);
        input.at += 256;
        if (codes.empty()) {
            return failed(ErrorCode::malformed);
        }
        PlainBits bits{input};
        bits.fetch();
        bits.fetch();
        const std::size_t block_end = out.bytes.size() + 65536;
        while (out.bytes.size() < want && out.bytes.size() < block_end) {
            std::uint32_t code = 0;
            int length_of_code = 0;
            auto found = codes.end();
            while (found == codes.end() && length_of_code < 15) {
                const auto bit = bits.held[static_cast<std::size_t>(length_of_code)];
                code = code * 2 + (bit == 1 ? 1U : 0U);
                ++length_of_code;
                found = codes.find({length_of_code, code});
            }
            if (found == codes.end()) {
                return failed(ErrorCode::malformed);
            }
            bits.take(length_of_code);
            const std::uint32_t symbol = found->second;
            if (symbol < 256) {
                if (bits.overrun) {
                    return failed(ErrorCode::truncated);
                }
                out.bytes.push_back(static_cast<std::byte>(symbol));
                continue;
            }
            std::uint64_t length = symbol % 16 + 3;
            bool too_small = false;
            if (symbol % 16 == 15) {
                const std::uint64_t byte = bits.bytes(1);
                length = byte + 18;
                if (byte == 255) {
                    std::uint64_t word = bits.bytes(2);
                    if (word == 0 && !bits.bytes_ended) {
                        word = bits.bytes(4);
                    }
                    length = word + 3;
                    too_small = word < 15;
                }
            }
            const int open = static_cast<int>((symbol - 256) / 16);
            const std::uint64_t distance = (std::uint64_t{1} << open) + bits.take(open);
            if (bits.overrun || bits.bytes_ended) {
                return failed(ErrorCode::truncated);
            }
            if (too_small || distance > out.bytes.size()) {
                return failed(ErrorCode::malformed);
            }
            plain_match(out.bytes, distance, length, want);
        }
        out.consumed = input.at;
    }
    return out;
}

} // namespace etl::test
