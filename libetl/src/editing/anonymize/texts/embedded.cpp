#include "anonymize/texts/embedded.hpp"

#include <algorithm>
#include <optional>

namespace etl::anonymize {

namespace {

// A number in a text: where its digits stand, which a number with as many digits replaces.
struct Number {
    std::size_t at = 0, size = 0;
    std::uint64_t value = 0;
};

struct Found {
    std::size_t end = 0; // behind it
    KindSet changed = 0;
};

constexpr unsigned value_of(char16_t c) noexcept {
    return is_digit(c) ? static_cast<unsigned>(c - u'0')
                       : 10U + static_cast<unsigned>(folded(c) - u'a');
}

bool is_digit_of(char16_t c, unsigned base) noexcept {
    return base == 10 ? is_digit(c) : is_hex_digit(c);
}

// Digits from `at` on, at most `max` of them; size 0: there are none, or more.
Number number_at(Units text, std::size_t at, unsigned base, std::size_t max) noexcept {
    Number number{at, 0, 0};
    while (at + number.size < text.size() && is_digit_of(text[at + number.size], base)) {
        if (number.size == max) {
            return {at, 0, 0};
        }
        number.value = number.value * base + value_of(text[at + number.size]);
        ++number.size;
    }
    return number;
}

// Leading zeros fill what is left.
void put(Units text, const Number& number, std::uint64_t value, unsigned base,
         bool upper) noexcept {
    for (std::size_t i = number.size; i-- > 0; value /= base) {
        const auto digit = static_cast<unsigned>(value % base);
        const char16_t ten = upper ? u'A' : u'a';
        text[number.at + i] = static_cast<char16_t>(digit < 10 ? u'0' + digit : ten + (digit - 10));
    }
}

bool has_upper(Units text, std::size_t from, std::size_t to) noexcept {
    return std::any_of(text.begin() + static_cast<std::ptrdiff_t>(from),
                       text.begin() + static_cast<std::ptrdiff_t>(to), is_upper_ascii);
}

bool is_at(Units text, std::size_t at, char16_t c) noexcept {
    return at < text.size() && text[at] == c;
}

bool ends_word(Units text, std::size_t at) noexcept {
    return at >= text.size() || !is_wordy(text[at]);
}

// S-1-5-21-...
std::optional<Found> sid_at(Units text, std::size_t at, const Pseudonyms& pseudonyms) {
    constexpr std::size_t max_parts = 15;
    if (at + 6 > text.size() || folded(text[at]) != u's' || text[at + 1] != u'-' ||
        text[at + 2] != u'1' || text[at + 3] != u'-') {
        return {};
    }
    const Number authority = number_at(text, at + 4, 10, 15);
    std::array<Number, max_parts> numbers{};
    std::array<std::uint32_t, max_parts> parts{};
    std::size_t count = 0;
    std::size_t end = authority.at + authority.size;
    while (authority.size > 0 && count < max_parts && is_at(text, end, u'-')) {
        const Number number = number_at(text, end + 1, 10, 10);
        const bool is_part = number.size > 0 && number.value <= 0xFFFFFFFF &&
                             (number.size == 1 || text[number.at] != u'0');
        if (!is_part) {
            break;
        }
        numbers[count] = number;
        parts[count++] = static_cast<std::uint32_t>(number.value);
        end = number.at + number.size;
    }
    if (count == 0 || !ends_word(text, end)) {
        return {};
    }
    const std::span used(parts.data(), count);
    const bool changes = is_private_sid(authority.value, used);
    pseudonyms.sid(authority.value, used);
    for (std::size_t i = 0; i < count; ++i) {
        put(text, numbers[i], parts[i], 10, false);
    }
    return Found{end, changes ? only(Kind::sid) : KindSet{0}};
}

// 00-15-5D-01-02-03, with - or : between.
std::optional<Found> mac_at(Units text, std::size_t at, const Pseudonyms& pseudonyms) {
    constexpr std::size_t length = 17;
    if (at + length > text.size()) {
        return {};
    }
    const char16_t separator = text[at + 2];
    if (separator != u'-' && separator != u':') {
        return {};
    }
    std::array<std::uint8_t, 6> address{};
    for (std::size_t i = 0; i < 6; ++i) {
        const Number number = number_at(text, at + 3 * i, 16, 2);
        if (number.size != 2 || (i < 5 && text[at + 3 * i + 2] != separator)) {
            return {};
        }
        address[i] = static_cast<std::uint8_t>(number.value);
    }
    const std::size_t end = at + length;
    const bool goes_on =
        is_at(text, end, separator) && end + 1 < text.size() && is_hex_digit(text[end + 1]);
    const bool went_before = at >= 2 && text[at - 1] == separator && is_hex_digit(text[at - 2]);
    if (!ends_word(text, end) || goes_on || went_before) {
        return {};
    }
    const bool upper = has_upper(text, at, end);
    const auto to = pseudonyms.mac(address);
    for (std::size_t i = 0; i < 6; ++i) {
        put(text, {at + 3 * i, 2, 0}, to[i], 16, upper);
    }
    return Found{end, to == address ? KindSet{0} : only(Kind::mac_address)};
}

struct Dots {
    std::array<Number, 4> numbers{};
    std::array<std::uint8_t, 4> address{};
    std::size_t end = 0;
};

std::optional<Dots> dots_at(Units text, std::size_t at) {
    Dots dots;
    for (std::size_t i = 0; i < 4; ++i) {
        const Number number = number_at(text, at, 10, 3);
        if (number.size == 0 || number.value > 255 || (number.size > 1 && text[at] == u'0')) {
            return {};
        }
        dots.numbers[i] = number;
        dots.address[i] = static_cast<std::uint8_t>(number.value);
        at += number.size;
        if (i < 3 && !is_at(text, at++, u'.')) {
            return {};
        }
    }
    dots.end = at;
    return dots;
}

// "Version=4.0.0.0", "version 10.0.0.1".
bool follows_version(Units text, std::size_t at) noexcept {
    while (at > 0 && (is_blank(text[at - 1]) || text[at - 1] == u'=' || text[at - 1] == u':' ||
                      text[at - 1] == u'"' || text[at - 1] == u'\'')) {
        --at;
    }
    const Text before(text.data(), at);
    return (before.size() >= 7 && equals_folded(before.substr(before.size() - 7), u"version")) ||
           (before.size() >= 3 && equals_folded(before.substr(before.size() - 3), u"ver"));
}

std::optional<Found> ipv4_at(Units text, std::size_t at, const Pseudonyms& pseudonyms) {
    if (at > 0 && (text[at - 1] == u'.' || text[at - 1] == u'_')) {
        return {};
    }
    const auto dots = dots_at(text, at);
    if (!dots || !ends_word(text, dots->end) || is_at(text, dots->end, u'_') ||
        (is_at(text, dots->end, u'.') && !ends_word(text, dots->end + 1)) ||
        follows_version(text, at)) {
        return {};
    }
    const auto to = pseudonyms.ipv4(dots->address);
    for (std::size_t i = 0; i < 4; ++i) {
        put(text, dots->numbers[i], to[i], 10, false);
    }
    return Found{dots->end, to == dots->address ? KindSet{0} : only(Kind::ip_address)};
}

// Where each group of an address stands; size 0: it is one of those that `::` stands for.
struct Groups {
    std::array<Number, 8> numbers{};
    Ipv6Groups values{};
    std::optional<Dots> dots;

