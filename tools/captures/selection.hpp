// --component, --nic, --drops, --no-drops: which packets are kept. One thread.
#pragma once

#include <etl/packets/extractor.hpp>

#include "captures/options.hpp"

#include <string>
#include <vector>

namespace cli {

class PacketSelection {
public:
    /// Both outlive it.
    PacketSelection(const CaptureOptions& options, const etl::packets::Extractor& extractor);

    bool selects(const etl::packets::Packet& packet);

    /// Packets seen at network adapters, selected or not, and at all places.
    std::uint64_t at_adapters() const noexcept { return at_adapters_; }

    std::uint64_t everywhere() const noexcept { return everywhere_; }

    /// Prints which words of --component matched nothing. Returns whether there are any.
    bool report_unmatched() const;

private:
    struct PlaceFacts {
        bool is_selected = true;
        bool is_adapter = false;
    };

    const PlaceFacts& facts_of(const etl::packets::Packet& packet);
    bool matches(const std::string& word, const etl::packets::Place& place) const;

    const CaptureOptions* options_;
    const etl::packets::Extractor* extractor_;
    etl::packets::PlaceTable<PlaceFacts> places_;
    std::vector<bool> matched_; // by word
    std::uint64_t at_adapters_ = 0, everywhere_ = 0;
};

} // namespace cli
