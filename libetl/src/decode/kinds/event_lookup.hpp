// Under which identity the store knows an event: that of its provider, or of another that the
// record names. docs/format/decoding.md#selection. Private to decode.
#pragma once

#include <etl/schema/schema_store.hpp>

#include "decode/kinds/kind_key.hpp"

#include <optional>

namespace etl::decode {

/// `decode_guid` is that of the provider's traits.
inline schema::Match find_event(const schema::SchemaStore& store, const flow::EventHeader& header,
                                const EventItems& items, const std::optional<Guid>& decode_guid) {
    const auto find = [&](const Guid& provider) {
        return store.find({provider, header.id, header.version});
    };
    const auto is_empty = [](const schema::Match& match) {
        return match.candidates.empty() && match.lower.empty();
    };
    if (decode_guid) {
        if (auto match = find(*decode_guid); !is_empty(match)) {
            return match;
        }
    }
    auto match = find(header.provider);
    if (is_empty(match) && items.control_guid.size() == sizeof(Guid)) {
        match = find(load_le<Guid>(items.control_guid.data()));
    }
    return match;
}

/// Descriptions of classes and of events may have the same numbers. What a merge embeds may be of
/// either sort.
inline bool describes(const schema::EventSchema& candidate, bool wants_class) noexcept {
    using schema::Origin;
    return candidate.origin == Origin::event_info ||
           (candidate.origin != Origin::wpp && (candidate.origin == Origin::mof) == wants_class);
}

} // namespace etl::decode
