#include "decode/log_origin.hpp"

#include "base/text.hpp"

namespace etl::decode {

using format::ItemType;

std::shared_ptr<const LogOrigin> read_log_origin(Bytes traits) {
    const auto stored = format::parse_log_origin(traits);
    if (!stored) {
        return nullptr;
    }
    auto origin = std::make_shared<LogOrigin>();
    origin->payload = stored->payload;
    origin->qualifiers = stored->qualifiers;
    append_utf8(origin->channel, stored->channel);
    append_utf8(origin->computer, stored->computer);
    append_utf8(origin->event_source, stored->event_source);
    append_utf8(origin->xml_namespace, stored->xml_namespace);
    return origin;
}

std::optional<std::uint64_t> record_id(const flow::EventHeader& header) noexcept {
    const Bytes key = flow::find_item(header, ItemType::event_key).data;
    return key.size() == sizeof(std::uint64_t) ? std::optional(load_le<std::uint64_t>(key.data()))
                                               : std::nullopt;
}

std::optional<std::uint64_t> record_id_if_of_log(const flow::EventHeader& header) noexcept {
    const Bytes traits = flow::find_item(header, ItemType::provider_traits).data;
    return format::parse_log_origin(traits) ? record_id(header) : std::nullopt;
}

Bytes user_sid(const flow::EventHeader& header) noexcept {
    constexpr std::size_t head = 8; // and 4 bytes for each sub-authority
    const Bytes sid = flow::find_item(header, ItemType::sid).data;
    const bool is_sid =
        sid.size() >= head && sid.size() >= head + 4 * std::to_integer<std::size_t>(sid[1]);
    return is_sid ? sid : Bytes{};
}

} // namespace etl::decode
