// Text a block at a time: how many characters at the front of a block need no thought. Each
// function exists in a portable form (64-bit masks) and, where there is SSE2, in a faster one that
// gives the same; the tests hold them against each other. Private to base.
#pragma once

#include <etl/bytes.hpp>

#include "base/layout.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) || defined(_M_X64)
#define ETL_SSE2 1
#include <emmintrin.h>
#else
#define ETL_SSE2 0
#endif

namespace etl::portable_blocks {

inline constexpr std::uint64_t ones = 0x0101010101010101U;
inline constexpr std::uint64_t highs = 0x8080808080808080U;

/// Marks bytes of `text` that are zero. A mark above the lowest one may be wrong; the lowest is
/// right.
constexpr std::uint64_t zero_bytes(std::uint64_t text) noexcept {
    return (text - ones) & ~text & highs;
}

/// Marks what JSON escapes: controls, quote, backslash. The lowest mark is right.
constexpr std::uint64_t json_special(std::uint64_t text) noexcept {
    return ((text - ones * 0x20U) & ~text & highs) | zero_bytes(text ^ (ones * 0x22U)) |
           zero_bytes(text ^ (ones * 0x5CU));
}

constexpr unsigned first_mark(std::uint64_t marks) noexcept {
    return static_cast<unsigned>(std::countr_zero(marks)) / 8U; // 8 when there is none
}

/// Four UTF-16 units, all below 0x100, to four bytes.
constexpr std::uint32_t narrow(std::uint64_t units) noexcept {
    units = (units | (units >> 8U)) & 0x0000FFFF0000FFFFU;
    return static_cast<std::uint32_t>(units | (units >> 16U));
}

inline std::uint64_t load8(const char* from) noexcept {
    std::uint64_t raw = 0;
    std::memcpy(&raw, from, sizeof raw);
    if constexpr (std::endian::native == std::endian::big) {
        return load_le<std::uint64_t>(std::as_bytes(std::span(&raw, 1)).data());
    }
    return raw;
}

inline constexpr unsigned block_size = 8;

/// Copies a block of 8-bit text; returns how many characters at its front JSON takes as they are.
inline unsigned copy_json(const char* from, char* to) noexcept {
    std::memcpy(to, from, 8);
    return first_mark(json_special(load8(from)));
}

/// Copies a block of 8-bit text; returns how many characters are in front of its first quote.
inline unsigned copy_to_quote(const char* from, char* to) noexcept {
    std::memcpy(to, from, 8);
    return first_mark(zero_bytes(load8(from) ^ (ones * 0x22U)));
}

/// Returns how many characters at the front of a block of 8-bit text are plain in a line: no
/// controls, blanks, quotes, commas, or brackets, and only ASCII.
inline unsigned plain_in_line(const char* from) noexcept {
    const std::uint64_t text = load8(from);
    const auto marks = [&](std::uint64_t c) { return zero_bytes(text ^ (ones * c)); };
    return first_mark((((text - ones * 0x21U) | text) & highs) | marks('"') | marks(',') |
                      marks('[') | marks(']') | marks('{') | marks('}') | marks(0x7FU));
}

/// Narrows eight UTF-16LE units; returns how many at the front are ASCII (for Json: and need no
/// escape).
template <bool Json>
unsigned narrow_units(const std::byte* units, char* to) noexcept {
    constexpr std::uint64_t not_ascii = 0xFF80FF80FF80FF80U;
    const auto low = load_le<std::uint64_t>(units);
    const auto high = load_le<std::uint64_t>(units + 8);
    std::uint64_t bytes = 0;
    unsigned good = 8;
    if (((low | high) & not_ascii) == 0) {
        bytes = narrow(low) | (static_cast<std::uint64_t>(narrow(high)) << 32U);
    } else {
        good = 0;
        while ((load_le<std::uint16_t>(units + std::size_t{2} * good) & 0xFF80U) == 0) {
            bytes |= std::to_integer<std::uint64_t>(units[std::size_t{2} * good]) << (8U * good);
            ++good;
        }
    }
    for (unsigned i = 0; i < 8; ++i) {
        to[i] = static_cast<char>(bytes >> (8U * i));
    }
    if constexpr (Json) {
        const unsigned plain = first_mark(json_special(bytes));
        return plain < good ? plain : good;
    }
    return good;
}

} // namespace etl::portable_blocks

