// Captured packets of every kind, for tests of `etl pcapng`, `packets`, and `flows`. Payloads are
// those of 64-bit Windows; layouts: docs/packets.md#events. It records what it captured, by
// definitions of its own. One thread. docs/generate.md#capture
#pragma once

#include <etl/byte_writer.hpp>

#include "generate/conversations.hpp"
#include "generate/generate.hpp"
#include "generate/random.hpp"
#include "trace/writer.hpp"

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etl::generate {

class Capture {
public:
    Capture(const Recipe& recipe, trace::Writer& writer);

    /// Writes the next packet at all places where it is seen; false if the trace is complete.
    bool next();

    std::uint64_t events() const noexcept { return events_; }

    /// In 100 ns.
    std::int64_t elapsed() const noexcept { return time_ - base_; }

    /// Returns what the trace contains, in lines: docs/generate.md#capture. Call once, at the end.
    std::string truth() const;

private:
    /// Where packets are seen, as an interface of a capture file.
    struct Place {
        std::string_view name, description{};
        bool is_adapter = true;
        std::string_view mac{}, address{};
    };

    struct PlaceCounts {
        Place place;
        std::uint64_t packets = 0;
        std::optional<std::uint64_t> received, dropped; // as the rundown counts
    };

    /// The texts of the interface of a user, who is in a routing domain.
    struct RemoteUser {
        std::string name, description;
    };

    /// How a packet is seen somewhere.
    struct Seen {
        const Place* place = nullptr;
        unsigned link = 1; // LINKTYPE
        bool is_sent = false, is_large = false;
        std::uint16_t vlan = 0;          // 0: none
        std::uint32_t hash = 0;          // 0: none
        std::size_t captured = SIZE_MAX; // at most
        std::uint32_t drop = 0;
        std::optional<std::uint64_t> group{};
        std::string_view comment{};
    };

    /// A packet whose last fragments follow.
    struct Open {
        Segment segment;
        std::vector<std::byte> frame;
        std::size_t written = 0;
        std::uint64_t keywords = 0;
        std::uint16_t processor = 0;
    };

    /// An interface of NDIS-PacketCapture.
    struct NdisPlace {
        Place place;
        std::uint32_t adapter = 0, index = 0;
        std::uint64_t keywords = 1; // Ethernet
        unsigned link = 1;
    };

    /// Metadata of a packet at a virtual switch: slots of NDIS_NET_BUFFER_LIST_INFO.
    struct OutOfBand {
        std::uint64_t large_send = 0, tag = 0, hash = 0;
    };

    /// A place that PktMon sees packets at. `type`: what it calls them, 1 Ethernet or 2 802.11.
    struct Step {
        Place place;
        std::uint16_t component = 0, edge = 0;
        unsigned link = 1;
        std::uint16_t type = 1;
    };

    /// A component of a rundown. Less than 0: without the property.
    struct Component {
        std::uint16_t id, type;
        std::u16string_view name;
        std::int32_t if_index = -1, miniport = -1, medium = -1, vlan = -1;
    };

    /// The functions of a Way: for a packet, for what precedes all packets, and for what follows.
    struct WayFunctions {
        void (Capture::*capture)(const Segment&);
        void (Capture::*start)() = nullptr;
        void (Capture::*stop)() = nullptr;
    };

    static const WayFunctions& functions_of(Way way) noexcept;
    void advance();
    void put(const Guid& provider, std::uint16_t id, std::uint64_t keyword);
    void record(const Seen& seen, Bytes data, std::size_t original);
    std::size_t pick_conversation();
    void call_all(void (Capture::* WayFunctions::*function)());
    void put_resolution(const DnsResult& result);
    std::string interface_truth() const;

    void put_ndis(const Segment& segment, const NdisPlace& at, Bytes frame, Seen seen);
    void put_switch(const Segment& segment, std::uint32_t port, const OutOfBand& metadata,
                    Seen seen);
    void capture_ndis(const Segment& segment);
    void capture_wifi(const Segment& segment);
    void capture_mobile(const Segment& segment);
    void capture_tagged(const Segment& segment);
    void capture_twice_tagged(const Segment& segment);
    void capture_segmented(const Segment& segment);
    void capture_layers(const Segment& segment);
    void start_layers();
    void put_layers(std::uint16_t id);
    void stop_layers();
    void begin_fragments(const Segment& segment);
    void continue_fragments(std::size_t number);
    void capture_at_switch(const Segment& segment);
    void capture_at_tagged_switch(const Segment& segment);
    void capture_at_segmented_switch(const Segment& segment);
    void capture_remote(const Segment& segment);
    void capture_other_user(const Segment& segment);
    void capture_other_domain(const Segment& segment);
    void put_remote(const Segment& segment, std::string_view domain, std::string_view user);

    void put_pktmon(const Seen& seen, const Step& step, Bytes frame, std::uint16_t appearance);
    void put_along(const Segment& segment, std::span<const Step> steps, Seen seen, Bytes ethernet,
                   Bytes wifi);
    void put_drop(const Segment& segment, const Step& step, std::uint32_t reason);
    void capture_stack(const Segment& segment);
    void capture_wifi_stack(const Segment& segment);
    void capture_newer_stack(const Segment& segment);
    void stop_stack();
    void stop_wifi_stack();
    void stop_newer_stack();
    void put_components(std::span<const Component> components, std::uint16_t medium_event);
    void put_property(std::uint16_t event, std::uint16_t component, std::uint16_t property,
                      std::int32_t value);
    void put_counters(std::string_view place, std::uint16_t component, std::uint16_t edge,
                      std::u16string_view name);
    void put_filter(std::uint16_t number, std::u16string_view name, std::uint8_t protocol,
                    std::uint16_t port);

    const Recipe* recipe_;
    trace::Writer* writer_;
    Random random_;
    Conversations conversations_;
    std::vector<std::pair<std::uint64_t, std::size_t>> choices_; // weights so far, conversation
    std::vector<Way> ways_;                                      // of the choices
    ByteWriter payload_;
    std::deque<Open> open_;
    std::string lines_;
    std::map<std::string, PlaceCounts, std::less<>> places_;
    std::map<std::pair<std::string_view, std::string_view>, RemoteUser> users_;
    std::string ndis_filter_, pktmon_filter_;
    std::uint64_t events_ = 0, group_ = 0, resolutions_ = 0;
    std::int64_t base_, time_;
    std::uint16_t processor_ = 0;
    bool is_started_ = false, is_complete_ = false;
};

} // namespace etl::generate
