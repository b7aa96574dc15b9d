// Packets as NDIS-PacketCapture and remote access capture record them.
#include "base/text.hpp"
#include "format/known_guids.hpp"
#include "generate/capture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace etl::generate {

namespace {

using format::ndis_capture_guid;
using format::ras_capture_guid;

namespace keyword {
constexpr std::uint64_t wwan = 0x200, wifi = 0x10000, vm_switch = 0x1000000, start = 0x40000000,
                        end = 0x80000000, send = 0x100000000, receive = 0x200000000,
                        configuration = 0xC000000000;
} // namespace keyword

constexpr std::uint64_t complete_packet = keyword::start | keyword::end;
constexpr std::uint32_t tea_adapter = 30, tea_filter = 31;
constexpr std::string_view first_domain = "{00000000-0000-0000-0000-000000000000}";

std::uint64_t direction(const Segment& segment) noexcept {
    return segment.is_forward ? keyword::send : keyword::receive;
}

std::uint32_t size32(Bytes bytes) noexcept {
    return static_cast<std::uint32_t>(bytes.size());
}

} // namespace

/// `seen`: what the place and the segment do not determine.
void Capture::put_ndis(const Segment& segment, const NdisPlace& at, Bytes frame, Seen seen) {
    payload_.u32(at.adapter).u32(at.index).u32(size32(frame)).bytes(frame);
    if (seen.vlan != 0) {
        payload_.u64(segment.conversation).u64(0); // GftFlowEntryId, ...: since Windows 10
    }
    put(ndis_capture_guid, 1001, complete_packet | direction(segment) | at.keywords);
    seen.place = &at.place;
    seen.link = at.link;
    seen.is_sent = segment.is_forward;
    seen.is_large = segment.is_large;
    record(seen, frame, frame.size());
}

void Capture::capture_ndis(const Segment& segment) {
    static constexpr NdisPlace at{.place = {"ndis:7"}, .adapter = 7, .index = 7};
    const auto frame = ethernet_frame(segment);
    put_ndis(segment, at, frame, {});
    conversations_.add(segment, frame.size());
}

void Capture::capture_wifi(const Segment& segment) {
    static constexpr NdisPlace at{
        .place = {"ndis:8"}, .adapter = 8, .index = 8, .keywords = keyword::wifi, .link = 105};
    const auto frame = wifi_frame(segment);
    if (!segment.is_forward) { // how it was received
        payload_.u32(8).u32(8).u32(48).u32(0).u32(0).u32(7).u32(2412).u16(1).u16(0);
        payload_.u32(static_cast<std::uint32_t>(-60)).u8(108).fill(23);
        put(ndis_capture_guid, 1002, keyword::wifi);
    }
    put_ndis(
        segment, at, frame,
        {.comment = segment.is_forward ? "" : "received by 802.11n at 2412 MHz, -60 dBm, 54 Mb/s"});
    conversations_.add(segment, frame.size());
}

/// Mobile broadband: the packet begins with the IP header.
void Capture::capture_mobile(const Segment& segment) {
    static constexpr NdisPlace at{
        .place = {"ndis:10"}, .adapter = 10, .index = 10, .keywords = keyword::wwan, .link = 101};
    put_ndis(segment, at, segment.packet, {});
    conversations_.add(segment, segment.packet.size());
}

void Capture::capture_tagged(const Segment& segment) {
    static constexpr NdisPlace at{.place = {"ndis:11"}, .adapter = 11, .index = 11};
    constexpr std::uint16_t priority = 5U << 13U, vlan = 100;
    const std::array<Tag, 1> tags{{{.control = priority | vlan}}};
    const auto frame = ethernet_frame(segment, tags);
    put_ndis(segment, at, frame, {.vlan = vlan});
    conversations_.add(segment, frame.size());
}

/// A tag of the provider around that of the customer.
void Capture::capture_twice_tagged(const Segment& segment) {
    static constexpr NdisPlace at{.place = {"ndis:12"}, .adapter = 12, .index = 12};
    constexpr std::uint16_t service = 0x88A8, outer = 200, inner = 100;
    const std::array<Tag, 2> tags{{{service, outer}, {.control = inner}}};
    const auto frame = ethernet_frame(segment, tags);
    put_ndis(segment, at, frame, {.vlan = outer});
    conversations_.add(segment, frame.size());
}

