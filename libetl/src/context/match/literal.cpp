#include "match/literal.hpp"

#include "base/address_text.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace etl::match {

namespace {

constexpr std::array<std::byte, 12> before_ipv4{
    std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0},    std::byte{0},
    std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0xFF}, std::byte{0xFF}};
constexpr unsigned bits_before_ipv4 = 96;

std::optional<Number> number_in(std::string_view text) noexcept {
    const bool is_negative = text.starts_with('-');
    const std::string_view digits = text.substr(is_negative ? 1 : 0);
    if (const auto bits = parse_number(digits)) {
        return Number{*bits, is_negative && *bits != 0};
    }
    double real = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), real);
    const bool is_real = error == std::errc{} && end == text.data() + text.size();
    return is_real && std::isfinite(real) ? std::optional(Number{0, false, real}) : std::nullopt;
}

std::optional<bool> boolean_in(std::string_view text) noexcept {
    return equals_ignoring_case(text, "true")    ? std::optional(true)
           : equals_ignoring_case(text, "false") ? std::optional(false)
                                                 : std::nullopt;
}

template <typename T>
std::optional<T> decimal(std::string_view text) noexcept {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty()
               ? std::optional(value)
               : std::nullopt;
}

using Address = std::array<std::byte, 16>;

std::optional<Address> parse_ipv4(std::string_view text) noexcept {
    Address address{};
    std::ranges::copy(before_ipv4, address.begin());
    return put_ipv4(address.data() + before_ipv4.size(), text) != nullptr ? std::optional(address)
                                                                          : std::nullopt;
}

std::optional<Address> parse_ipv6(std::string_view text) noexcept {
    Address address{};
    return put_ipv6(address.data(), text) != nullptr ? std::optional(address) : std::nullopt;
}

/// Cuts `/24` off. Empty: none; false: it is no number up to `most`.
bool take_prefix(std::string_view& text, unsigned most, unsigned& prefix) noexcept {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) {
        prefix = most;
        return true;
    }
    const auto bits = decimal<unsigned>(text.substr(slash + 1));
    text = text.substr(0, slash);
    prefix = bits.value_or(0);
    return bits && *bits <= most;
}

} // namespace

double Number::value() const noexcept {
    const double magnitude = real ? *real : static_cast<double>(bits);
    return is_negative ? -magnitude : magnitude;
}

std::optional<int> compare(const Number& one, const Number& other) noexcept {
    if (one.real || other.real) {
        const double a = one.value();
        const double b = other.value();
        return a < b    ? std::optional(-1)
               : a > b  ? std::optional(1)
               : a == b ? std::optional(0)
                        : std::nullopt;
    }
    if (one.is_negative != other.is_negative) {
        return one.is_negative ? -1 : 1;
    }
    const int order = one.bits < other.bits ? -1 : one.bits > other.bits ? 1 : 0;
    return one.is_negative ? -order : order;
}

bool Network::contains(const std::array<std::byte, 16>& other) const noexcept {
    const std::size_t whole = prefix / 8;
    if (!std::equal(address.begin(), address.begin() + static_cast<std::ptrdiff_t>(whole),
                    other.begin())) {
        return false;
    }
    const unsigned rest = prefix % 8;
    return rest == 0 ||
           (std::to_integer<unsigned>(address[whole] ^ other[whole]) >> (8 - rest)) == 0;
}

std::array<std::byte, 16> address_of(Bytes bytes) noexcept {
    std::array<std::byte, 16> address{};
    if (bytes.size() == 4) {
        std::ranges::copy(before_ipv4, address.begin());
        std::ranges::copy(bytes, address.begin() + before_ipv4.size());
    } else {
        std::ranges::copy(bytes.first(std::min(bytes.size(), address.size())), address.begin());
    }
    return address;
}

/// `10.0.0.1`, `10.0.0.0/8`, `10.0.0.1:443`, `fe80::1`, `fe80::/10`, `[fe80::1]:443`.
std::optional<Network> parse_network(std::string_view text) noexcept {
    Network network;
    if (text.starts_with('[')) {
        const std::size_t close = text.find(']');
        const bool has_port = close != text.npos && text.substr(close).starts_with("]:");
        network.port = has_port ? decimal<std::uint16_t>(text.substr(close + 2)) : std::nullopt;
        const auto address = has_port ? parse_ipv6(text.substr(1, close - 1)) : std::nullopt;
        network.address = address.value_or(network.address);
        return address && network.port ? std::optional(network) : std::nullopt;
    }
    if (text.find(':') != text.rfind(':')) {
        const bool is_good = take_prefix(text, 128, network.prefix);
        const auto address = is_good ? parse_ipv6(text) : std::nullopt;
        network.address = address.value_or(network.address);
        return address ? std::optional(network) : std::nullopt;
    }
    if (const std::size_t colon = text.find(':'); colon != text.npos) {
        network.port = decimal<std::uint16_t>(text.substr(colon + 1));
        text = text.substr(0, network.port ? colon : 0);
    } else if (!take_prefix(text, 32, network.prefix)) {
        return std::nullopt;
    }
    network.prefix = network.port ? 128 : network.prefix + bits_before_ipv4;
    const auto address = parse_ipv4(text);
    network.address = address.value_or(network.address);
    return address ? std::optional(network) : std::nullopt;
}

std::expected<Meaning, SyntaxError> meaning_of(const Literal& literal, Operator op,
                                               const TimeBounds& bounds) {
    Meaning meaning{.text = literal.text};
    if (op == Operator::regex) {
        auto regex = Regex::compile(literal.text);
        if (!regex) {
            return std::unexpected(SyntaxError{literal.column, std::move(regex.error())});
        }
        meaning.regex = *std::move(regex);
        return meaning;
    }
    if (!literal.is_quoted) {
        meaning.number = number_in(literal.text);
        meaning.boolean = boolean_in(literal.text);
    }
    meaning.guid = parse_guid(literal.text);
    meaning.network = parse_network(literal.text);
    if (const auto point = parse_time_point(literal.text)) {
        meaning.time = point->resolve(bounds);
    }
    return meaning;
}

} // namespace etl::match
