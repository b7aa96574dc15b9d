// Values by place and link type, looked up for each packet. Not thread-safe.
#pragma once

#include "packets/packet.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace etl::packets {

/// A hash table with open addressing: a look-up costs a multiplication and, mostly, one
/// comparison. Entries are never removed; pointers are valid until the next add().
template <class Value>
class PlaceTable {
public:
    std::size_t size() const noexcept { return size_; }

    /// Null: absent.
    Value* find(const Place& place, LinkType link) noexcept {
        const std::size_t at = index_of(place, link);
        return at < slots_.size() && slots_[at].is_used ? &slots_[at].value : nullptr;
    }

    const Value* find(const Place& place, LinkType link) const noexcept {
        const std::size_t at = index_of(place, link);
        return at < slots_.size() && slots_[at].is_used ? &slots_[at].value : nullptr;
    }

    /// Requires that find() returns null.
    Value& add(const Place& place, LinkType link, Value value) {
        constexpr std::size_t min = 64;
        if (2 * (size_ + 1) > slots_.size()) {
            std::vector<Slot> old(slots_.empty() ? min : 2 * slots_.size());
            old.swap(slots_);
            for (Slot& slot : old) {
                if (slot.is_used) {
                    slots_[index_of(slot.place, slot.link)] = std::move(slot);
                }
            }
        }
        ++size_;
        Slot& slot = slots_[index_of(place, link)];
        slot = {place, link, true, std::move(value)};
        return slot.value;
    }

private:
    struct Slot {
        Place place;
        LinkType link = LinkType::none;
        bool is_used = false;
        Value value{};
    };

    static std::size_t hash(const Place& place, LinkType link) noexcept {
        constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
        std::uint64_t bits = std::uint64_t{place.id} << 32U | place.port;
        bits = (bits ^ std::uint64_t{place.trace} << 16U ^ place.vlan) * odd;
        bits ^= static_cast<std::uint64_t>(link) << 8U | static_cast<std::uint64_t>(place.kind);
        return static_cast<std::size_t>(bits * odd >> 32U);
    }

    /// The slot of the key, or the free one where it belongs: there always is one. 0 if empty.
    std::size_t index_of(const Place& place, LinkType link) const noexcept {
        if (slots_.empty()) {
            return 0;
        }
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash(place, link) & mask;
        while (slots_[at].is_used && !(slots_[at].place == place && slots_[at].link == link)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    std::vector<Slot> slots_; // a power of two of them, at most half of them used
    std::size_t size_ = 0;
};

} // namespace etl::packets
