#include "verbs/generate/captured/capture.hpp"

#include <etl/base/text.hpp>
#include <etl/format/known_guids.hpp>

#include "verbs/generate/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cli::generate {

namespace {

using etl::Bytes;
using etl::format::ndis_capture_guid;
using etl::format::pktmon_guid;
using etl::format::ras_capture_guid;

constexpr std::uint64_t start = 0x40000000, end = 0x80000000, send = 0x100000000,
                        receive = 0x200000000, wwan = 0x200, wifi = 0x10000;
constexpr unsigned link_ethernet = 1, link_ip = 101, link_wifi = 105;

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
    std::vector<std::byte> bytes;
    for (const unsigned value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

void append(std::vector<std::byte>& to, Bytes more) {
    to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::byte> ethernet(const Segment& segment) {
    auto frame = bytes_of({2, 0, 0x5E, 0x10, 0, 1, 2, 0, 0x5E, 0x10, 0, 2});
    append(frame, segment.is_ipv6 ? bytes_of({0x86, 0xDD}) : bytes_of({8, 0}));
    append(frame, segment.packet);
    return frame;
}

/// A data frame of 802.11, to the access point.
std::vector<std::byte> wireless(const Segment& segment) {
    auto frame = bytes_of({0x08, 0x01, 0, 0, 2, 0, 0x5E, 0x10, 0, 1, 2, 0, 0x5E, 0x10, 0, 2, 2, 0,
                           0x5E, 0x10, 0, 3, 0, 0, 0xAA, 0xAA, 3, 0, 0, 0});
    append(frame, segment.is_ipv6 ? bytes_of({0x86, 0xDD}) : bytes_of({8, 0}));
    append(frame, segment.packet);
    return frame;
}

std::uint64_t direction(const Segment& segment) noexcept {
    return segment.is_forward ? send : receive;
}

} // namespace

Capture::Capture(const Recipe& recipe, etl::trace::Writer& writer)
    : recipe_(&recipe), writer_(&writer), random_(recipe.seed),
      conversations_(Random(recipe.seed + 1)), base_(recording_of(recipe).reference_time),
      time_(base_) {}

void Capture::advance() {
    const auto mean = static_cast<std::int64_t>(etl::Filetime::per_second / recipe_->rate);
    time_ += random_.between<std::int64_t>(1, std::max<std::int64_t>(2 * mean, 1));
}

bool Capture::next() {
    const bool is_over = events_ >= recipe_->event_limit() ||
                         (recipe_->duration && time_ - base_ > *recipe_->duration);
    advance();
    if (!open_.empty() && (is_over || random_.chance(0.5))) {
        continue_fragments(random_.below(open_.size()));
        return true;
    }
    if (is_over) {
        if (!std::exchange(is_complete_, true)) {
            add_rundown();
        }
        return false;
    }
    processor_ = static_cast<std::uint16_t>(random_.below(recipe_->processors));
    capture(conversations_.next(random_.below(Conversations::count)));
    return true;
}

double Capture::done() const noexcept {
    return recipe_->events ? static_cast<double>(events_) / static_cast<double>(*recipe_->events)
                           : static_cast<double>(time_ - base_) /
                                 static_cast<double>(recipe_->duration.value_or(1));
}

void Capture::put(const etl::Guid& provider, std::uint16_t id, std::uint64_t keyword) {
    constexpr std::uint32_t system_process = 4, first_thread = 100;
    ++events_;
    etl::format::EventRecord record;
    record.process_id = system_process;
    record.thread_id = first_thread + processor_;
    record.time = time_;
    record.provider = provider;
    record.descriptor.id = id;
    record.descriptor.level = 4;
    record.descriptor.keyword = keyword;
    record.payload = payload_.view();
    static_cast<void>(writer_->add(record, processor_));
    payload_.clear();
}

void Capture::record(const Seen& seen, Bytes data, std::size_t original) {
    const std::int64_t ticks = time_ - base_ + recipe_->start.ticks - etl::Filetime::unix_epoch;
    lines_ += fmt::format("packet,{},{},{},{},{},{},", ticks * 100, seen.place, seen.link,
                          seen.is_sent ? 2 : 1, original, seen.drop);
    etl::append_hex_bytes(lines_, data);
    lines_ += '\n';
    ++packets_;
}

/// Each conversation is captured in one way.
void Capture::capture(const Segment& segment) {
    using Way = void (Capture::*)(const Segment&);
    constexpr std::array<Way, 7> ways{&Capture::capture_ndis,      &Capture::capture_stack,
                                      &Capture::capture_wifi,      &Capture::capture_mobile,
                                      &Capture::capture_at_switch, &Capture::capture_remote,
                                      &Capture::begin_fragments};
    (this->*ways[segment.conversation % ways.size()])(segment);
}

void Capture::capture_ndis(const Segment& segment) {
    const auto frame = ethernet(segment);
    payload_.u32(7).u32(7).u32(static_cast<std::uint32_t>(frame.size())).bytes(frame);
    put(ndis_capture_guid, 1001, start | end | direction(segment) | 1);
    record({.place = "ndis:7", .is_sent = segment.is_forward}, frame, frame.size());
    conversations_.add(segment, frame.size());
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
                     .frame = ethernet(segment),
                     .keywords = direction(segment) | 1,
                     .processor = processor_});
    conversations_.add(segment, open_.back().frame.size());
    continue_fragments(open_.size() - 1);
}