void Capture::capture_segmented(const Segment& segment) {
    static constexpr NdisPlace at{.place = {"ndis:13"}, .adapter = 13, .index = 13};
    const auto frame = ethernet_frame(segment);
    put_ndis(segment, at, frame, {});
    conversations_.add(segment, frame.size());
}

/// At an adapter and at a filter above it: a capture of several layers.
void Capture::capture_layers(const Segment& segment) {
    static constexpr std::array<NdisPlace, 2> places{
        {{.place = {"ndis:30", "Tea adapter; Ethernet; adapter interface index 30"},
          .adapter = tea_adapter,
          .index = tea_adapter},
         {.place = {"ndis:31", "Tea filter; Ethernet; adapter interface index 30", false},
          .adapter = tea_adapter,
          .index = tea_filter}}};
    const auto frame = ethernet_frame(segment);
    for (std::size_t i = 0; i < places.size(); ++i) {
        put_ndis(segment, places[segment.is_forward ? places.size() - 1 - i : i], frame, {});
        time_ += random_.between<std::int64_t>(1, 20);
    }
    conversations_.add(segment, frame.size());
}

/// 1014 or 1015: the layers, with the adapter and the medium of each.
void Capture::put_layers(std::uint16_t id) {
    constexpr std::uint64_t global = 0x8000000000;
    constexpr std::uint32_t ethernet = 0;
    for (const std::uint32_t index : {tea_adapter, tea_filter}) {
        payload_.u32(tea_adapter).u32(index).u32(ethernet).u32(index);
        put(ndis_capture_guid, id, global);
    }
}

/// The capture starts: driver, layers, and the rules.
void Capture::start_layers() {
    constexpr std::uint8_t multilayer = 3, truncate = 17, equal = 3;
    put(ndis_capture_guid, 5000, 0x200000000000);
    payload_.zero_terminated16(u"Tea capture").zero_terminated16(u"{0}");
    payload_.zero_terminated16(u"TeaCap").zero_terminated16(u"1.0");
    put(ndis_capture_guid, 1012, 0x8000000000);
    put_layers(1014);
    payload_.u32(2); // rules
    put(ndis_capture_guid, 1011, keyword::configuration);
    payload_.u8(multilayer).u8(equal).u16(1).u8(1);
    put(ndis_capture_guid, 1016, keyword::configuration);
    payload_.u8(truncate).u8(equal).u16(4).u32(0xFFFF);
    put(ndis_capture_guid, 1016, keyword::configuration);
    ndis_filter_ = "rule multilayer = bytes 01; rule truncate to 65535 bytes";
    advance();
}

/// The capture stops. Source names belong to the rundown, since Windows 8.
void Capture::stop_layers() {
    constexpr std::uint8_t ndis = 1;
    put_layers(1015);
    payload_.u8(ndis).u32(1).u64(0).u64(0).zero_terminated16(u"Tea").zero_terminated16(u"Start");
    put(ndis_capture_guid, 5100, 0);
    using Name = std::pair<std::uint32_t, std::u16string_view>;
    for (const auto& [index, name] :
         {Name(tea_adapter, u"Tea adapter"), Name(tea_filter, u"Tea filter")}) {
        payload_.u8(ndis).zero_terminated16(name).u32(index).u16(1).u16(0);
        put(ndis_capture_guid, 5101, 0);
    }
    put(ndis_capture_guid, 5001, 0x200000000000);
}

/// The packets of a conversation, and the fragments on a processor, follow each other.
void Capture::begin_fragments(const Segment& segment) {
    for (std::size_t i = 0; i < open_.size();) {
        const bool is_in_the_way = open_[i].processor == processor_ ||
                                   open_[i].segment.conversation == segment.conversation;
        if (!is_in_the_way) {
            ++i;
            continue;
        }
        const std::uint16_t processor = processor_;
        continue_fragments(i);
        processor_ = processor;
        advance();
    }
    open_.push_back({.segment = segment,
                     .frame = ethernet_frame(segment),
                     .keywords = direction(segment) | 1,
                     .processor = processor_});
    conversations_.add(segment, open_.back().frame.size());
    continue_fragments(open_.size() - 1);
}

