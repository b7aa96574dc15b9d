#include "packets/capture_file.hpp"

#include "base/text.hpp"
#include "flow/losses.hpp"
#include "packets/capture_names.hpp"
#include "packets/dissect.hpp"
#include "packets/dissect/wire.hpp"
#include "packets/limits.hpp"

#include <algorithm>
#include <set>

namespace etl::packets {

namespace {

constexpr std::uint32_t no_interface = 0xFFFFFFFF;

std::string windows_of(const flow::TraceInfo& trace) {
    std::string text;
    if (trace.header.provider_version != 0) {
        text = "Windows build ";
        append_decimal(text, trace.header.provider_version);
    }
    return text;
}

/// What the session lost: packets may be among it. Empty: nothing.
std::string losses_of(const flow::TraceInfo& trace) {
    const flow::StatedLosses losses = flow::stated_losses(trace);
    std::string text;
    if (losses.events.value_or(0) != 0 || losses.buffers.value_or(0) != 0) {
        text = losses.are_totals ? "the session lost " : "the session lost at least ";
        append_decimal(text, losses.events.value_or(0));
        text += " events and ";
        append_decimal(text, losses.buffers.value_or(0));
        text += " buffers; packets may be missing";
    } else if (!losses.are_totals) {
        text = "what the session lost is unknown; packets may be missing";
    }
    return text;
}

/// How the destination was addressed, of received packets.
std::uint32_t reception_of(Bytes packet) noexcept {
    constexpr std::size_t mac = 6;
    const bool is_broadcast =
        packet.size() >= mac && be16(packet, 0) == 0xFFFF && be32(packet, 2) == 0xFFFFFFFF;
    return packet.size() < mac            ? 0
           : is_broadcast                 ? pcapng::flag::broadcast
           : (octet(packet, 0) & 1U) != 0 ? pcapng::flag::multicast
                                          : pcapng::flag::unicast;
}

std::uint32_t flags_of(const Packet& packet) noexcept {
    constexpr std::size_t max_frame = 1522; // with two VLAN tags
    std::uint32_t flags = 0;
    if (packet.direction == Direction::received) {
        flags = pcapng::flag::inbound;
        flags |= packet.link == LinkType::ethernet ? reception_of(packet.data) : 0;
    } else if (packet.direction == Direction::sent) {
        const bool is_large = packet.has_large_send || packet.original_size > max_frame ||
                              lacks_ip_length(packet.data, packet.link);
        flags = pcapng::flag::outbound;
        flags |= is_large ? pcapng::flag::segmentation_offloaded : 0;
    }
    return flags;
}

std::string_view phy_name(std::uint32_t phy) noexcept {
    constexpr std::array<std::string_view, 11> names{"",         "FHSS",     "DSSS",    "infrared",
                                                     "802.11a",  "802.11b",  "802.11g", "802.11n",
                                                     "802.11ac", "802.11ad", "802.11ax"};
    return phy < names.size() ? names[phy] : std::string_view{};
}

std::string text_of(const WifiReception& wifi) {
    std::string text = "received";
    if (const std::string_view phy = phy_name(wifi.phy); !phy.empty()) {
        text += " by ";
        text += phy;
    }
    text += " at ";
    append_decimal(text, wifi.frequency);
    text += " MHz, ";
    append_decimal(text, wifi.rssi);
    text += " dBm, ";
    append_decimal(text, wifi.rate_500kbps / 2);
    text += wifi.rate_500kbps % 2 != 0 ? ".5 Mb/s" : " Mb/s";
    return text;
}

} // namespace

CaptureFile::CaptureFile(const Extractor& extractor, CaptureFileOptions options)
    : extractor_(&extractor), options_(std::move(options)), names_(extractor, options_.labels) {}

void CaptureFile::begin(std::string& to, const flow::TraceInfo& first) {
    pcapng::Section section{
        .hardware = {}, .os = {}, .application = options_.application, .comments = {}};
    const bool is_one = options_.labels.empty(); // of several, interfaces have the facts of theirs
    const std::string windows = is_one ? windows_of(first) : std::string();
    section.os = windows;
    if (const std::string losses = losses_of(first); is_one && !losses.empty()) {
        section.comments.push_back(losses);
    }
    pcapng::append_section(to, section);
    pcapng::append_names(to, options_.names);
}

std::uint32_t CaptureFile::interface_of(const Packet& packet, std::string& to) {
    if (const std::uint32_t* const known = numbers_.find(packet.place, packet.link)) {
        return *known;
    }
    if (interfaces_.size() >= limits::capture_interfaces) {
        return no_interface;
    }
    const auto number = static_cast<std::uint32_t>(interfaces_.size());
    pcapng::Interface interface = interface_at(packet, *extractor_);
    interface.name = names_.of(packet);
    interface.os = windows_of(*packet.trace);
    pcapng::append_interface(to, interface);
    interfaces_.push_back({.place = packet.place,
                           .link = packet.link,
                           .trace = packet.trace,
                           .name = std::move(interface.name),
                           .first = packet.time,
                           .last = packet.time});
    numbers_.add(packet.place, packet.link, number);
    return number;
}

/// Empty, with the memory of an earlier one.
std::string& CaptureFile::next_comment() {
    if (comment_count_ == comments_.size()) {
        comments_.emplace_back();
    }
    std::string& text = comments_[comment_count_++];
    text.clear();
    return text;
}

void CaptureFile::comment_on(const Packet& packet) {
    comment_count_ = 0;
    if (packet.drop) {
        std::string& text = next_comment();
        text += "drop: ";
        options_.drop_names.append(text, *packet.drop, packet.place.trace);
    }
    if (packet.is_incomplete) {
        next_comment() += "incomplete: fragments of this packet are missing in the trace";
    }
    if (packet.wifi) {
        next_comment() += text_of(*packet.wifi);
    }
    if (options_.with_processes && packet.process_id != flow::no_id) {
        std::string& text = next_comment();
        text += "logged in process ";
        append_decimal(text, packet.process_id);
        text += ", thread ";
        append_decimal(text, packet.thread_id);
        text += ", which need not be the process of the packet";
    }
}

void CaptureFile::add(const Packet& packet, std::string& to) {
    const std::uint32_t number = interface_of(packet, to);
    if (number == no_interface) {
        ++omitted_;
        return;
    }
    CaptureInterface& interface = interfaces_[number];
    ++packets_;
    ++interface.packets;
    interface.drops += packet.drop ? 1U : 0U;
    interface.first = std::min(interface.first, packet.time);
    interface.last = std::max(interface.last, packet.time);
    comment_on(packet);
    pcapng::Packet block{.interface = number,
                         .time = packet.time,
                         .data = packet.data,
                         .original_size = packet.original_size,
                         .flags = flags_of(packet),
                         .comments = std::span(comments_).first(comment_count_),
                         .packet_id = packet.id,
                         .is_dropped = packet.drop.has_value()};
    if (options_.headers_only) {
        block.data = packet.data.first(dissect(packet).header_size);
    }
    if (packet.rss_hash) {
        std::array<std::byte, 4> hash;
        for (unsigned i = 0; i < hash.size(); ++i) {
            hash[i] = static_cast<std::byte>(*packet.rss_hash >> (8 * (3 - i)));
        }
        block.toeplitz_hash = hash;
    }
    pcapng::append_packet(to, block);
}

void CaptureFile::finish(std::string& to) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> counted; // drops: once for each component
    for (std::size_t i = 0; i < interfaces_.size(); ++i) {
        const CaptureInterface& interface = interfaces_[i];
        if (interface.link == LinkType::etw) {
            continue;
        }
        const flow::TraceInfo& trace = *interface.trace;
        pcapng::Statistics statistics{.interface = static_cast<std::uint32_t>(i),
                                      .time = interface.last};
        if (trace.has_header && !trace.is_unfinalized) {
            statistics.start = Filetime{trace.header.start_time};
            statistics.end = Filetime{trace.header.end_time};
            statistics.time = *statistics.end;
        }
        if (const Component* const component = component_at(interface.place, *extractor_)) {
            const auto edge =
                component->edges.find(static_cast<std::uint16_t>(interface.place.port));
            if (edge != component->edges.end()) {
                statistics.received = edge->second.flow.packets();
            }
            if (component->drops &&
                counted.emplace(interface.place.trace, interface.place.id).second) {
                statistics.dropped_by_os = component->drops->packets();
            }
        }
        std::vector<std::string> comments;
        if (const std::string losses = losses_of(trace); !losses.empty()) {
            comments.push_back(losses);
        }
        statistics.comments = comments;
        pcapng::append_statistics(to, statistics);
    }
}

} // namespace etl::packets
