#include "format/log_origin.hpp"

#include "base/cursor.hpp"
#include "format/provider_identity.hpp"

#include <algorithm>

namespace etl::format {

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