void Capture::continue_fragments(std::size_t number) {
    constexpr std::size_t most = 400;
    Open& open = open_[number];
    const bool is_first = open.written == 0;
    const std::size_t size =
        std::min(open.frame.size() - open.written, is_first ? open.frame.size() / 2 : most);
    const bool is_last = open.written + size == open.frame.size();
    processor_ = open.processor;
    payload_.u32(9).u32(9).u32(static_cast<std::uint32_t>(size));
    payload_.bytes(Bytes(open.frame).subspan(open.written, size));
    put(ndis_capture_guid, 1001, open.keywords | (is_first ? start : 0) | (is_last ? end : 0));
    open.written += size;
    if (is_last) {
        record({.place = "ndis:9", .is_sent = open.segment.is_forward}, open.frame,
               open.frame.size());
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(number));
    }
}

void Capture::capture_wifi(const Segment& segment) {
    const auto frame = wireless(segment);
    if (!segment.is_forward) { // how it was received
        payload_.u32(8).u32(8).u32(48).u32(0).u32(0).u32(7).u32(2412).u16(1).u16(0);
        payload_.u32(static_cast<std::uint32_t>(-60)).u8(108).fill(23);
        put(ndis_capture_guid, 1002, wifi);
    }
    payload_.u32(8).u32(8).u32(static_cast<std::uint32_t>(frame.size())).bytes(frame);
    put(ndis_capture_guid, 1001, start | end | direction(segment) | wifi);
    record({.place = "ndis:8", .link = link_wifi, .is_sent = segment.is_forward}, frame,
           frame.size());
    conversations_.add(segment, frame.size());
}

/// Mobile broadband: the packet begins with the IP header.
void Capture::capture_mobile(const Segment& segment) {
    payload_.u32(10).u32(10).u32(static_cast<std::uint32_t>(segment.packet.size()));
    payload_.bytes(segment.packet);
    put(ndis_capture_guid, 1001, start | end | direction(segment) | wwan);
    record({.place = "ndis:10", .link = link_ip, .is_sent = segment.is_forward}, segment.packet,
           segment.packet.size());
    conversations_.add(segment, segment.packet.size());
}

void Capture::capture_at_switch(const Segment& segment) {
    constexpr std::uint64_t vlan = 20;
    const auto frame = ethernet(segment);
    payload_.u32(1).u32(15).u32(3).zero_terminated16(u"Port").zero_terminated16(u"NIC");
    payload_.zero_terminated16(u"Synthetic").u32(1).u64(0);
    payload_.u32(static_cast<std::uint32_t>(frame.size())).bytes(frame);
    payload_.u32(72).fill(32).u64(vlan << 4U).fill(32);
    put(ndis_capture_guid, 1003, start | end | direction(segment) | 1U << 24U);
    record({.place = "switch:15 port 3 vlan 20", .is_sent = segment.is_forward}, frame,
           frame.size());
    conversations_.add(segment, frame.size());
}

void Capture::capture_remote(const Segment& segment) {
    const auto frame = ethernet(segment);
    payload_.zero_terminated16(u"{00000000-0000-0000-0000-000000000000}");
    payload_.zero_terminated16(u"kettle").u32(static_cast<std::uint32_t>(frame.size()));
    payload_.bytes(frame);
    put(ras_capture_guid, segment.is_forward ? 5001 : 5002, start | end | direction(segment));
    record({.place = "ras:kettle", .is_sent = segment.is_forward}, frame, frame.size());
    conversations_.add(segment, frame.size());
}

