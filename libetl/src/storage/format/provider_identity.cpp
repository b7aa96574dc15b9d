#include "format/provider_identity.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace etl::format {

namespace {

using State = std::array<std::uint32_t, 5>;

struct Step {
    std::uint32_t mix;
    std::uint32_t constant;
};

Step step(std::size_t round, std::uint32_t b, std::uint32_t c, std::uint32_t d) noexcept {
    switch (round / 20) {
    case 0:
        return {(b & c) | (~b & d), 0x5A827999};
    case 1:
        return {b ^ c ^ d, 0x6ED9EBA1};
    case 2:
        return {(b & c) | (b & d) | (c & d), 0x8F1BBCDC};
    default:
        return {b ^ c ^ d, 0xCA62C1D6};
    }
}

void add_block(State& state, Bytes block) noexcept {
    std::array<std::uint32_t, 80> words{};
    for (std::size_t i = 0; i < 64; ++i) {
        words[i / 4] = (words[i / 4] << 8U) | std::to_integer<std::uint32_t>(block[i]);
    }
    for (std::size_t i = 16; i < words.size(); ++i) {
        words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Step now = step(i, b, c, d);
        const std::uint32_t next = std::rotl(a, 5) + now.mix + e + now.constant + words[i];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

} // namespace

std::array<std::byte, 20> sha1(Bytes message) {
    // The message, a bit 1, zeros, and the length in bits as a big-endian u64 at the end of the
    // last block.
    std::vector<std::byte> padded(message.begin(), message.end());
    padded.push_back(std::byte{0x80});
    padded.resize((padded.size() + 8 + 63) / 64 * 64);
    std::uint64_t bits = std::uint64_t{message.size()} * 8;
    for (std::size_t i = 1; i <= 8; ++i, bits >>= 8U) {
        padded[padded.size() - i] = static_cast<std::byte>(bits & 0xFFU);
    }

    State state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    for (Bytes rest = padded; !rest.empty(); rest = rest.subspan(64)) {
        add_block(state, rest.first(64));
    }
    std::array<std::byte, 20> digest{};
    for (std::size_t i = 0; i < digest.size(); ++i) {
        digest[i] = static_cast<std::byte>((state[i / 4] >> (24 - 8 * (i % 4))) & 0xFFU);
    }
    return digest;
}

// Provider traits, and the GUIDs that are made from provider names.
// docs/format/decoding.md#provider-traits

namespace {

// The namespace of the hash, as Windows' own EventSource and TraceLogging headers use it.
constexpr std::array<std::uint8_t, 16> name_space{0x48, 0x2C, 0x2D, 0xB2, 0xC3, 0x90, 0x47, 0xC8,
                                                  0x87, 0xF8, 0x1A, 0x15, 0xBF, 0xC1, 0x30, 0xFB};

// Upper case of ASCII and Latin-1, one unit for one unit: names beyond that have not been seen.
constexpr char16_t upper(char16_t unit) noexcept {
    const bool ascii = unit >= u'a' && unit <= u'z';
    const bool latin = unit >= 0xE0 && unit <= 0xFE && unit != 0xF7;
    return ascii || latin ? static_cast<char16_t>(unit - 0x20) : unit;
}

} // namespace

Result<ProviderTraits> parse_provider_traits(Bytes traits) noexcept {
    Cursor head(traits);
    const std::size_t size = head.u16("size of provider traits");
    if (!head) {
        return std::unexpected(head.error());
    }
    if (size < 2) {
        return fail(ErrorCode::malformed, "size of provider traits", {}, 2, size);
    }
    if (size > traits.size()) {
        return fail(ErrorCode::truncated, "provider traits", {}, size, traits.size());
    }
    Cursor in(traits.subspan(2, size - 2), FileOffset{2});
    ProviderTraits result;
    result.name = in.zero_terminated8("provider name");
    while (in && !in.is_at_end()) {
        const std::size_t trait_size = in.u16("size of a trait");
        if (in && trait_size < 3) {
            return fail(ErrorCode::malformed, "size of a trait", {}, 3, trait_size);
        }
        const std::uint8_t type = in.u8("type of a trait");
        const Bytes data = in ? in.bytes("trait", trait_size - 3) : Bytes{};
        if (in && data.size() >= sizeof(Guid) && (type == 1 || type == 2)) {
            (type == 1 ? result.group : result.decode) = load_le<Guid>(data.data());
        } else if (in && type == log_origin_trait) {
            result.log_origin = data;
        }
    }
    if (!in) {
        return std::unexpected(in.error());
    }
    return result;
}

Guid guid_of_provider_name(std::string_view name) {
    ByteWriter message;
    message.bytes(std::as_bytes(std::span(name_space)));
    for (const char16_t unit : to_utf16(name)) {
        const char16_t big = upper(unit);
        message.u8(static_cast<std::uint8_t>(big >> 8U)).u8(static_cast<std::uint8_t>(big & 0xFFU));
    }
    const auto digest = sha1(message.view());
    Guid guid;
    std::copy_n(digest.begin(), guid.bytes.size(), guid.bytes.begin());
    guid.bytes[7] = (guid.bytes[7] & std::byte{0x0F}) | std::byte{0x50};
    return guid;
}

namespace {

constexpr std::uint8_t has_qualifiers = 1; // flag

} // namespace

void append_log_origin(ByteWriter& to, const LogOrigin& origin) {
    const std::size_t begin = to.size();
    to.u16(0).u8(log_origin_trait);
    to.u8(static_cast<std::uint8_t>(origin.payload)).u8(origin.qualifiers ? has_qualifiers : 0);
    to.u16(origin.qualifiers.value_or(0));
    for (const Bytes text :
         {origin.channel, origin.computer, origin.event_source, origin.xml_namespace}) {
        const auto nul = std::ranges::find(text, std::byte{0});
        to.bytes(text.first(static_cast<std::size_t>(nul - text.begin()))).u8(0);
    }
    to.patch(begin, static_cast<std::uint16_t>(to.size() - begin));
}

std::optional<LogOrigin> parse_log_origin(Bytes traits) noexcept {
    const auto parsed =
        traits.empty() ? Result<ProviderTraits>(ProviderTraits{}) : parse_provider_traits(traits);
    if (!parsed || parsed->log_origin.empty()) {
        return std::nullopt;
    }
    Cursor in(parsed->log_origin);
    LogOrigin origin;
    const std::uint8_t payload = in.u8("payload of an event");
    const std::uint8_t flags = in.u8("flags of an event");
    const std::uint16_t qualifiers = in.u16("qualifiers");
    if ((flags & has_qualifiers) != 0) {
        origin.qualifiers = qualifiers;
    }
    origin.channel = in.zero_terminated8("channel");
    origin.computer = in.zero_terminated8("computer");
    origin.event_source = in.zero_terminated8("event source");
    origin.xml_namespace = in.zero_terminated8("namespace");
    if (!in || payload > static_cast<std::uint8_t>(LogPayload::other)) {
        return std::nullopt;
    }
    origin.payload = static_cast<LogPayload>(payload);
    return origin;
}

} // namespace etl::format
