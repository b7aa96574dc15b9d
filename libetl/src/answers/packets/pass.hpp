// A pass over the packets of a source: which are chosen, and how many were seen. docs/packets.md
#pragma once

#include "flow/source.hpp"
#include "packets/capture_names.hpp"
#include "packets/extractor.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace etl::packets {

enum class Drops : std::uint8_t { with, only, without };

/// Which packets are kept.
struct Choice {
    /// At these components of PktMon or interfaces: IDs, names, descriptions, or globs. Empty: all.
    std::vector<std::string> components{};
    bool adapters_only = false; // seen at network adapters: each packet once
    Drops drops = Drops::with;
    std::uint64_t skip = 0; // of the packets that are kept otherwise
    std::optional<std::uint64_t> limit{};
};

/// Choice without skip and limit. Not thread-safe.
class Selection {
public:
    /// The extractor outlives it.
    Selection(Choice choice, const Extractor& extractor, TraceLabels labels);

    bool selects(const Packet& packet);

    /// Packets seen at network adapters, selected or not, and at all places.
    std::uint64_t at_adapters() const noexcept { return at_adapters_; }

    std::uint64_t everywhere() const noexcept { return everywhere_; }

    /// Whether a component occurred of which nothing is known: it counts as an adapter.
    bool has_unknown_components() const noexcept { return has_unknown_components_; }

    /// Choice::components that no component or interface with packets matched.
    std::vector<std::string> unmatched() const;

private:
    struct PlaceFacts {
        bool is_selected = true;
        bool is_adapter = false;
    };

    const PlaceFacts& facts_of(const Packet& packet);
    bool matches(const std::string& word, const Place& place) const;
    bool is_at_adapter(const Packet& packet);

    Choice choice_;
    const Extractor* extractor_;
    TraceLabels labels_;
    PlaceTable<PlaceFacts> places_;
    std::vector<bool> matched_; // by component
    bool has_unknown_components_ = false;
    std::uint64_t at_adapters_ = 0, everywhere_ = 0;
};

/// What happens during a pass. All but `receive` may be empty.
struct PassEvents {
    /// Receives each chosen packet; false ends the pass.
    FunctionRef<bool(const Packet& packet)> receive;
    /// Called when the source pauses (Source::is_paused); false ends the pass. Empty: a pause does.
    std::function<bool()> pause{};
    /// Receives the events that are not part of a capture.
    std::function<void(const flow::Event& event)> other{};
    /// Called after each run with the number of events and the newest one.
    std::function<void(std::uint64_t events, const flow::Event& newest)> progress{};
    /// Changes a packet that was put together from several events. The result is valid until the
    /// next call.
    std::function<Packet(const Packet& packet)> edit_joined{};
};

/// Runs once. Not thread-safe.
class Pass {
public:
    explicit Pass(Rundowns rundowns = {}, TraceLabels labels = {}, const Choice& choice = {});

    /// Errors: those of the source, after the packets before them.
    Result<void> run(flow::Source& source, const PassEvents& events);

    const Extractor& extractor() const noexcept { return extractor_; }

    const Selection& selection() const noexcept { return selection_; }

    /// Number of packets passed on.
    std::uint64_t packets() const noexcept { return packets_; }

    /// Number of packets left out by the choice.
    std::uint64_t not_chosen() const noexcept { return seen_ - packets_; }

private:
    Extractor extractor_;
    Selection selection_;
    std::uint64_t skip_, limit_;
    std::uint64_t seen_ = 0, selected_ = 0, packets_ = 0;
};

} // namespace etl::packets
