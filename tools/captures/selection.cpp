#include "captures/selection.hpp"

#include <etl/base/text.hpp>

#include "cli/console.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

using etl::packets::Component;
using etl::packets::Place;

const Component* component_at(const Place& place, const etl::packets::Extractor& extractor) {
    const auto& rundowns = extractor.rundowns();
    const bool is_known = place.kind == Place::Kind::pktmon && place.trace < rundowns.size() &&
                          rundowns[place.trace] != nullptr;
    return is_known ? rundowns[place.trace]->component(place.id) : nullptr;
}

/// The first edge of an adapter is the lowest place in its stack. Other captures see packets at
/// adapters only. Without a rundown all places count.
bool is_adapter(const Place& place, const Component* component) {
    return place.kind != Place::Kind::pktmon || component == nullptr ||
           (component->is_adapter() && place.port <= 1);
}

} // namespace

PacketSelection::PacketSelection(const CaptureOptions& options,
                                 const etl::packets::Extractor& extractor)
    : options_(&options), extractor_(&extractor), matched_(options.components.size()) {}

bool PacketSelection::matches(const std::string& word, const Place& place) const {
    if (const auto number = etl::parse_number(word)) {
        return place.kind != Place::Kind::remote_access && *number == place.id;
    }
    if (place.kind == Place::Kind::remote_access) {
        return place.id < extractor_->users().size() &&
               etl::matches_glob(word, extractor_->users()[place.id].user);
    }
    const Component* const component = component_at(place, *extractor_);
    return component != nullptr && (etl::matches_glob(word, component->name) ||
                                    etl::matches_glob(word, component->description));
}

const PacketSelection::PlaceFacts& PacketSelection::facts_of(const etl::packets::Packet& packet) {
    if (const PlaceFacts* const known = places_.find(packet.place, packet.link)) {
        return *known;
    }
    const Place& place = packet.place;
    PlaceFacts facts{.is_selected = options_->components.empty(),
                     .is_adapter = is_adapter(place, component_at(place, *extractor_))};
    for (std::size_t i = 0; i < matched_.size(); ++i) {
        if (matches(options_->components[i], place)) {
            matched_[i] = true;
            facts.is_selected = true;
        }
    }
    constexpr std::size_t most = 1U << 16U;
    if (places_.size() >= most) {
        places_ = {};
    }
    return places_.add(place, packet.link, facts);
}

bool PacketSelection::selects(const etl::packets::Packet& packet) {
    const PlaceFacts& facts = facts_of(packet);
    const bool is_drop = packet.drop.has_value();
    ++everywhere_;
    at_adapters_ += facts.is_adapter && !is_drop ? 1U : 0U;
    using Drops = CaptureOptions::Drops;
    return facts.is_selected && (facts.is_adapter || !options_->adapters_only) &&
           (options_->drops == Drops::with || is_drop == (options_->drops == Drops::only));
}

bool PacketSelection::report_unmatched() const {
    bool any = false;
    for (std::size_t i = 0; i < matched_.size(); ++i) {
        if (!matched_[i]) {
            say(fmt::format("warning: --component '{}' matches no component or interface with "
                            "packets; `etl pcapng` without it lists them",
                            printable(options_->components[i])));
            any = true;
        }
    }
    return any;
}

} // namespace cli
