#include <etl/schema/event_schema.hpp>
#include <etl/schema/winmeta.hpp>

namespace etl::schema {

namespace {

template <typename List, typename Value>
std::string_view name_in(const List& list, Value value) noexcept {
    for (const auto& [known, text] : list) {
        if (known == value) {
            return text;
        }
    }
    return {};
}

} // namespace

std::string_view name(Origin origin) noexcept {
    switch (origin) {
    case Origin::tracelogging:
        return "tracelogging";
    case Origin::event_info:
        return "event-info";
    case Origin::eventsource:
        return "eventsource";
    case Origin::manifest:
        return "manifest";
    case Origin::wevt:
        return "wevt";
    case Origin::mof:
        return "mof";
    case Origin::wpp:
        return "wpp";
    }
    return {};
}

std::string_view ProviderNames::level_name(std::uint8_t level) const noexcept {
    const std::string_view own = name_in(levels, level);
    return own.empty() ? winmeta::level_name(level) : own;
}

std::string_view ProviderNames::channel_name(std::uint8_t channel) const noexcept {
    const std::string_view own = name_in(channels, channel);
    return own.empty() ? winmeta::channel_name(channel) : own;
}

std::string_view ProviderNames::keyword_name(std::uint64_t bit) const noexcept {
    const std::string_view own = name_in(keywords, bit);
    return own.empty() ? winmeta::keyword_name(bit) : own;
}

std::vector<std::uint16_t> EventSchema::top_level() const {
    std::vector<std::uint16_t> indices;
    for (std::size_t i = 0; i < fields.size(); i += 1U + fields[i].members) {
        indices.push_back(static_cast<std::uint16_t>(i));
    }
    return indices;
}

} // namespace etl::schema
