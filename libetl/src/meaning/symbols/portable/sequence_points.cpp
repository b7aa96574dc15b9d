#include "symbols/portable/sequence_points.hpp"

namespace etl::symbols {

std::uint32_t CompressedReader::take(std::size_t size) noexcept {
    if (bytes_.size() < size) {
        bytes_ = {};
        return 0;
    }
    std::uint32_t result = 0;
    for (const std::byte byte : bytes_.first(size)) {
        result = result << 8U | std::to_integer<std::uint32_t>(byte);
    }
    bytes_ = bytes_.subspan(size);
    return result;
}

// The high bits of the first byte specify the size; the first byte is the most significant one.
std::uint32_t CompressedReader::number() noexcept {
    sign_width_ = 6;
    if (bytes_.empty()) {
        return 0;
    }
    const auto first = std::to_integer<unsigned>(bytes_[0]);
    if ((first & 0x80U) == 0) {
        return take(1);
    }
    if ((first & 0xC0U) == 0x80U) {
        sign_width_ = 13;
        return take(2) & 0x3FFFU;
    }
    if ((first & 0xE0U) == 0xC0U) {
        sign_width_ = 28;
        return take(4) & 0x1FFF'FFFFU;
    }
    bytes_ = {};
    return 0;
}

// The sign is the lowest bit; the other bits are the two's complement without it.
std::uint32_t CompressedReader::signed_number() noexcept {
    const std::uint32_t value = number();
    const std::uint32_t magnitude = value >> 1U;
    return (value & 1U) == 0 ? magnitude : magnitude | ~std::uint32_t{0} << sign_width_;
}

SequencePoints::SequencePoints(Bytes blob, std::uint32_t document) noexcept : in_(blob) {
    in_.number(); // signature of the local variables
    last_.document = document != 0 ? document : in_.number();
}

std::optional<SequencePoint> SequencePoints::next() noexcept {
    while (!in_.is_at_end()) {
        const std::uint32_t distance = in_.number();
        if (distance == 0 && !is_first_) {
            last_.document = in_.number();
            continue;
        }
        is_first_ = false;
        last_.il_offset += distance;
        const std::uint32_t lines = in_.number();
        const std::uint32_t columns = lines == 0 ? in_.number() : in_.signed_number();
        if (lines == 0 && columns == 0) {
            last_.line = 0;
            return last_;
        }
        line_ = has_visible_ ? line_ + in_.signed_number() : in_.number();
        if (has_visible_) {
            in_.signed_number(); // column
        } else {
            in_.number();
        }
        has_visible_ = true;
        last_.line = line_;
        return last_;
    }
    return std::nullopt;
}

} // namespace etl::symbols
