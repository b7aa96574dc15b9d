// Events of NDIS-PacketCapture, PktMon, and remote access capture as packets: fragments are put
// together, and the link type is corrected where the capture names a wrong one. Not thread-safe.
// docs/packets.md
//
//     packets::Extractor extractor;
//     while (const flow::Event* event = cursor.next()) {
//         extractor.add(*event, [&](const packets::Packet& packet) { ... });
//     }
//     extractor.finish([&](const packets::Packet& packet) { ... });
#pragma once

#include "base/function_ref.hpp"
#include "packets/packet.hpp"
#include "packets/rundown.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::packets {

// Values by place and link type, looked up for each packet. Not thread-safe.

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

/// Rundowns by trace number (flow::TraceInfo::file); null or absent: unknown.
using Rundowns = std::vector<std::shared_ptr<const Rundown>>;

/// The source of a packet at a virtual switch, and a user of remote access.
struct SwitchPort {
    std::string port, nic, type;
};

struct RemoteUser {
    std::string domain, user;

    auto operator<=>(const RemoteUser&) const = default;
};

/// Views; valid during the call.
using PacketReceiver = FunctionRef<void(const Packet& packet)>;

class Extractor {
public:
    struct Counts {
        std::uint64_t events = 0;     // that contain packets or fragments
        std::uint64_t incomplete = 0; // packets whose fragments are not all recorded
        std::uint64_t dropped = 0;    // fragments beyond limits
        std::uint64_t no_link = 0;    // without a link layer that a capture file can name (HTTP)
        std::uint64_t malformed = 0;  // events whose payload is too short for its layout
        std::uint64_t unknown_layouts = 0; // events that has_unknown_layout() holds for
    };

    explicit Extractor(Rundowns rundowns = {});
    ~Extractor();
    Extractor(const Extractor&) = delete;
    Extractor& operator=(const Extractor&) = delete;

    /// Passes the packet that the event completes, if any, to `to`. Before it, an earlier packet
    /// whose remaining fragments are missing, with the time of its last fragment.
    void add(const flow::Event& event, PacketReceiver to);

    /// Passes the packets whose fragments are not complete at the end. Events of the last runs need
    /// not be valid any more.
    void finish(PacketReceiver to);

    const Counts& counts() const noexcept { return counts_; }

    /// Users of remote access, by Place::id.
    const std::vector<RemoteUser>& users() const noexcept { return users_; }

    /// Routing domains of remote access, as recorded: `{GUID}`; without the nil GUID. Those that
    /// differ in case are one.
    const std::vector<std::string>& routing_domains() const noexcept { return domains_; }

    /// The source at a virtual switch; null: unknown.
    const SwitchPort* switch_port(const Place& place) const noexcept;

    /// Of a trace, by its number; null: unknown.
    const Rundown* rundown(std::uint32_t trace) const noexcept {
        return trace < rundowns_.size() ? rundowns_[trace].get() : nullptr;
    }

private:
    struct Fragment;
    struct FragmentKey;
    struct OpenPacket;
    class OpenPackets;

    void add_pktmon(const flow::Event& event, bool is_drop, PacketReceiver to);
    void add_ndis(const flow::Event& event, bool at_switch, PacketReceiver to);
    void add_ras(const flow::Event& event, PacketReceiver to);
    std::optional<std::uint32_t> number_of_user(Bytes domain, Bytes user);
    std::uint32_t number_of_domain(const std::string& domain);
    void add_reception(const flow::Event& event);
    void add_fragment(const Fragment& fragment, PacketReceiver to);
    void complete(const FragmentKey& key, const flow::Event* last, PacketReceiver to);
    void deliver(Packet& packet, PacketReceiver to);
    LinkType pktmon_link(std::uint32_t trace, std::uint16_t component, std::uint16_t type,
                         Bytes data) const noexcept;

    Rundowns rundowns_;
    Counts counts_;
    std::unique_ptr<OpenPackets> open_;
    std::map<Place, WifiReception> receptions_; // of the next packet
    PlaceTable<SwitchPort> ports_;
    std::vector<RemoteUser> users_;
    std::map<RemoteUser, std::uint32_t> user_numbers_;
    std::vector<std::uint32_t> user_domains_; // by user; 0: none
    std::vector<std::string> domains_;
    std::map<std::string, std::uint32_t> domain_numbers_; // in lowercase, from 1 on
    std::vector<std::byte> last_domain_, last_user_;      // as stored, of the last packet
    std::uint32_t last_number_ = 0;
    std::vector<std::byte> scratch_;
};

} // namespace etl::packets
