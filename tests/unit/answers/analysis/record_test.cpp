// The number in a field equals its bytes, wherever the field is in the payload.
#include "analysis/analyzer.hpp"

#include <gtest/gtest.h>

namespace etl::analysis::record_test {
namespace {

constexpr auto payload_bytes = [] {
    std::array<std::byte, 20> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(0x81 + i);
    }
    return bytes;
}();

std::uint64_t number_of(Bytes bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        number = number << 8U | std::to_integer<std::uint64_t>(bytes[i]);
    }
    return number;
}

TEST(Record, ReadsNumbersAtAnyPlace) {
    for (std::size_t length = 0; length <= payload_bytes.size(); ++length) {
        const Bytes payload = Bytes(payload_bytes).first(length);
        for (const std::uint8_t size : std::initializer_list<std::uint8_t>{1, 2, 4, 8}) {
            for (std::uint16_t offset = 0; offset <= payload_bytes.size(); ++offset) {
                const FieldPlace place{offset, size, ~std::uint64_t{0} >> (64U - 8U * size)};
                const Record record{.payload = payload, .places = &place};
                const bool is_inside = std::size_t{offset} + size <= length;
                EXPECT_EQ(record.has(0), is_inside);
                EXPECT_EQ(record.number(0),
                          is_inside ? number_of(payload.subspan(offset, size)) : 0)
                    << length << " bytes, " << int{size} << " at " << offset;
            }
        }
    }
}

} // namespace
} // namespace etl::analysis::record_test
