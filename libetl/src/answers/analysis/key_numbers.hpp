// Numbers of keys. Private to analysis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace etl::analysis {

/// Gives each distinct key a number: 0, 1, and so on. A table in one piece, because events look up
/// the same few keys again and again.
template <typename Key, typename Hash>
class KeyNumbers {
public:
    std::size_t size() const noexcept { return keys_.size(); }

    /// By number.
    const std::vector<Key>& keys() const noexcept { return keys_; }

    static constexpr std::uint32_t none = UINT32_MAX;

    /// Returns the number of a key; none: it has none.
    std::uint32_t find(const Key& key) const noexcept {
        if (slots_.empty()) {
            return none;
        }
        for (std::size_t i = Hash{}(key)&mask(); slots_[i] != none; i = (i + 1) & mask()) {
            if (keys_[slots_[i]] == key) {
                return slots_[i];
            }
        }
        return none;
    }

    /// Gives a number to a key that has none. At most `none` keys can have one.
    std::uint32_t add(const Key& key) {
        constexpr std::size_t least = 64;
        if (2 * (keys_.size() + 1) > slots_.size()) {
            slots_.assign(slots_.empty() ? least : 2 * slots_.size(), none);
            for (std::uint32_t number = 0; number < keys_.size(); ++number) {
                insert(number);
            }
        }
        keys_.push_back(key);
        insert(static_cast<std::uint32_t>(keys_.size() - 1));
        return static_cast<std::uint32_t>(keys_.size() - 1);
    }

private:
    std::size_t mask() const noexcept { return slots_.size() - 1; } // a power of two

    void insert(std::uint32_t number) noexcept {
        std::size_t i = Hash{}(keys_[number]) & mask();
        while (slots_[i] != none) {
            i = (i + 1) & mask();
        }
        slots_[i] = number;
    }

    std::vector<Key> keys_;
    std::vector<std::uint32_t> slots_; // by hash; at most half are used
};

} // namespace etl::analysis
