// Keys of rows, and their numbers. Private to analysis.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace etl::analysis {

/// Numbers that identify a row; their meaning is that of the table.
using GroupKey = std::array<std::uint64_t, 3>;

/// Part of a key: null.
inline constexpr std::uint64_t no_part = 0xFFFFFFFFFFFFFFFF;

struct GroupKeyHash {
    std::size_t operator()(const GroupKey& key) const noexcept {
        std::uint64_t hash = 0;
        for (const std::uint64_t part : key) {
            hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 29U;
        }
        return hash;
    }
};

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
            if (are_equal(keys_[slots_[i]], key)) {
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
    template <typename T>
    static bool are_equal(const T& one, const T& other) noexcept {
        return one == other;
    }

    /// Of arrays, `==` would be a call of memcmp().
    static bool are_equal(const GroupKey& one, const GroupKey& other) noexcept {
        return ((one[0] ^ other[0]) | (one[1] ^ other[1]) | (one[2] ^ other[2])) == 0;
    }

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
