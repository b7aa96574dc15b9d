// Collects the facts of one trace in a pass of its own, before its events are shown: Windows writes
// many of them at the end. docs/enrich.md
//
//     Collector collector(schemas, {}, threads);
//     reader.for_each_buffer(threads, [&](unsigned worker, const BufferEntry& entry, Run events) {
//         collector.add(worker, &entry - reader.buffers().data(), events);
//     });
//     const Facts facts = collector.finish();
#pragma once

#include <etl/base/code_page.hpp>
#include <etl/decode/decoder.hpp>
#include <etl/facts/facts.hpp>

#include <memory>
#include <span>

namespace etl::facts {

/// What is collected. Less takes less time and memory.
enum class Scope : std::uint8_t {
    everything,
    processes, // and their threads: what Attributor needs
};

struct CollectorOptions {
    Scope scope = Scope::everything;
    unsigned pointer_size = 0; // as in decode::DecoderOptions
    /// Of 8-bit text; null: as in decode::DisplayOptions.
    std::shared_ptr<const CodePage> code_page;
    /// What may be held in memory of buffers whose turn has not come.
    std::size_t ahead_bytes = std::size_t{64} << 20U;
};

class Collector {
public:
    /// `schemas` describe the kernel's classes: without them nothing is collected.
    Collector(const schema::SchemasByTrace& schemas, CollectorOptions options, unsigned workers);
    ~Collector();
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    /// The events of buffer number `buffer`. Each number from 0 on comes once, in any order; each
    /// worker belongs to one thread. Records are read at once; what they tell is taken over in the
    /// order of the buffers, so that the facts, and what the limits leave out, do not depend on
    /// threads. A worker that is too far ahead of the earliest buffer (CollectorOptions::
    /// ahead_bytes) waits for it, as long as another worker is at work and for some seconds at
    /// most: a buffer that takes longer, or does not come, is passed without a bound.
    void add(unsigned worker, std::size_t buffer, std::span<const flow::Event> events);

    /// Everything, sorted and joined. Once, when all buffers were seen.
    Facts finish();

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::facts
