// Collects the facts of one trace in a separate pass, before its events are processed: Windows
// writes many facts at the end. docs/enrich.md
//
//     Collector collector(schemas, {}, threads);
//     const Facts facts = collector.read(reader, threads);
#pragma once

#include <etl/error.hpp>

#include "base/code_page.hpp"
#include "decode/decoder.hpp"
#include "facts/facts.hpp"

#include <memory>
#include <span>

namespace etl::facts {

/// The facts to collect. Fewer facts take less time and memory.
enum class Scope : std::uint8_t {
    everything,
    processes, // processes and threads, as required by Attributor
};

struct CollectorOptions {
    Scope scope = Scope::everything;
    unsigned pointer_size = 0; // as in decode::DecoderOptions
    /// Code page of 8-bit text; null: as in decode::DisplayOptions.
    std::shared_ptr<const CodePage> code_page;
    /// Maximum memory for buffers that are ahead of their turn.
    std::size_t ahead_bytes = std::size_t{64} << 20U;
    /// Once it is requested, finish() returns empty facts at once; may be null.
    const Stop* stop = nullptr;
};

class Collector {
public:
    /// `schemas` contains the kernel classes, without which nothing is collected.
    Collector(const schema::SchemasByTrace& schemas, CollectorOptions options, unsigned workers);
    ~Collector();
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    /// Adds the events of buffer number `buffer`. Each number from 0 on must be added once, in any
    /// order; each worker is used by one thread. Records are read immediately; their facts are
    /// applied in buffer order, so that the result, including what is dropped at limits, does not
    /// depend on threads. A worker too far ahead of the earliest missing buffer
    /// (CollectorOptions::ahead_bytes) waits for it, while another worker is active and for a few
    /// seconds at most; after that, the memory bound no longer applies.
    void add(unsigned worker, std::size_t buffer, std::span<const flow::Event> events);

    /// Returns the sorted and joined facts. Call once, after adding all buffers.
    Facts finish();

    /// Adds all buffers of a trace::Reader, which this room may not include, and finishes.
    /// `threads` is at most the number of workers.
    template <typename Reader>
    Facts read(Reader& reader, unsigned threads) {
        const auto* const first = reader.buffers().data();
        reader.for_each_buffer(
            threads, [&](unsigned worker, const auto& entry, std::span<const flow::Event> events) {
                add(worker, static_cast<std::size_t>(&entry - first), events);
            });
        return finish();
    }

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::facts
