#include <etl/codec/xpress.hpp>

#include "codec/match_finder.hpp"
#include "codec/xpress_format.hpp"

namespace etl::codec::xpress {

namespace {

/// Writes items. An indicator word has its place as soon as the one before it is full, and so has
/// the byte that two length nibbles share: where they lie is part of the format.
class Encoder {
public:
    explicit Encoder(std::byte* to) : at_(to + 4), indicators_at_(to) {}

    Match search(const MatchFinder& finder, std::size_t position) const noexcept {
        return finder.longest(position, 0, max_length);
    }

    void literal(std::byte value) noexcept {
        *at_++ = value;
        indicate(0);
    }

    void match(Match match) noexcept {
        const std::size_t extra = match.length - min_length;
        put(static_cast<std::uint16_t>((match.distance - 1) << 3U |
                                       std::min<std::size_t>(extra, 7)));
        if (match.length >= min_nibble_length) {
            put_length(match.length);
        }
        indicate(1);
    }

    /// Fills the last indicator word with ones and returns the end of the stream.
    std::byte* finish() noexcept {
        const unsigned unused = 32 - count_;
        const std::uint64_t filled = ((indicators_ + 1) << unused) - 1;
        store_le(indicators_at_, static_cast<std::uint32_t>(filled));
        return at_;
    }

private:
    static constexpr std::size_t max_length = 0xFFFFFFFF;

    template <typename T>
    void put(T value) noexcept {
        store_le(at_, value);
        at_ += sizeof(T);
    }

    void indicate(unsigned bit) noexcept {
        indicators_ = indicators_ << 1U | bit;
        if (++count_ == 32) {
            store_le(indicators_at_, static_cast<std::uint32_t>(indicators_));
            indicators_at_ = at_;
            at_ += 4;
            indicators_ = 0;
            count_ = 0;
        }
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

    std::byte* at_;
    std::byte* indicators_at_;
    std::byte* half_used_ = nullptr; // the byte whose high nibble is free
    std::uint64_t indicators_ = 0;
    unsigned count_ = 0; // of indicators_
};

} // namespace

void compress(Bytes in, std::vector<std::byte>& out) {
    constexpr unsigned depth = 8;
    const std::size_t begin = out.size();
    // No item is longer than what it stands for; a word of indicators goes with each 32.
    out.resize(begin + in.size() + (in.size() / 32 + 1) * 4);
    MatchFinder finder(in, window, depth);
    Encoder encoder(out.data() + begin);
    parse(in, 0, in.size(), finder, encoder);
    out.resize(static_cast<std::size_t>(encoder.finish() - out.data()));
}

} // namespace etl::codec::xpress