void Capture::put_pktmon(const Segment& segment, const Seen& seen, std::uint16_t component,
                         std::uint16_t edge, Bytes frame, std::uint16_t appearance) {
    constexpr std::uint16_t received = 3, sent = 4;
    const Bytes data = frame.first(std::min(frame.size(), seen.captured));
    payload_.u64(std::uint64_t{processor_} << 48U | group_).u16(1).u16(appearance);
    payload_.u16(segment.is_forward ? sent : received).u16(seen.link == link_ip ? 3 : 1);
    payload_.u16(component).u16(edge).u16(0).u32(seen.drop).u32(seen.drop != 0 ? 0xE0004602 : 0);
    payload_.u16(static_cast<std::uint16_t>(frame.size()));
    payload_.u16(static_cast<std::uint16_t>(data.size())).bytes(data);
    put(pktmon_guid, seen.drop != 0 ? 170 : 160, 0x10);
    record(seen, data, frame.size());
}

/// Along the network stack: adapter, filter, protocol. Some packets are dropped at its top.
void Capture::capture_stack(const Segment& segment) {
    struct Step {
        std::string_view place;
        std::uint16_t component, edge;
    };

    constexpr std::array<Step, 4> steps{{{"pktmon:13 nic.sys edge 1", 13, 1},
                                         {"pktmon:36 pacer.sys edge 1", 36, 1},
                                         {"pktmon:36 pacer.sys edge 2", 36, 2},
                                         {"pktmon:84 tcpip.sys edge 1", 84, 1}}};
    constexpr std::size_t limit = 128;
    constexpr std::uint32_t no_endpoint = 1204;
    const auto frame = ethernet(segment);
    const std::size_t captured = random_.chance(0.3) ? limit : SIZE_MAX;
    ++group_;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[segment.is_forward ? steps.size() - 1 - i : i];
        put_pktmon(segment,
                   {.place = step.place, .is_sent = segment.is_forward, .captured = captured},
                   step.component, step.edge, frame, static_cast<std::uint16_t>(i + 1));
        time_ += random_.between<std::int64_t>(1, 20);
    }
    conversations_.add(segment, frame.size());
    if (random_.chance(0.1)) {
        put_pktmon(segment,
                   {.place = "pktmon:98 tcpip.sys",
                    .link = link_ip,
                    .is_sent = segment.is_forward,
                    .drop = no_endpoint},
                   98, 0, segment.packet, 0);
        conversations_.add_drop(segment);
    }
}

void Capture::component(std::uint16_t id, std::uint16_t type, std::u16string_view name) {
    payload_.u16(id).u16(type).zero_terminated16(name).zero_terminated16(u"Synthetic");
    put(pktmon_guid, 20, 2);
}

void Capture::number(std::uint16_t component, std::uint16_t property, std::uint32_t value) {
    payload_.u16(component).u16(property).u32(value);
    put(pktmon_guid, 30, 2);
}

void Capture::add_rundown() {
    constexpr std::uint16_t miniport = 2, filter = 3, protocol = 4, ip_layer = 11;
    constexpr std::uint16_t if_index = 1, miniport_if_index = 2, medium = 5;
    component(13, miniport, u"nic.sys");
    number(13, if_index, 21);
    number(13, medium, 0);
    component(36, filter, u"pacer.sys");
    number(36, if_index, 35);
    number(36, miniport_if_index, 21);
    component(84, protocol, u"tcpip.sys");
    number(84, miniport_if_index, 21);
    component(98, ip_layer, u"tcpip.sys");
    payload_.u16(13).u16(6).u32(6).bytes(bytes_of({2, 0, 0x5E, 0x10, 0, 9}));
    put(pktmon_guid, 70, 2);
    payload_.u16(98).u16(13).bytes(bytes_of({192, 0, 2, 1}));
    put(pktmon_guid, 65, 2);
    payload_.u16(13).zero_terminated16(u"Upper").u16(1).u16(3).u64(group_).u64(0).u16(4).u64(0);
    payload_.u64(0);
    put(pktmon_guid, 90, 2);
}

std::string Capture::truth() const {
    return lines_ + conversations_.truth();
}

} // namespace cli::generate
