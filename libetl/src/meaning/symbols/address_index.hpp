// An index of sorted elements by pages of their addresses, so that a search reads one entry of the
// index and the few elements of one page. The elements stay where they are: in most searches the
// first one that is read is the result. Private to symbols.
#pragma once

#include "symbols/source.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace etl::symbols {

/// Indexes elements of type T by their member `key`. At most two entries per element.
template <typename T, std::uint32_t T::* key>
class AddressIndex {
public:
    /// What a search reads besides the elements. Valid as long as the index and the elements.
    class View {
    public:
        View() = default;

        /// Returns the last element at or below an address; null if there is none.
        const T* find(std::uint32_t address) const noexcept {
            if (last_page_ == no_page || address < first_) {
                return nullptr;
            }
            const std::uint32_t page = std::min((address - first_) >> shift_, last_page_);
            // The one before the page is the result if all of the page are above.
            const std::uint32_t begin = std::max(pages_[page], 1U) - 1U;
            return last_at_or_below(std::span(sorted_ + begin, sorted_ + pages_[page + 1]), address,
                                    key);
        }

    private:
        friend AddressIndex;
        static constexpr std::uint32_t no_page = 0xFFFFFFFF;

        const T* sorted_ = nullptr;
        const std::uint32_t* pages_ = nullptr;
        std::uint32_t first_ = 0;
        std::uint32_t last_page_ = no_page;
        unsigned shift_ = 0;
    };

    AddressIndex() = default;

    explicit AddressIndex(std::span<const T> sorted) {
        if (sorted.empty()) {
            return;
        }
        first_ = sorted.front().*key;
        // About as many pages as elements.
        const std::uint32_t extent = sorted.back().*key - first_;
        shift_ = static_cast<unsigned>(
            std::bit_width(static_cast<std::uint32_t>(extent / sorted.size())));
        pages_.reserve((extent >> shift_) + 2UL);
        std::size_t below = 0;
        for (std::uint64_t begin = 0; begin <= extent; begin += std::uint64_t{1} << shift_) {
            while (sorted[below].*key - first_ < begin) {
                ++below;
            }
            pages_.push_back(static_cast<std::uint32_t>(below));
        }
        pages_.push_back(static_cast<std::uint32_t>(sorted.size()));
    }

    /// `sorted` is what the index was made of.
    View view(std::span<const T> sorted) const noexcept {
        View result;
        if (!pages_.empty()) {
            result.sorted_ = sorted.data();
            result.pages_ = pages_.data();
            result.first_ = first_;
            result.last_page_ = static_cast<std::uint32_t>(pages_.size() - 2);
            result.shift_ = shift_;
        }
        return result;
    }

    /// Searches `sorted`, which is what the index was made of.
    const T* find(std::span<const T> sorted, std::uint32_t address) const noexcept {
        return view(sorted).find(address);
    }

    std::size_t memory() const noexcept { return pages_.capacity() * sizeof(std::uint32_t); }

private:
    std::vector<std::uint32_t> pages_; // number of elements below each page; at last, all
    std::uint32_t first_ = 0;          // address of the first element
    unsigned shift_ = 0;
};

} // namespace etl::symbols
