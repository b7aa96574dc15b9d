#include "packets/pass.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace etl::packets {

namespace {

/// Places whose facts are kept.
constexpr std::size_t max_places = 1U << 16U;

/// The first edge of an adapter is the lowest place in its stack.
bool is_adapter_of_pktmon(const Place& place, const Component& component, const Rundown& rundown) {
    return component.is_adapter() && place.port <= 1 && !rundown.is_virtual_function(component);
}

} // namespace

Selection::Selection(Choice choice, const Extractor& extractor, TraceLabels labels)
    : choice_(std::move(choice)), extractor_(&extractor), labels_(std::move(labels)),
      matched_(choice_.components.size()) {
    for (std::string& word : choice_.components) {
        word = std::string(trimmed(word));
    }
}

bool Selection::matches(const std::string& word, const Place& place) const {
    if (const auto number = parse_number(word)) {
        return place.kind != Place::Kind::remote_access && *number == place.id;
    }
    return std::ranges::any_of(names_of(place, *extractor_, labels_), [&](const std::string& name) {
        return !name.empty() && matches_glob(word, name);
    });
}

/// Where nothing is known, packets count.
bool Selection::is_at_adapter(const Packet& packet) {
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

const Selection::PlaceFacts& Selection::facts_of(const Packet& packet) {
    if (const PlaceFacts* const known = places_.find(packet.place, packet.link)) {
        return *known;
    }
    const Place& place = packet.place;
    PlaceFacts facts{.is_selected = choice_.components.empty(),
                     .is_adapter = is_at_adapter(packet)};
    for (std::size_t i = 0; i < matched_.size(); ++i) {
        if (matches(choice_.components[i], place)) {
            matched_[i] = true;
            facts.is_selected = true;
        }
    }
    if (places_.size() >= max_places) {
        places_ = {};
    }
    return places_.add(place, packet.link, facts);
}

bool Selection::selects(const Packet& packet) {
    const PlaceFacts& facts = facts_of(packet);
    const bool is_drop = packet.drop.has_value();
    ++everywhere_;
    at_adapters_ += facts.is_adapter && !is_drop ? 1U : 0U;
    return facts.is_selected && (facts.is_adapter || !choice_.adapters_only) &&
           (choice_.drops == Drops::with || is_drop == (choice_.drops == Drops::only));
}

std::vector<std::string> Selection::unmatched() const {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < matched_.size(); ++i) {
        if (!matched_[i]) {
            words.push_back(choice_.components[i]);
        }
    }
    return words;
}

Pass::Pass(Rundowns rundowns, TraceLabels labels, const Choice& choice)
    : extractor_(std::move(rundowns)), selection_(choice, extractor_, std::move(labels)),
      skip_(choice.skip), limit_(choice.limit.value_or(std::numeric_limits<std::uint64_t>::max())) {
}

Result<void> Pass::run(flow::Source& source, const PassEvents& events) {
    bool goes_on = limit_ > 0;
    const auto take = [&](const Packet& packet) {
        ++seen_;
        if (goes_on && selection_.selects(packet) && ++selected_ > skip_) {
            ++packets_;
            const bool is_edited = packet.is_joined && events.edit_joined;
            goes_on =
                (is_edited ? events.receive(events.edit_joined(packet)) : events.receive(packet)) &&
                packets_ < limit_;
        }
    };
    std::uint64_t count = 0;
    while (goes_on) {
        const flow::Run run = source.next_run();
        if (run.empty()) {
            if (!source.is_paused() || !events.pause || !events.pause()) {
                break;
            }
            continue;
        }
        count += run.size();
        for (const flow::Event& event : run) {
            if (events.other && kind_of(event) == EventKind::none) {
                events.other(event);
            } else {
                extractor_.add(event, take);
            }
        }
        if (events.progress) {
            events.progress(count, run.back());
        }
    }
    extractor_.finish(take);
    if (const Error* const error = source.error()) {
        return std::unexpected(*error);
    }
    return {};
}

} // namespace etl::packets
