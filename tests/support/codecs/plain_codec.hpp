// What the slow, obvious decoders share. They are oracles: written from docs/format/compression.md,
// byte by byte.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <vector>

namespace etl::test {

struct PlainOutcome {
    std::vector<std::byte> bytes; // the output so far
    std::size_t consumed = 0;     // input up to the end of the last whole element
    ErrorCode code = ErrorCode::none;
};

/// Reads input that may end at any byte. Reading past the end gives zeros and sets `ended`.
struct PlainInput {
    Bytes bytes;
    std::size_t at = 0;
    bool ended = false;

    std::uint64_t number(std::size_t size) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            if (at < bytes.size()) {
                value |= std::to_integer<std::uint64_t>(bytes[at]) << (8 * i);
                ++at;
            } else {
                ended = true;
            }
        }
        return value;
    }
};

/// Appends a match byte by byte, as far as `want` bytes in all.
inline void plain_match(std::vector<std::byte>& bytes, std::uint64_t distance, std::uint64_t length,
                        std::size_t want) {
    for (std::uint64_t i = 0; i < length && bytes.size() < want; ++i) {
        bytes.push_back(bytes[bytes.size() - distance]);
    }
}

} // namespace etl::test
