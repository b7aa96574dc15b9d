#include "packets/flows.hpp"

#include "packets/limits.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace etl::packets {

namespace {

Endpoint endpoint_of(Bytes address, std::uint16_t port) {
    Endpoint endpoint{.port = port};
    std::ranges::copy(address, endpoint.address.begin());
    return endpoint;
}

std::string text_of(const Endpoint& endpoint, std::uint8_t size) {
    std::string text;
    append_address(text, Bytes(endpoint.address).first(size));
    return text;
}

} // namespace

std::string Flow::source_text() const {
    return text_of(source, address_size);
}

std::string Flow::destination_text() const {
    return text_of(destination, address_size);
}

std::size_t FlowTable::KeyHash::operator()(const FlowKey& key) const noexcept {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = std::uint64_t{key.low.port} << 32U | std::uint64_t{key.high.port} << 16U |
                         key.protocol | std::uint64_t{key.routing_domain} << 48U;
    for (const Endpoint* const end : {&key.low, &key.high}) {
        for (std::size_t at = 0; at < end->address.size(); at += 8) {
            std::uint64_t part = 0;
            std::memcpy(&part, end->address.data() + at, sizeof part);
            hash = (hash ^ part) * odd;
            hash ^= hash >> 29U;
        }
    }
    return static_cast<std::size_t>(hash);
}

FlowTable::Seen* FlowTable::seen_at(State& state, const Place& place) {
    const auto known = std::ranges::find(state.places, place, &std::pair<Place, Seen>::first);
    if (known != state.places.end()) {
        return &known->second;
    }
    if (entries_ >= limits::flows) {
        return nullptr;
    }
    ++entries_;
    return &state.places.emplace_back(place, Seen{}).second;
}

/// A segment is a retransmission if all of it precedes the end of what was seen before. A probe of
/// an idle connection repeats one byte.
void FlowTable::add_segment(const Dissection& headers, TcpState& tcp, FlowDirection& to) {
    const std::uint8_t flags = *headers.tcp_flags;
    to.resets += (flags & tcp_flag::rst) != 0 ? 1U : 0U;
    const bool takes_number = (flags & (tcp_flag::syn | tcp_flag::fin)) != 0;
    const std::uint32_t length = headers.payload_size.value_or(0) + (takes_number ? 1U : 0U);
    const std::uint32_t end = headers.sequence + length;
    if (length == 0 || (flags & tcp_flag::rst) != 0) {
        return;
    }
    const auto beyond = static_cast<std::int32_t>(end - tcp.next);
    const bool is_probe = length == 1 && !takes_number && beyond == 0;
    if (tcp.is_known && beyond <= 0 && !is_probe) {
        ++to.retransmissions;
    }
    if (!tcp.is_known || beyond > 0) {
        tcp = {true, end};
    }
}

void FlowTable::add(const Packet& packet) {
    const Dissection headers = dissect(packet);
    ++counts_.packets;
    counts_.first = std::min(counts_.first.value_or(packet.time), packet.time);
    counts_.last = std::max(counts_.last.value_or(packet.time), packet.time);
    if (!headers.is_ip()) {
        ++counts_.without_ip;
        return;
    }
    const bool has_ports =
        *headers.protocol == ip_protocol::tcp || *headers.protocol == ip_protocol::udp;
    counts_.later_fragments += headers.is_later_fragment ? 1U : 0U;
    counts_.truncated += has_ports && !headers.is_later_fragment && !headers.source_port ? 1U : 0U;
    const Endpoint source = endpoint_of(headers.source, headers.source_port.value_or(0));
    const Endpoint destination =
        endpoint_of(headers.destination, headers.destination_port.value_or(0));
    const bool from_low = source <= destination;
    const FlowKey key{.low = from_low ? source : destination,
                      .high = from_low ? destination : source,
                      .address_size = static_cast<std::uint8_t>(headers.source.size()),
                      .protocol = *headers.protocol,
                      .routing_domain = packet.routing_domain};
    auto known = flows_.find(key);
    if (known == flows_.end()) {
        if (entries_ >= limits::flows) {
            ++counts_.beyond_limit;
            return;
        }
        known = flows_
                    .emplace(key, State{.low_is_first = from_low,
                                        .drops = 0,
                                        .first = packet.time,
                                        .last = packet.time,
                                        .places = {}})
                    .first;
    }
    State& state = known->second;
    state.first = std::min(state.first, packet.time);
    state.last = std::max(state.last, packet.time);
    if (packet.drop) {
        ++state.drops;
        return;
    }
    Seen* const seen = seen_at(state, packet.place);
    if (seen == nullptr) {
        ++counts_.beyond_limit;
        return;
    }
    FlowDirection& to = from_low ? seen->from_low : seen->from_high;
    ++to.packets;
    to.bytes += packet.original_size;
    if (headers.tcp_flags) {
        add_segment(headers, from_low ? seen->tcp_from_low : seen->tcp_from_high, to);
    }
}

std::vector<Flow> FlowTable::take() {
    std::vector<Flow> flows;
    flows.reserve(flows_.size());
    for (const auto& [key, state] : flows_) {
        // At equal counts the lowest place, so that the order of packets does not matter.
        const auto rank = [](const std::pair<Place, Seen>& one) {
            return std::pair(one.second.from_low.packets + one.second.from_high.packets, one.first);
        };
        const auto chosen =
            std::ranges::max_element(state.places, [&](const auto& a, const auto& b) {
                const auto [many, place] = rank(a);
                const auto [other_many, other_place] = rank(b);
                return many != other_many ? many < other_many : place > other_place;
            });
        const Seen seen = chosen != state.places.end() ? chosen->second : Seen{};
        for (auto one = state.places.begin(); one != state.places.end(); ++one) {
            counts_.at_other_places += one == chosen ? 0 : rank(*one).first;
        }
        flows.push_back({.source = state.low_is_first ? key.low : key.high,
                         .destination = state.low_is_first ? key.high : key.low,
                         .address_size = key.address_size,
                         .protocol = key.protocol,
                         .routing_domain = key.routing_domain,
                         .forward = state.low_is_first ? seen.from_low : seen.from_high,
                         .backward = state.low_is_first ? seen.from_high : seen.from_low,
                         .drops = state.drops,
                         .first = state.first,
                         .last = state.last});
    }
    std::ranges::sort(flows, [](const Flow& a, const Flow& b) {
        const auto rank = [](const Flow& one) {
            return std::tuple(one.forward.bytes + one.backward.bytes, one.drops);
        };
        return rank(a) != rank(b)
                   ? rank(a) > rank(b)
                   : std::tie(a.first, a.protocol, a.source, a.destination, a.routing_domain) <
                         std::tie(b.first, b.protocol, b.source, b.destination, b.routing_domain);
    });
    flows_.clear();
    return flows;
}

} // namespace etl::packets