void Capture::continue_fragments(std::size_t number) {
    static constexpr Place at{"ndis:9"};
    constexpr std::size_t max = 400;
    Open& open = open_[number];
    const bool is_first = open.written == 0;
    const std::size_t size =
        std::min(open.frame.size() - open.written, is_first ? open.frame.size() / 2 : max);
    const bool is_last = open.written + size == open.frame.size();
    processor_ = open.processor;
    payload_.u32(9).u32(9).u32(static_cast<std::uint32_t>(size));
    payload_.bytes(Bytes(open.frame).subspan(open.written, size));
    put(ndis_capture_guid, 1001,
        open.keywords | (is_first ? keyword::start : 0) | (is_last ? keyword::end : 0));
    open.written += size;
    if (is_last) {
        record(
            {.place = &at, .is_sent = open.segment.is_forward, .is_large = open.segment.is_large},
            open.frame, open.frame.size());
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(number));
    }
}

/// `seen`: what the segment and the metadata do not determine.
void Capture::put_switch(const Segment& segment, std::uint32_t port, const OutOfBand& metadata,
                         Seen seen) {
    constexpr unsigned vlan_shift = 4; // the priority precedes it
    const std::array<std::uint64_t, 9> slots{0, 0, metadata.large_send, 0, metadata.tag, 0,
                                             0, 0, metadata.hash};
    const auto frame = ethernet_frame(segment);
    payload_.u32(1).u32(15).u32(port).zero_terminated16(u"Port").zero_terminated16(u"NIC");
    payload_.zero_terminated16(u"Synthetic").u32(1).u64(0);
    payload_.u32(size32(frame)).bytes(frame);
    payload_.u32(sizeof slots);
    for (const std::uint64_t slot : slots) {
        payload_.u64(slot);
    }
    put(ndis_capture_guid, 1003, complete_packet | direction(segment) | keyword::vm_switch);
    seen.is_sent = segment.is_forward;
    seen.is_large = seen.is_sent && metadata.large_send != 0;
    seen.vlan = static_cast<std::uint16_t>(metadata.tag >> vlan_shift);
    seen.hash = static_cast<std::uint32_t>(metadata.hash);
    record(seen, frame, frame.size());
    conversations_.add(segment, frame.size());
}

void Capture::capture_at_switch(const Segment& segment) {
    static constexpr Place at{"switch:15 port 3 vlan 20", "NIC; Synthetic; Port"};
    put_switch(segment, 3, {.tag = 20U << 4U}, {.place = &at});
}

void Capture::capture_at_tagged_switch(const Segment& segment) {
    static constexpr Place at{"switch:15 port 4 vlan 30", "NIC; Synthetic; Port"};
    constexpr std::uint64_t priority = 5;
    put_switch(segment, 4, {.tag = 30U << 4U | priority, .hash = 0xA1B2C3D4 + segment.conversation},
               {.place = &at});
}

/// LsoV2Transmit: the maximum segment size, the offset of the TCP header, LSO version 2, IPv6.
void Capture::capture_at_segmented_switch(const Segment& segment) {
    static constexpr Place at{"switch:15 port 5", "NIC; Synthetic; Port"};
    constexpr std::uint64_t large_send = 536U | 54U << 20U | 1U << 30U | 1U << 31U;
    put_switch(segment, 5, {.large_send = segment.is_large ? large_send : 0}, {.place = &at});
}

/// Another user of the same name, in another routing domain, has a number.
void Capture::put_remote(const Segment& segment, std::string_view domain, std::string_view user) {
    const auto [entry, is_new] = users_.try_emplace({domain, user});
    RemoteUser& texts = entry->second;
    if (is_new) {
        const auto others = std::ranges::count_if(
            users_, [&](const auto& known) { return known.first.second == user; });
        texts.name = fmt::format("ras:{}", user) + (others > 1 ? fmt::format(" {}", others) : "");
        texts.description = fmt::format("routing domain {}", domain);
    }
    const auto frame = ethernet_frame(segment);
    payload_.zero_terminated16(to_utf16(domain)).zero_terminated16(to_utf16(user));
    payload_.u32(size32(frame)).bytes(frame);
    put(ras_capture_guid, segment.is_forward ? 5001 : 5002, complete_packet | direction(segment));
    const Place at{.name = texts.name, .description = texts.description};
    record({.place = &at, .is_sent = segment.is_forward}, frame, frame.size());
    conversations_.add(segment, frame.size());
}

void Capture::capture_remote(const Segment& segment) {
    put_remote(segment, first_domain, "kettle");
}

void Capture::capture_other_user(const Segment& segment) {
    put_remote(segment, first_domain, "teapot");
}

void Capture::capture_other_domain(const Segment& segment) {
    put_remote(segment, "{7e57c0de-0000-4000-8000-000000000002}", "kettle");
}

} // namespace etl::generate
