// Sorted addresses with an index of their beginnings by page, so that a search examines a few
// elements only. Private to symbols.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace etl::symbols {

class AddressIndex {
public:
    AddressIndex() = default;

    explicit AddressIndex(std::vector<std::uint32_t> sorted) : addresses_(std::move(sorted)) {
        if (addresses_.empty()) {
            return;
        }
        // About as many pages as addresses.
        const std::uint32_t span = addresses_.back() - addresses_.front();
        shift_ = static_cast<unsigned>(
            std::bit_width(static_cast<std::uint32_t>(span / addresses_.size())));
        pages_.reserve((span >> shift_) + 2UL);
        std::size_t below = 0;
        for (std::uint64_t begin = 0; begin <= span; begin += std::uint64_t{1} << shift_) {
            while (addresses_[below] - addresses_.front() < begin) {
                ++below;
            }
            pages_.push_back(static_cast<std::uint32_t>(below));
        }
        pages_.push_back(static_cast<std::uint32_t>(addresses_.size()));
    }

    /// Returns the number of elements at or below an address: that of the last one plus 1.
    std::size_t count_up_to(std::uint32_t address) const noexcept {
        if (addresses_.empty() || address < addresses_.front()) {
            return 0;
        }
        const std::size_t page =
            std::min<std::size_t>((address - addresses_.front()) >> shift_, pages_.size() - 2);
        const auto first = addresses_.begin() + pages_[page];
        const auto last = addresses_.begin() + pages_[page + 1];
        return static_cast<std::size_t>(std::upper_bound(first, last, address) -
                                        addresses_.begin());
    }

    std::uint32_t operator[](std::size_t i) const noexcept { return addresses_[i]; }

    std::size_t size() const noexcept { return addresses_.size(); }

    std::size_t memory() const noexcept {
        return (addresses_.capacity() + pages_.capacity()) * sizeof(std::uint32_t);
    }

private:
    std::vector<std::uint32_t> addresses_;
    std::vector<std::uint32_t> pages_; // number of addresses below each page; at last, all
    unsigned shift_ = 0;
};

/// Returns an index of sorted elements by one of their members.
template <typename T>
AddressIndex index_of(const std::vector<T>& sorted, std::uint32_t T::* key) {
    std::vector<std::uint32_t> addresses;
    addresses.reserve(sorted.size());
    for (const T& element : sorted) {
        addresses.push_back(element.*key);
    }
    return AddressIndex(std::move(addresses));
}

} // namespace etl::symbols
