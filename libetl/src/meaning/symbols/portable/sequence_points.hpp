// Sequence points of portable program databases. Private to symbols.
// docs/format/pdb.md#sequence-points
#pragma once

#include "base/bytes.hpp"

#include <cstdint>
#include <optional>

namespace etl::symbols {

/// Reads the compressed numbers of the .NET metadata format (ECMA-335, II.23.2). After the end or
/// an invalid number, all reads return 0.
class CompressedReader {
public:
    explicit CompressedReader(Bytes bytes) noexcept : bytes_(bytes) {}

    std::uint32_t number() noexcept;

    /// Returns a signed number as its two's complement.
    std::uint32_t signed_number() noexcept;

    bool is_at_end() const noexcept { return bytes_.empty(); }

private:
    std::uint32_t take(std::size_t size) noexcept;

    Bytes bytes_;
    unsigned sign_width_ = 0; // bits of the last number
};

struct SequencePoint {
    std::uint32_t il_offset = 0;
    std::uint32_t document = 0; // number, from 1
    std::uint32_t line = 0;     // 0: hidden
};

/// Iterates over the sequence points of one method.
class SequencePoints {
public:
    /// `document` is that of the method; 0: the blob specifies it.
    SequencePoints(Bytes blob, std::uint32_t document) noexcept;

    std::optional<SequencePoint> next() noexcept;

private:
    CompressedReader in_;
    SequencePoint last_;
    std::uint32_t line_ = 0;   // of the last visible point
    bool is_first_ = true;     // no point yet
    bool has_visible_ = false; // a visible point came before
};

} // namespace etl::symbols
