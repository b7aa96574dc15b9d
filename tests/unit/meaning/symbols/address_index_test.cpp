// Search through the index equals search of the whole array, wherever the elements are.
#include "symbols/address_index.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace etl::symbols::address_index_test {
namespace {

struct Element {
    std::uint32_t address = 0;
    std::uint32_t number = 0;
};

using Index = AddressIndex<Element, &Element::address>;

constexpr std::uint32_t last_address = std::numeric_limits<std::uint32_t>::max();

std::vector<Element> elements_at(const std::vector<std::uint32_t>& addresses) {
    std::vector<Element> result;
    for (const std::uint32_t address : addresses) {
        result.push_back({address, static_cast<std::uint32_t>(result.size())});
    }
    return result;
}

const Element* found_in_all(std::span<const Element> sorted, std::uint32_t address) {
    const auto above = std::ranges::upper_bound(sorted, address, {}, &Element::address);
    return above == sorted.begin() ? nullptr : &*(above - 1);
}

/// Looks for the addresses of all elements and their neighbors.
void expect_equal_search(const std::vector<Element>& sorted) {
    const Index index(sorted);
    const auto expect_at = [&](std::uint32_t address) {
        EXPECT_EQ(index.find(sorted, address), found_in_all(sorted, address)) << address;
    };
    expect_at(0);
    expect_at(last_address);
    for (const Element& element : sorted) {
        expect_at(element.address - 1);
        expect_at(element.address);
        expect_at(element.address + 1);
    }
}

TEST(AddressIndex, FindsNothingWithoutElements) {
    EXPECT_EQ(Index().find({}, 5), nullptr);
    EXPECT_EQ(Index(std::span<const Element>{}).find({}, 5), nullptr);
}

TEST(AddressIndex, FindsNothingBelowTheFirst) {
    const auto sorted = elements_at({0x1000, 0x2000});
    EXPECT_EQ(Index(sorted).find(sorted, 0xFFF), nullptr);
}

TEST(AddressIndex, FindsTheLastOfSeveralAtOneAddress) {
    const auto sorted = elements_at({0x10, 0x20, 0x20, 0x20, 0x30});
    ASSERT_NE(Index(sorted).find(sorted, 0x2F), nullptr);
    EXPECT_EQ(Index(sorted).find(sorted, 0x2F)->number, 3);
}

TEST(AddressIndex, EqualsSearchOfTheWholeArray) {
    expect_equal_search(elements_at({7}));
    expect_equal_search(elements_at({5, 5, 5}));
    expect_equal_search(elements_at({0, last_address}));
    std::vector<std::uint32_t> evenly, at_both_ends, doubling;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        evenly.push_back(0x1000 + i * 0x80);
        at_both_ends.push_back(i < 500 ? i : last_address - 1000 + i);
    }
    for (std::uint32_t address = 1; address < last_address / 2; address *= 2) {
        doubling.push_back(address);
    }
    expect_equal_search(elements_at(evenly));
    expect_equal_search(elements_at(at_both_ends));
    expect_equal_search(elements_at(doubling));
}

TEST(AddressIndex, HasAtMostTwoEntriesPerElement) {
    for (const std::uint32_t distance : {1U, 2U, 3U, 0x80U, 0xFFFU, 0x1000U}) {
        std::vector<std::uint32_t> addresses;
        for (std::uint32_t i = 0; i < 1000; ++i) {
            addresses.push_back(i * distance);
        }
        const auto sorted = elements_at(addresses);
        EXPECT_LE(Index(sorted).memory(), (2 * sorted.size() + 2) * sizeof(std::uint32_t));
    }
}

} // namespace
} // namespace etl::symbols::address_index_test
