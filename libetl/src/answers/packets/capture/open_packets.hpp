// Packets of which fragments are missing. Private to packets.
#pragma once

#include "packets/extractor.hpp"
#include "packets/limits.hpp"

#include <algorithm>
#include <utility>

namespace etl::packets {

/// A packet, or a part of one, with its place among the other parts.
struct Extractor::Fragment {
    Packet& packet;
    bool is_first = false, is_last = false;
    /// Of a capture that may not mark parts: without marks, a packet that no part precedes is
    /// complete.
    bool can_be_unmarked = false;
};

/// Fragments of one packet come from one processor and thread; those of others are between them.
/// The place is without the VLAN, which only the first of them may have.
struct Extractor::FragmentKey {
    std::uint16_t processor = 0;
    std::uint32_t process_id = 0, thread_id = 0;
    Place place;
    Direction direction = Direction::unknown;

    auto operator<=>(const FragmentKey&) const = default;
};

struct Extractor::OpenPacket {
    Packet packet; // of the last fragment, without data
    std::vector<std::byte> data;
    bool has_first = false;
    std::uint64_t dropped = 0; // bytes
};

class Extractor::OpenPackets {
public:
    /// Null: none.
    OpenPacket* find(const FragmentKey& key) {
        const auto found = open_.find(key);
        return found == open_.end() ? nullptr : &found->second;
    }

    /// Null: too many.
    OpenPacket* begin(const FragmentKey& key) {
        if (open_.size() >= limits::open_packets) {
            return nullptr;
        }
        OpenPacket& packet = open_[key];
        packet.data = std::exchange(spare_, {});
        return &packet;
    }

    /// Returns false if data were left out.
    bool append(OpenPacket& to, Bytes data) {
        const std::size_t most =
            std::min(limits::packet_bytes - to.data.size(), limits::open_packet_bytes - bytes_);
        const Bytes part = data.first(std::min(data.size(), most));
        to.data.insert(to.data.end(), part.begin(), part.end());
        to.dropped += data.size() - part.size();
        bytes_ += part.size();
        return part.size() == data.size();
    }

    OpenPacket take(const FragmentKey& key) {
        OpenPacket packet = std::move(open_.extract(key).mapped());
        bytes_ -= packet.data.size();
        return packet;
    }

    /// Gives back the memory of a packet that was taken.
    void reuse(OpenPacket&& packet) {
        spare_ = std::move(packet.data);
        spare_.clear();
    }

    bool empty() const noexcept { return open_.empty(); }

    /// Requires !empty(). In the order of keys, which is that of the output at the end.
    FragmentKey first() const {
        return std::ranges::min_element(open_, {}, [](const auto& one) { return one.first; })
            ->first;
    }

private:
    struct Hash {
        std::size_t operator()(const FragmentKey& key) const noexcept {
            constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
            std::uint64_t bits = std::uint64_t{key.thread_id} << 32U | key.process_id;
            bits = (bits ^ key.processor) * odd;
            bits ^= std::uint64_t{key.place.id} << 8U | static_cast<std::uint64_t>(key.direction);
            return static_cast<std::size_t>(bits * odd >> 32U);
        }
    };

    std::unordered_map<FragmentKey, OpenPacket, Hash> open_;
    std::vector<std::byte> spare_; // empty, for the next packet
    std::size_t bytes_ = 0;
};

} // namespace etl::packets
