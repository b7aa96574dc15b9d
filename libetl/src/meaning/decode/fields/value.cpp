#include "decode/value.hpp"

#include "base/layout.hpp"

namespace etl::decode {

std::uint64_t bits_of(const Value& value) noexcept {
    const std::byte* from = value.bytes.data();
    switch (value.bytes.size()) {
    case 1:
        return load_le<std::uint8_t>(from);
    case 2:
        return load_le<std::uint16_t>(from);
    case 4:
        return load_le<std::uint32_t>(from);
    case 8:
        return load_le<std::uint64_t>(from);
    default:
        return 0;
    }
}

std::int64_t signed_of(const Value& value) noexcept {
    const std::uint64_t bits = bits_of(value);
    const std::size_t size = value.bytes.size();
    if (!is_signed(value.form) || size == 0 || size >= 8) {
        return static_cast<std::int64_t>(bits);
    }
    const auto unused = static_cast<unsigned>(64 - 8 * size);
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::optional<Filetime> systemtime_of(const Value& value) noexcept {
    constexpr std::uint16_t first_year = 1601, last_year = 30827; // of Windows
    const auto part = [&](std::size_t number) {
        return load_le<std::uint16_t>(value.bytes.data() + 2 * number);
    };
    const CivilTime civil{.year = part(0),
                          .month = part(1),
                          .day = part(3),
                          .hour = part(4),
                          .minute = part(5),
                          .second = part(6),
                          .fraction = part(7) * 10'000U};
    const Filetime time = from_civil(civil);
    const CivilTime same = to_civil(time);
    const bool is_time = civil.year >= first_year && civil.year <= last_year &&
                         same.month == civil.month && same.day == civil.day && civil.hour < 24 &&
                         civil.minute < 60 && civil.second < 60 && part(7) < 1000;
    return is_time ? std::optional<Filetime>(time) : std::nullopt;
}

} // namespace etl::decode
