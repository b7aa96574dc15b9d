#include "packets/names.hpp"

#include "base/address_text.hpp"
#include "base/cursor.hpp"
#include "packets/capture/units_text.hpp"
#include "packets/limits.hpp"

#include <algorithm>
#include <array>

namespace etl::packets {

namespace {

constexpr std::size_t ipv4_size = 4, ipv6_size = 16;

/// `192.0.2.1`, `::ffff:192.0.2.1`, or an IPv6 address; empty: none of them.
std::vector<std::byte> address_of(std::string_view text) {
    std::array<std::byte, ipv6_size> bytes{};
    if (put_ipv4(bytes.data(), text) != nullptr) {
        return {bytes.begin(), bytes.begin() + ipv4_size};
    }
    if (put_ipv6(bytes.data(), text) == nullptr) {
        return {};
    }
    constexpr std::byte zero{0}, ones{0xFF};
    constexpr std::array<std::byte, 12> mapped{zero, zero, zero, zero, zero, zero,
                                               zero, zero, zero, zero, ones, ones};
    const bool is_mapped = std::equal(mapped.begin(), mapped.end(), bytes.begin());
    return {bytes.begin() + (is_mapped ? mapped.size() : 0), bytes.end()};
}

} // namespace

/// QueryName; type, options, and status, or type, indices, and status: 16 bytes; QueryResults:
/// addresses and other records, separated by semicolons.
void NameTable::add(const flow::Event& event) {
    constexpr std::size_t numbers = 16;
    const flow::EventHeader header = flow::read_header(event);
    Cursor in(header.payload);
    const Bytes query = in.zero_terminated16("QueryName");
    in.bytes("numbers", numbers);
    const Bytes results = in.zero_terminated16("QueryResults");
    if (!in || query.empty()) {
        return;
    }
    const std::string name = utf8_of(query);
    const std::string text = utf8_of(results);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        std::vector<std::byte> address = address_of(std::string_view(text).substr(at, end - at));
        if (!address.empty() && names_.size() < limits::resolved_names) {
            names_.emplace(std::move(address), name);
        }
        at = end + 1;
    }
}

void NameTable::combine(NameTable&& other) {
    names_.merge(other.names_);
}

std::vector<pcapng::ResolvedName> NameTable::names() const {
    std::vector<pcapng::ResolvedName> all;
    for (const auto& [address, name] : names_) {
        all.push_back({address, name});
    }
    return all;
}

} // namespace etl::packets