    void add(std::size_t& count, const Number& number) {
        numbers[count] = number;
        values[count++] = static_cast<std::uint16_t>(number.value);
    }
};

// The groups of text[at, end), all of it, or nothing.
std::optional<Groups> groups_of(Units text, std::size_t at, std::size_t end) {
    Groups groups;
    std::size_t count = 0;
    std::optional<std::size_t> gap;
    const Units inside = text.first(end);
    if (is_at(inside, at, u':') != is_at(inside, at + 1, u':') && is_at(inside, at, u':')) {
        return {};
    }
    while (at < end) {
        if (is_at(inside, at, u':')) {
            const bool is_gap = is_at(inside, at + 1, u':');
            if ((is_gap && gap) || (!is_gap && (count == 0 || at + 1 == end))) {
                return {};
            }
            gap = is_gap ? count : gap;
            at += is_gap ? 2U : 1U;
            continue;
        }
        groups.dots = count <= 6 ? dots_at(inside, at) : std::nullopt;
        if (groups.dots && groups.dots->end == end) {
            const auto& part = groups.dots->address;
            groups.add(count, {0, 0, std::uint64_t{part[0]} << 8U | part[1]});
            groups.add(count, {0, 0, std::uint64_t{part[2]} << 8U | part[3]});
            at = end;
            break;
        }
        groups.dots.reset();
        const Number number = number_at(inside, at, 16, 4);
        const std::size_t next = at + number.size;
        if (number.size == 0 || count == 8 || (next < end && text[next] != u':')) {
            return {};
        }
        groups.add(count, number);
        at = next;
    }
    if (gap ? count == 8 : count != 8) {
        return {};
    }
    if (gap) { // what stands behind it goes to the end
        const auto from = static_cast<std::ptrdiff_t>(*gap);
        const auto to = static_cast<std::ptrdiff_t>(count);
        std::rotate(groups.numbers.begin() + from, groups.numbers.begin() + to,
                    groups.numbers.end());
        std::rotate(groups.values.begin() + from, groups.values.begin() + to, groups.values.end());
    }
    return groups;
}

std::optional<Found> ipv6_at(Units text, std::size_t at, const Pseudonyms& pseudonyms) {
    constexpr std::size_t max_size = 45;
    std::size_t end = at;
    std::size_t colons = 0;
    bool has_digit = false;
    while (end < text.size() && end - at <= max_size &&
           (is_hex_digit(text[end]) || text[end] == u':' || text[end] == u'.')) {
        colons += text[end] == u':' ? 1U : 0U;
        has_digit = has_digit || is_digit(text[end]);
        ++end;
    }
    const bool in_midst = at >= 2 && text[at - 1] == u':' && // "address:fe80::1" is none
                          (is_hex_digit(text[at - 2]) || text[at - 2] == u':');
    if (colons < 2 || !has_digit || in_midst || !ends_word(text, end)) {
        return {};
    }
    while (end > at && (text[end - 1] == u'.' ||
                        (text[end - 1] == u':' && end - at >= 2 && text[end - 2] != u':'))) {
        --end; // of a sentence
    }
    auto groups = groups_of(text, at, end);
    if (!groups) {
        return {};
    }
    const bool upper = has_upper(text, at, end);
    const bool has_hex_inside = holds_ipv4(groups->values) && !groups->dots;
    const Ipv6Groups to = has_hex_inside ? pseudonyms.ipv6_by_groups(groups->values)
                                         : pseudonyms.ipv6(groups->values);
    for (std::size_t i = 0; i < 8; ++i) {
        put(text, groups->numbers[i], to[i], 16, upper);
    }
    if (groups->dots) {
        // Where the address itself does not say that it holds another, its form does.
        const auto inside = holds_ipv4(groups->values)
                                ? std::array{static_cast<std::uint8_t>(to[6] >> 8U),
                                             static_cast<std::uint8_t>(to[6]),
                                             static_cast<std::uint8_t>(to[7] >> 8U),
                                             static_cast<std::uint8_t>(to[7])}
                                : pseudonyms.ipv4(groups->dots->address);
        for (std::size_t i = 0; i < 4; ++i) {
            put(text, groups->dots->numbers[i], inside[i], 10, false);
        }
    }
    return Found{end, to == groups->values ? KindSet{0} : only(Kind::ip_address)};
}

} // namespace

KindSet replace_sids(Units text, std::vector<std::uint8_t>& done, const Pseudonyms& pseudonyms) {
    KindSet changed = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != u'S' && text[at] != u's') {
            continue;
        }
        if (const auto found = sid_at(text, at, pseudonyms)) {
            changed |= found->changed;
            std::fill(done.begin() + static_cast<std::ptrdiff_t>(at),
                      done.begin() + static_cast<std::ptrdiff_t>(found->end), std::uint8_t{1});
            at = found->end - 1;
        }
    }
    return changed;
}

KindSet replace_embedded(Units text, std::vector<std::uint8_t>& done, const Pseudonyms& pseudonyms,
                         Dotted dotted) {
    KindSet changed = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char16_t c = text[at];
        const bool may_begin = is_hex_digit(c) || c == u':' || c == u'S' || c == u's';
        if (!may_begin || (at > 0 && is_wordy(text[at - 1]))) {
            continue;
        }
        auto found = sid_at(text, at, pseudonyms);
        if (!found && c != u'S' && c != u's') {
            found = mac_at(text, at, pseudonyms);
            found = found ? found : ipv6_at(text, at, pseudonyms);
            found = found || dotted == Dotted::version ? found : ipv4_at(text, at, pseudonyms);
        }
        if (found) {
            changed |= found->changed;
            std::fill(done.begin() + static_cast<std::ptrdiff_t>(at),
                      done.begin() + static_cast<std::ptrdiff_t>(found->end), std::uint8_t{1});
            at = found->end - 1;
        }
    }
    return changed;
}

} // namespace etl::anonymize