#if ETL_SSE2
namespace etl::sse2_blocks {

inline __m128i load16(const void* from) noexcept {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

/// All bits of each byte that JSON escapes.
inline __m128i json_special(__m128i text) noexcept {
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x1F)), text);
    const __m128i quote = _mm_cmpeq_epi8(text, _mm_set1_epi8(0x22));
    const __m128i backslash = _mm_cmpeq_epi8(text, _mm_set1_epi8(0x5C));
    return _mm_or_si128(control, _mm_or_si128(quote, backslash));
}

inline unsigned marks(__m128i bytes) noexcept {
    return static_cast<unsigned>(_mm_movemask_epi8(bytes));
}

inline constexpr unsigned block_size = 16;

inline unsigned copy_json(const char* from, char* to) noexcept {
    const __m128i text = load16(from);
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to)), text);
    return static_cast<unsigned>(std::countr_zero(marks(json_special(text)) | 0x10000U));
}

inline unsigned copy_to_quote(const char* from, char* to) noexcept {
    const __m128i text = load16(from);
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to)), text);
    return static_cast<unsigned>(
        std::countr_zero(marks(_mm_cmpeq_epi8(text, _mm_set1_epi8(0x22))) | 0x10000U));
}

inline unsigned plain_in_line(const char* from) noexcept {
    const __m128i text = load16(from);
    const auto equal = [](__m128i bytes, int c) {
        return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(c)));
    };
    // Brackets and braces of one side differ in one bit only.
    const __m128i braces = _mm_or_si128(text, _mm_set1_epi8(0x20));
    __m128i special = _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x20)), text);
    special = _mm_or_si128(special, _mm_or_si128(equal(text, '"'), equal(text, ',')));
    special = _mm_or_si128(special, _mm_or_si128(equal(braces, '{'), equal(braces, '}')));
    special = _mm_or_si128(special, _mm_or_si128(equal(text, 0x7F), text)); // the sign bit
    return static_cast<unsigned>(std::countr_zero(marks(special) | 0x10000U));
}

template <bool Json>
unsigned narrow_units(const std::byte* units, char* to) noexcept {
    const __m128i wide = load16(units);
    const __m128i zero = _mm_setzero_si128();
    const __m128i ascii =
        _mm_cmpeq_epi16(_mm_and_si128(wide, _mm_set1_epi16(static_cast<short>(0xFF80))), zero);
    const __m128i bytes = _mm_packus_epi16(wide, zero);
    _mm_storel_epi64(static_cast<__m128i*>(static_cast<void*>(to)), bytes);
    // NOLINTNEXTLINE(misc-const-correctness): changed with Json only
    unsigned bad = ~marks(_mm_packs_epi16(ascii, zero)) & 0xFFU;
    if constexpr (Json) {
        bad |= marks(json_special(bytes)) & 0xFFU;
    }
    return static_cast<unsigned>(std::countr_zero(bad | 0x100U));
}

} // namespace etl::sse2_blocks
#endif

namespace etl {
#if ETL_SSE2
namespace blocks = sse2_blocks;
#else
namespace blocks = portable_blocks;
#endif

/// Bytes at the front that are ASCII.
inline std::size_t ascii_run(Bytes text) noexcept {
    std::size_t at = 0;
    while (text.size() - at >= 8) {
        const auto marks = load_le<std::uint64_t>(text.data() + at) & portable_blocks::highs;
        if (marks != 0) {
            return at + portable_blocks::first_mark(marks);
        }
        at += 8;
    }
    while (at < text.size() && std::to_integer<unsigned>(text[at]) < 0x80U) {
        ++at;
    }
    return at;
}

} // namespace etl
