// Reassembly of the manifests that EventSource providers log in chunks. Not thread-safe; combine()
// joins the collections of several threads. docs/format/decoding.md#eventsource
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include "schema/manifest.hpp"

#include <vector>

namespace etl::schema {

/// Event ID of manifest chunks.
inline constexpr std::uint16_t manifest_chunk_id = 0xFFFE;

/// Returns whether an event with this ID, opcode, and payload is a manifest chunk.
bool is_manifest_chunk(std::uint16_t id, std::uint8_t opcode, Bytes payload) noexcept;

/// A manifest, and the processes that logged it.
struct LoggedManifest {
    Guid provider;
    std::string text;
    ManifestLogs logs; // with the whole time as lifetime
};

class EventSourceChunks {
public:
    /// Stores a copy of a chunk. `time` (any ascending clock) and `position` order the chunks of
    /// one sender. Beyond limits::manifest_bytes, only the first chunks by time and position are
    /// kept, regardless of the collector. Payloads too short for an envelope are ignored.
    void add(const Guid& provider, std::uint32_t process, std::uint32_t thread, std::int64_t time,
             std::uint64_t position, Bytes payload);

    /// Takes over the chunks of another collector.
    void combine(EventSourceChunks&& other);

    /// Returns the distinct complete manifests, each with its provider.
    std::vector<std::pair<Guid, std::string>> manifests();

    /// The same, with the processes that logged them and the times of their last chunks.
    std::vector<LoggedManifest> logged_manifests();

    /// Returns whether chunks were omitted; valid after manifests().
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
