// A trace in memory that takes little time, and its facts, for fuzz targets that read it more than
// once.
#pragma once

#include "facts/collector.hpp"
#include "trace/reader.hpp"

#include <cstdint>
#include <memory>

namespace etl::fuzz {

/// The most events that a target reads of it.
inline constexpr std::uint64_t most_events = 20'000;

using File = std::shared_ptr<const io::InputFile>;

/// Returns null if `data` is no trace, or if its buffers claim more than 4 MB.
inline File small_trace(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    File file = io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz");
    const auto reader = trace::Reader::open(file, {});
    if (!reader) {
        return nullptr;
    }
    std::uint64_t claimed = 0;
    for (const trace::BufferEntry& entry : (*reader)->buffers()) {
        claimed += entry.used;
    }
    return claimed <= (4U << 20U) ? file : nullptr;
}

inline std::shared_ptr<const facts::FactsByTrace>
facts_of(const File& file, const std::shared_ptr<const schema::SchemaStore>& store) {
    const auto reader = trace::Reader::open(file, {});
    facts::Collector collector(store, {}, 1);
    auto facts = std::make_shared<facts::FactsByTrace>();
    facts->push_back(collector.read(**reader, 1));
    return facts;
}

} // namespace etl::fuzz
