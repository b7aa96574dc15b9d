// What a written value can mean, worked out once. Private to match. docs/filters.md#values
#pragma once

#include <etl/guid.hpp>

#include "match/expression.hpp"
#include "match/regex.hpp"
#include "match/time_point.hpp"

#include <array>
#include <optional>

namespace etl::match {

/// A number as compared: exact for integers, else by its value.
struct Number {
    std::uint64_t bits = 0; // magnitude
    bool is_negative = false;
    std::optional<double> real{}; // not an integer

    double value() const noexcept;
};

/// <0, 0, >0; unordered numbers (NaN) compare as nothing.
std::optional<int> compare(const Number& one, const Number& other) noexcept;

/// An IPv4 or IPv6 address in 16 bytes (IPv4 behind ::ffff:), how many bits of it count, and a
/// port.
struct Network {
    std::array<std::byte, 16> address{};
    unsigned prefix = 128;
    std::optional<std::uint16_t> port{};

    bool contains(const std::array<std::byte, 16>& other) const noexcept;
};

std::optional<Network> parse_network(std::string_view text) noexcept;

/// The 4 or 16 bytes of an address in 16.
std::array<std::byte, 16> address_of(Bytes bytes) noexcept;

/// All that a value can mean.
struct Meaning {
    std::string text; // a glob
    std::optional<Number> number;
    std::optional<bool> boolean;
    std::optional<Filetime> time;
    std::optional<Guid> guid;
    std::optional<Network> network;
    std::shared_ptr<const Regex> regex; // of Operator::regex
};

/// Errors: a regular expression that does not parse; a time relative to an end that is not known.
std::expected<Meaning, SyntaxError> meaning_of(const Literal& literal, Operator op,
                                               const TimeBounds& bounds);

} // namespace etl::match
