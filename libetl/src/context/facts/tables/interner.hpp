// Keeps one copy of each sequence. Private to facts. One thread; spans stay good for its life.
#pragma once

#include "facts/facts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace etl::facts {

template <typename T>
class Interner {
public:
    explicit Interner(std::size_t budget_bytes) : budget_(budget_bytes) {}

    /// The number of an equal item, 1 or more; 0 for an empty one. None: it is new and the budget
    /// is spent. `hash` depends on the elements only.
    std::optional<std::uint32_t> add(std::span<const T> item, std::uint64_t hash) {
        if (item.empty()) {
            return 0;
        }
        if (2 * items_.size() >= slots_.size()) {
            grow();
        }
        std::size_t slot = hash & (slots_.size() - 1);
        unsigned tries = 0;
        for (; tries < max_tries && slots_[slot] != 0; ++tries) {
            const std::uint32_t id = slots_[slot];
            if (hashes_[id - 1] == hash && std::ranges::equal(items_[id - 1], item)) {
                return id;
            }
            slot = (slot + 1) & (slots_.size() - 1);
        }
        if (!charge(item.size_bytes() + cost_of_item)) {
            return std::nullopt;
        }
        items_.push_back(keep(item));
        hashes_.push_back(hash);
        const auto id = static_cast<std::uint32_t>(items_.size());
        if (tries < max_tries) {
            slots_[slot] = id;
        }
        return id;
    }

    /// Takes from the budget for what belongs to the items; false: there is not enough left.
    bool charge(std::size_t bytes) noexcept {
        if (bytes > budget_ - used_) {
            return false;
        }
        used_ += bytes;
        return true;
    }

    std::span<const T> operator[](std::uint32_t id) const noexcept {
        return id == 0 || id > items_.size() ? std::span<const T>{} : items_[id - 1];
    }

    std::size_t used() const noexcept { return used_; }

    std::size_t size() const noexcept { return items_.size(); }

    /// Nothing will be added any more.
    void freeze() {
        slots_ = {};
        hashes_ = {};
    }

private:
    static constexpr std::size_t chunk = (1U << 18U) / sizeof(T);
    /// Many items of one hash must not make adding slow: some of them are then kept twice.
    static constexpr unsigned max_tries = 64;
    static constexpr std::size_t cost_of_item =
        sizeof(std::span<const T>) + sizeof(std::uint64_t) + 4 * sizeof(std::uint32_t);

    std::span<const T> keep(std::span<const T> item) {
        if (item.size() > left_.size()) {
            const std::size_t size = std::max(chunk, item.size());
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(size));
            left_ = {chunks_.back().get(), size};
        }
        std::ranges::copy(item, left_.begin());
        const auto kept = left_.first(item.size());
        left_ = left_.subspan(item.size());
        return kept;
    }

    void grow() {
        slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), 0);
        for (std::uint32_t id = 1; id <= items_.size(); ++id) {
            std::size_t slot = hashes_[id - 1] & (slots_.size() - 1);
            unsigned tries = 0;
            for (; tries < max_tries && slots_[slot] != 0; ++tries) {
                slot = (slot + 1) & (slots_.size() - 1);
            }
            if (tries < max_tries) {
                slots_[slot] = id;
            }
        }
    }

    std::size_t budget_;
    std::size_t used_ = 0;
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::span<T> left_; // of the last chunk
    std::vector<std::span<const T>> items_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> slots_; // a power of two; 0: free, else a number
};

// Identities of images as texts, so that equal ones are kept once.

/// Appends GUID, age, and name. Nothing for the identity of no file.
inline void append_pdb_text(std::string& to, const Guid& guid, std::uint32_t age,
                            std::string_view name) {
    if (guid.is_zero()) {
        return;
    }
    std::array<char, sizeof guid + sizeof age> fixed{};
    std::memcpy(fixed.data(), &guid, sizeof guid);
    std::memcpy(fixed.data() + sizeof guid, &age, sizeof age);
    to.append(fixed.data(), fixed.size()).append(name);
}

inline std::optional<PdbIdentity> pdb_of_text(std::string_view text) noexcept {
    PdbIdentity pdb;
    constexpr std::size_t fixed = sizeof pdb.guid + sizeof pdb.age;
    if (text.size() < fixed) {
        return std::nullopt;
    }
    std::memcpy(&pdb.guid, text.data(), sizeof pdb.guid);
    std::memcpy(&pdb.age, text.data() + sizeof pdb.guid, sizeof pdb.age);
    pdb.name = text.substr(fixed);
    return pdb;
}

/// Appends time stamp and name.
inline void append_info_text(std::string& to, std::uint32_t stamp, std::string_view name) {
    std::array<char, sizeof stamp> fixed{};
    std::memcpy(fixed.data(), &stamp, sizeof stamp);
    to.append(fixed.data(), fixed.size()).append(name);
}

/// A time stamp and a name.
struct InfoText {
    std::uint32_t time_date_stamp = 0;
    std::string_view name;
};

inline InfoText info_of_text(std::string_view text) noexcept {
    InfoText info;
    if (text.size() >= sizeof info.time_date_stamp) {
        std::memcpy(&info.time_date_stamp, text.data(), sizeof info.time_date_stamp);
        info.name = text.substr(sizeof info.time_date_stamp);
    }
    return info;
}

} // namespace etl::facts
