// Messages of applications: HTTP (RFC 9110, RFC 9112) and DNS (RFC 1035). Pure; thread-safe.
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli::generate {

/// What the resolver of a machine learned from a DNS response.
struct DnsResult {
    std::string name;
    std::uint32_t type = 0;   // of the query: 1 or 28
    std::uint32_t status = 0; // of Windows: 0, or 9003 (DNS_ERROR_RCODE_NAME_ERROR)
    std::string address;      // empty: none
    std::string alias;        // of which `address` is; empty: none
};

struct Message {
    std::vector<std::byte> bytes;
    std::string text; // what the message says; empty: nothing
    std::optional<DnsResult> result;
};

/// `size` letters.
std::vector<std::byte> filler(std::size_t size);

/// The messages of a conversation by `turn`: requests are even, and their responses follow them.
Message http_message(std::uint64_t turn);
Message dns_message(std::uint64_t turn, bool is_ipv6);

} // namespace cli::generate
