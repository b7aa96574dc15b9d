// Writes the events of a recipe to a Writer, one by one. The same recipe produces the same records.
// One thread.
#pragma once

#include "trace/writer.hpp"
#include "verbs/generate/machine.hpp"
#include "verbs/generate/provider_events.hpp"

#include <optional>
#include <vector>

namespace cli::generate {

/// The header of the trace.
etl::trace::Recording recording_of(const Recipe& recipe);

class Generator {
public:
    Generator(const Recipe& recipe, etl::trace::Writer& writer);

    /// Writes the next event; false if the trace is complete. The writer counts rejected events as
    /// lost.
    bool next();

    /// Completed fraction, 0 to 1.
    double done() const noexcept;

    std::uint64_t events() const noexcept { return events_; }

private:
    /// A record that must come next on its processor.
    struct Sampled {
        std::uint16_t processor;
        std::int64_t time;
    };

    void advance() noexcept;
    std::int64_t raw_time() noexcept;
    std::uint16_t pick_processor() noexcept;
    Kind pick_kind() noexcept;
    void add_rundown(const KernelEvent& event);
    void add(Kind kind);
    void add_kernel(Kind kind, const KernelEvent& event);
    template <typename Record>
    Record of_thread(const KernelEvent& event) const;

    template <typename Record>
    void put(const Record& record) {
        static_cast<void>(writer_->add(record, processor_)); // counted by the writer
    }

    const Recipe* recipe_;
    etl::trace::Writer* writer_;
    Random random_;
    Machine machine_;
    ProviderEvents providers_;
    std::vector<std::uint64_t> busy_; // by processor: its share and those of all before it
    std::uint32_t weights_ = 0;
    bool has_rundown_;
    etl::ByteWriter payload_;
    std::optional<Sampled> sampled_;
    std::uint64_t events_ = 0;
    std::uint64_t gap_;                // mean time between events, in ticks * `one`
    std::int64_t elapsed_ = 0;         // in ticks of 100 ns
    std::uint64_t elapsed_beyond_ = 0; // less than a tick, in ticks * `one`
    std::int64_t base_;
    std::uint16_t processor_ = 0;
    std::int64_t time_ = 0;
};

} // namespace cli::generate
