// --component, --nic, --drops, --no-drops: which packets are kept. One thread.
#pragma once

#include "captures/options.hpp"
#include "packets/interface_names.hpp"

#include <string>
#include <vector>

namespace cli {

class PacketSelection {
public:
    /// `options` and `extractor` outlive it.
    PacketSelection(const CaptureOptions& options, const etl::packets::Extractor& extractor,
                    etl::packets::TraceLabels labels);

    bool selects(const etl::packets::Packet& packet);

    /// Packets seen at network adapters, selected or not, and at all places.
    std::uint64_t at_adapters() const noexcept { return at_adapters_; }

    std::uint64_t everywhere() const noexcept { return everywhere_; }

    /// Whether a component occurred of which nothing is known: it counts as an adapter.
    bool has_unknown_components() const noexcept { return has_unknown_components_; }

    /// Prints which words of --component matched nothing. Returns whether there are any.
    bool report_unmatched() const;

private:
    struct PlaceFacts {
        bool is_selected = true;
        bool is_adapter = false;
    };

    const PlaceFacts& facts_of(const etl::packets::Packet& packet);
    bool matches(const std::string& word, const etl::packets::Place& place) const;
    bool is_at_adapter(const etl::packets::Packet& packet);

    const CaptureOptions* options_;
    const etl::packets::Extractor* extractor_;
    etl::packets::TraceLabels labels_;
    std::vector<std::string> components_;
    etl::packets::PlaceTable<PlaceFacts> places_;
    std::vector<bool> matched_; // by component
    bool has_unknown_components_ = false;
    std::uint64_t at_adapters_ = 0, everywhere_ = 0;
};

} // namespace cli
