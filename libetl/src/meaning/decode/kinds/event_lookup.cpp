#include "decode/kinds/event_lookup.hpp"

#include "format/event_descriptor.hpp"
#include "format/provider_identity.hpp"

namespace etl::decode {

std::vector<Guid> identities_of(const flow::EventHeader& header, const EventItems& items) {
    std::vector<Guid> identities;
    if (!items.traits.empty()) {
        if (const auto traits = format::parse_provider_traits(items.traits);
            traits && traits->decode) {
            identities.push_back(*traits->decode);
        }
    }
    identities.push_back(header.provider);
    if (items.control_guid.size() == sizeof(Guid)) {
        identities.push_back(load_le<Guid>(items.control_guid.data()));
    }
    return identities;
}

schema::Match find_event(const schema::SchemaStore& store, const flow::EventHeader& header,
                         const EventItems& items) {
    for (const Guid& provider : identities_of(header, items)) {
        auto match = store.find({provider, header.id, header.version});
        if (!match.candidates.empty() || !match.lower.empty()) {
            return match;
        }
    }
    return {};
}

bool describes(const schema::EventSchema& candidate, bool wants_class) noexcept {
    using schema::Origin;
    // A TraceLogging event carries its schema: the ID in an exported one is not that of any event.
    if (candidate.origin == Origin::manifest && candidate.channel == format::tracelogging_channel) {
        return false;
    }
    return candidate.origin == Origin::event_info ||
           (candidate.origin != Origin::wpp && (candidate.origin == Origin::mof) == wants_class);
}

} // namespace etl::decode
