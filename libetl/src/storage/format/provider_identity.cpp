// Provider traits, and the GUIDs that are made from provider names.
// docs/format/decoding.md#provider-traits
#include "format/provider_identity.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "format/log_origin.hpp"
#include "format/sha1.hpp"

#include <algorithm>

namespace etl::format {

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

} // namespace etl::format
