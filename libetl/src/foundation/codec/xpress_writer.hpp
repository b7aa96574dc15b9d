// Writes the items of plain LZ77. docs/format/compression.md#xpress
#pragma once

#include "codec/copy.hpp"
#include "codec/match.hpp"
#include "codec/xpress_format.hpp"

#include <algorithm>
#include <optional>

namespace etl::codec::xpress {

/// An indicator word has its place as soon as the one before it is full, and so has the byte that
/// two length nibbles share: where they lie is part of the format.
class Writer {
public:
    /// `in` is where all literals lie.
    Writer(Bytes in, MutableBytes out) noexcept
        : in_end_(in.data() + in.size()), begin_(out.data()), end_(out.data() + out.size()),
          indicators_at_(begin_), at_(begin_) {
        fits_ = room() >= word;
        at_ += fits_ ? word : 0;
    }

    /// Literals and the match behind them. False when they do not fit.
    bool sequence(const std::byte* from, std::size_t count, Match match) noexcept {
        if (room() < count + count / 8 + plenty) [[unlikely]] {
            fits_ = fits_ && literals_one_by_one(from, count) && match_that_fits(match);
            return fits_;
        }
        put_literals(from, count);
        put_match(match);
        return true;
    }

    /// Literals without a match. False when they do not fit.
    bool literals(const std::byte* from, std::size_t count) noexcept {
        if (room() < count + count / 8 + plenty) [[unlikely]] {
            fits_ = fits_ && literals_one_by_one(from, count);
            return fits_;
        }
        put_literals(from, count);
        return true;
    }

    /// Fills the last indicator word with ones. The size of the stream, if all of it did fit.
    std::optional<std::size_t> finish() noexcept {
        if (!fits_) {
            return std::nullopt;
        }
        const unsigned unused = word_bits - count_;
        const std::uint64_t filled = ((std::uint64_t{indicators_} + 1) << unused) - 1;
        store_le(indicators_at_, static_cast<std::uint32_t>(filled));
        return static_cast<std::size_t>(at_ - begin_);
    }

private:
    static constexpr std::size_t word = 4;
    static constexpr unsigned word_bits = 32;
    static constexpr std::size_t step = 32; // bytes that are copied at once when there is room
    // What a sequence may need besides an eighth of its literals: two words of indicators, the
    // longest match, a step. Literals need a word for each 32.
    static constexpr std::size_t plenty = 2 * word + 10 + step;

    std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - at_); }

    template <typename T>
    void put(T value) noexcept {
        store_le(at_, value);
        at_ += sizeof(T);
    }

    /// Copies up to 32 bytes of input; may write 32.
    void copy(const std::byte* from, std::size_t count) noexcept {
        if (in_end_ - from >= static_cast<std::ptrdiff_t>(step)) [[likely]] {
            copy_block<8>(at_, from);
            if (count > 8) [[unlikely]] {
                copy_block<8>(at_ + 8, from + 8);
                copy_block<16>(at_ + 16, from + 16);
            }
        } else {
            std::copy_n(from, count, at_);
        }
        at_ += count;
    }

    void put_literals(const std::byte* from, std::size_t count) noexcept {
        while (count >= word_bits - count_) [[unlikely]] {
            const unsigned now = word_bits - count_;
            copy(from, now);
            from += now;
            count -= now;
            indicators_ = now == word_bits ? 0 : indicators_ << now;
            next_word();
        }
        copy(from, count);
        indicators_ <<= count;
        count_ += static_cast<unsigned>(count);
    }

    void put_match(Match match) noexcept {
        const std::size_t extra = match.length - min_length;
        put(static_cast<std::uint16_t>((match.distance - 1) << 3U |
                                       std::min<std::size_t>(extra, 7)));
        if (match.length >= min_nibble_length) {
            put_length(match.length);
        }
        indicators_ = indicators_ << 1U | 1U;
        if (++count_ == word_bits) [[unlikely]] {
            next_word();
        }
    }

    void next_word() noexcept {
        store_le(indicators_at_, indicators_);
        indicators_at_ = at_;
        at_ += word;
        indicators_ = 0;
        count_ = 0;
    }

    void put_length(std::size_t length) noexcept {
        const auto nibble =
            static_cast<std::uint8_t>(std::min<std::size_t>(length - min_nibble_length, 15));
        if (half_used_ == nullptr) {
            half_used_ = at_;
            put(nibble);
        } else {
            *half_used_ |= static_cast<std::byte>(nibble << 4U);
            half_used_ = nullptr;
        }
        if (length < min_byte_length) {
            return;
        }
        put(static_cast<std::uint8_t>(std::min<std::size_t>(length - min_byte_length, 255)));
        if (length < min_word_length) {
            return;
        }
        if (length < min_dword_length) {
            put(static_cast<std::uint16_t>(length - min_length));
        } else {
            put(std::uint16_t{0});
            put(static_cast<std::uint32_t>(length - min_length));
        }
    }

    /// Bytes behind which the next indicator word begins.
    std::size_t room_for_next_word() const noexcept { return count_ + 1 == word_bits ? word : 0; }

    bool literals_one_by_one(const std::byte* from, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            if (room() < 1 + room_for_next_word()) {
                return false;
            }
            put(from[i]);
            indicators_ <<= 1U;
            if (++count_ == word_bits) {
                next_word();
            }
        }
        return true;
    }

    bool match_that_fits(Match match) noexcept {
        std::size_t size = 2;
        if (match.length >= min_nibble_length) {
            size += half_used_ == nullptr ? 1 : 0;
            size += match.length >= min_byte_length ? 1 : 0;
            size += match.length >= min_word_length ? 2 : 0;
            size += match.length >= min_dword_length ? 4 : 0;
        }
        if (room() < size + room_for_next_word()) {
            return false;
        }
        put_match(match);
        return true;
    }

    const std::byte* in_end_;
    std::byte* begin_;
    std::byte* end_;
    std::byte* indicators_at_;
    std::byte* at_;
    std::byte* half_used_ = nullptr; // the byte whose high nibble is free
    std::uint32_t indicators_ = 0;
    unsigned count_ = 0; // of indicators_
    bool fits_ = true;
};

} // namespace etl::codec::xpress
