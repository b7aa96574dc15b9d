// Which buffers of a trace contain events of which kinds: a section of its index, by which a reader
// of few kinds leaves out the buffers without any. docs/parts.md#kinds
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace etl::trace {

/// A kind of events, in the sense of decode::KindNumbers.
struct BufferKind {
    /// Buffers by number, [first, last].
    struct Range {
        std::uint32_t first = 0, last = 0;

        bool operator==(const Range&) const = default;
    };

    std::uint32_t offset = 0;   // of its first event in the decompressed first buffer
    std::vector<Range> buffers; // those that contain it; at least one; they ascend and do not touch

    /// Adds a buffer after all others.
    void add(std::uint32_t number) {
        if (!buffers.empty() && buffers.back().last + 1 == number) {
            buffers.back().last = number;
        } else {
            buffers.push_back({number, number});
        }
    }

    bool operator==(const BufferKind&) const = default;
};

/// The name of the section.
inline constexpr std::string_view kinds_section = "kinds";

/// Returns the content of the section.
std::vector<std::byte> encode(const std::vector<BufferKind>& kinds);

/// Returns the kinds of a trace with this number of buffers. Errors: malformed; unsupported
/// (version).
Result<std::vector<BufferKind>> parse_kinds(Bytes section, std::uint64_t buffers);

} // namespace etl::trace
