#include "captures/selection.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "packets/interface_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cli {

namespace {

using etl::packets::Component;
using etl::packets::Place;
using etl::packets::Rundown;

/// The first edge of an adapter is the lowest place in its stack.
bool is_adapter_of_pktmon(const Place& place, const Component& component, const Rundown& rundown) {
    return component.is_adapter() && place.port <= 1 && !rundown.is_virtual_function(component);
}

std::vector<std::string> trimmed(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& word : words) {
        all.emplace_back(etl::trimmed(word));
    }
    return all;
}

} // namespace

PacketSelection::PacketSelection(const CaptureOptions& options,
                                 const etl::packets::Extractor& extractor,
                                 etl::packets::TraceLabels labels)
    : options_(&options), extractor_(&extractor), labels_(std::move(labels)),
      components_(trimmed(options.components)), matched_(components_.size()) {}

bool PacketSelection::matches(const std::string& word, const Place& place) const {
    if (const auto number = etl::parse_number(word)) {
        return place.kind != Place::Kind::remote_access && *number == place.id;
    }
    return std::ranges::any_of(names_of(place, *extractor_, labels_), [&](const std::string& name) {
        return !name.empty() && etl::matches_glob(word, name);
    });
}

/// Where nothing is known, packets count.
bool PacketSelection::is_at_adapter(const etl::packets::Packet& packet) {
    const Place& place = packet.place;
    const Rundown* const rundown = extractor_->rundown(place.trace);
    if (place.kind == Place::Kind::pktmon) {
        const Component* const component =
            rundown != nullptr ? rundown->component(place.id) : nullptr;
        const bool is_known = component != nullptr && component->is_described;
        has_unknown_components_ = has_unknown_components_ || !is_known;
        return !is_known || is_adapter_of_pktmon(place, *component, *rundown);
    }
    return place.kind != Place::Kind::ndis || rundown == nullptr ||
           !rundown->is_above_adapter(place.id, packet.miniport);
}

const PacketSelection::PlaceFacts& PacketSelection::facts_of(const etl::packets::Packet& packet) {
    if (const PlaceFacts* const known = places_.find(packet.place, packet.link)) {
        return *known;
    }
    const Place& place = packet.place;
    PlaceFacts facts{.is_selected = components_.empty(), .is_adapter = is_at_adapter(packet)};
    for (std::size_t i = 0; i < matched_.size(); ++i) {
        if (matches(components_[i], place)) {
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
                            printable(components_[i])));
            any = true;
        }
    }
    return any;
}

} // namespace cli
