// Records with event information, in front of the event that they describe.
// docs/format/decoding.md#embedding
#pragma once

#include <etl/byte_writer.hpp>

#include "flow/event.hpp"

#include <memory>
#include <vector>

namespace etl::decode {

// The types of the records in which a merge embeds the descriptions of events and maps.
inline constexpr std::uint8_t event_info_type = 32;
inline constexpr std::uint8_t map_info_type = 33;

/// The records in front of one event, as a buffer of their own.
struct EmbeddedBlock {
    ByteWriter bytes;
    flow::BufferContext buffer;
    std::vector<flow::Event> events;
};

/// Writes records that lie where and when an event does.
class EmbeddedRecords {
public:
    /// `event` is an EVENT record and outlives this; no record is larger than `largest`.
    EmbeddedRecords(const flow::Event& event, std::size_t largest);

    /// False: too large.
    bool add(std::uint8_t type, Bytes payload);

    /// Null: none were written.
    std::shared_ptr<const EmbeddedBlock> finish();

private:
    const flow::Event& event_;
    std::size_t largest_;
    std::shared_ptr<EmbeddedBlock> block_ = std::make_shared<EmbeddedBlock>();
    std::vector<std::size_t> places_; // of the records
};

} // namespace etl::decode
