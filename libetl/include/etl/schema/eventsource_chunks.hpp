// EventSource providers log their manifest in chunks; this puts them together.
// docs/format/decoding.md#eventsource One thread; combine() joins what several threads collected.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/guid.hpp>
#include <etl/schema/manifest.hpp>

#include <vector>

namespace etl::schema {

/// The id of the events that carry chunks.
inline constexpr std::uint16_t manifest_chunk_id = 0xFFFE;

/// True when an event with this id, opcode and payload is a manifest chunk.
bool is_manifest_chunk(std::uint16_t id, std::uint8_t opcode, Bytes payload) noexcept;

class EventSourceChunks {
public:
    /// Keeps a copy of a chunk. `time` (any clock, ascending) and `position` order the chunks of
    /// one sender. Of more than limits::manifest_bytes the first by time and position are kept,
    /// whichever collector saw them. What is too short for an envelope is passed over.
    void add(const Guid& provider, std::uint32_t process, std::uint32_t thread, std::int64_t time,
             std::uint64_t position, Bytes payload);

    /// Takes over what another collector holds.
    void combine(EventSourceChunks&& other);

    /// The distinct manifests that are complete, each with the provider that sent it.
    std::vector<std::pair<Guid, std::string>> manifests();

    /// There were more chunks than are kept; known once manifests() was asked.
    bool omitted() const noexcept { return omitted_; }

private:
    struct Chunk {
        Guid provider;
        std::uint32_t process, thread;
        std::int64_t time;
        std::uint64_t position;
        std::vector<std::byte> payload;
    };

    void keep_first();

    std::vector<Chunk> chunks_;
    std::size_t bytes_ = 0;
    bool omitted_ = false;
};

} // namespace etl::schema
