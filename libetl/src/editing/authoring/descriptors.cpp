#include "authoring/descriptors.hpp"

#include <algorithm>

namespace etl::authoring {

bool has_descriptor(const schema::EventSchema& event) noexcept {
    return event.origin != schema::Origin::mof && event.origin != schema::Origin::wpp &&
           event.origin != schema::Origin::tracelogging;
}

std::uint64_t descriptor_keyword(const schema::EventSchema& event,
                                 const schema::ProviderNames& names) noexcept {
    constexpr std::size_t most_channels = 8;
    if (event.origin != schema::Origin::manifest) {
        return event.keyword;
    }
    for (std::size_t i = 0; i < std::min(most_channels, names.channels.size()); ++i) {
        if (names.channels[i].first == event.channel) {
            return event.keyword | (std::uint64_t{1} << (63U - i));
        }
    }
    return event.keyword;
}

} // namespace etl::authoring
