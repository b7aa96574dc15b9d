// The loop that run() and run_batches() share: batches of events, the buffers that these keep
// alive, and whether the events are still in their files. Private to flow.
#pragma once

#include "flow/source.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace etl::flow {

/// How much there is of the files that events are mapped from.
class Extents {
public:
    /// Asks each file once.
    explicit Extents(std::span<const Run> runs) {
        for (const Run& run : runs) {
            const BufferContext& buffer = *run.front().buffer;
            const Backing* const backing = buffer.trace->backing;
            if (buffer.is_mapped && backing != nullptr && find(backing) == sizes_.end()) {
                sizes_.emplace_back(backing, backing->intact_size());
            }
        }
    }

    bool hold(const Event& event) const noexcept {
        const BufferContext& buffer = *event.buffer;
        const auto file = buffer.is_mapped ? find(buffer.trace->backing) : sizes_.end();
        return file == sizes_.end() ||
               buffer.where.value + event.offset() + event.size <= file->second;
    }

    bool hold(std::span<const Run> runs) const noexcept {
        return std::ranges::all_of(runs, [&](const Run& run) {
            const BufferContext& buffer = *run.front().buffer;
            const auto file = buffer.is_mapped ? find(buffer.trace->backing) : sizes_.end();
            return file == sizes_.end() ||
                   buffer.where.value + buffer.bytes.size() <= file->second ||
                   std::ranges::all_of(run, [&](const Event& event) { return hold(event); });
        });
    }

    bool operator==(const Extents&) const = default;

private:
    using Sizes = std::vector<std::pair<const Backing*, std::uint64_t>>; // few

    Sizes::const_iterator find(const Backing* backing) const noexcept {
        return std::ranges::find(sizes_, backing, &Sizes::value_type::first);
    }

    Sizes sizes_;
};

// The buffers that a batch of events keeps alive.

/// Each pin once. Where the runs are short, as with many processors, a batch has events of very
/// many buffers; few matches in many large buffers must not keep all those buffers alive. So a set
/// is full by their number, or by their bytes.
class PinSet {
public:
    /// Buffers that one batch may keep, and their bytes.
    static constexpr std::size_t max_pins = 256;
    static constexpr std::uint64_t max_bytes = 8U << 20U;

    void clear() {
        if (!pins_.empty()) {
            table_.fill(0);
        }
        pins_.clear();
        bytes_ = 0;
    }

    /// `bytes`: of the buffer that the pin keeps. Does nothing without a pin.
    void add(Pin pin, std::uint64_t bytes) {
        if (!pin) {
            return;
        }
        std::uint16_t& number = table_[place_of(pin.get())];
        if (number == 0) {
            pins_.push_back(std::move(pin));
            number = static_cast<std::uint16_t>(pins_.size());
            bytes_ += bytes;
        }
    }

    bool is_full() const noexcept { return pins_.size() >= max_pins || bytes_ >= max_bytes; }

private:
    /// Where the number of this pin, counted from 1, is or would be.
    std::size_t place_of(const void* key) const noexcept {
        // Addresses of objects differ in their middle bits.
        std::size_t place = std::hash<const void*>()(key) * 0x9E3779B97F4A7C15ULL >> 54U;
        while (table_[place] != 0 && pins_[table_[place] - 1U].get() != key) {
            place = (place + 1) % table_.size();
        }
        return place;
    }

    std::vector<Pin> pins_;
    std::array<std::uint16_t, 1024> table_{}; // a power of two, four times max_pins
    std::uint64_t bytes_ = 0;
};

/// Ordered events on their way to a worker.
struct EventBatch {
    std::vector<Run> runs;
    PinSet pins;
    std::size_t events = 0;
    bool flush = false; // the source pauses after it
};

/// Takes batches from the source, counting and telling progress.
class Feeder {
public:
    using Progress = std::function<bool(std::uint64_t events, const Event& newest)>;

    /// A batch is full when it has `most` events. `progress` outlives this.
    Feeder(Source& source, std::size_t most, const Progress& progress)
        : source_(&source), most_(most), progress_(&progress) {}

    /// False at the end. A batch without events only asks for a flush.
    bool fill(EventBatch& batch) {
        batch.runs.clear();
        batch.pins.clear();
        batch.events = 0;
        batch.flush = false;
        while (!stopped_ && batch.events < most_ && !batch.pins.is_full()) {
            const Run run = source_->next_run();
            if (run.empty()) {
                batch.flush = source_->is_paused();
                stopped_ = !batch.flush;
                break;
            }
            batch.runs.push_back(run);
            batch.events += run.size();
            batch.pins.add(source_->pin(), run.front().buffer->bytes.size());
        }
        events_ += batch.events;
        if (batch.events > 0 && *progress_ && !(*progress_)(events_, batch.runs.back().back())) {
            stopped_ = true;
        }
        return batch.events > 0 || batch.flush;
    }

    void stop() noexcept { stopped_ = true; }

    /// The next batches have up to twice as many events, at most `most`.
    void grow(std::size_t most) noexcept { most_ = std::min(most, most_ * 2); }

    std::uint64_t events() const noexcept { return events_; }

private:
    Source* source_;
    std::size_t most_;
    const Progress* progress_;
    std::uint64_t events_ = 0;
    bool stopped_ = false;
};

/// Calls `work(extents)` until no file was truncated meanwhile: at first with null, for all events;
/// then again, without those that are gone. What was truncated away while it was worked on came out
/// as zeros. The source reports it.
template <typename Work>
void work_on_intact(std::span<const Run> runs, Work&& work) {
    work(nullptr);
    for (Extents now(runs); !now.hold(runs);) {
        work(&now);
        const Extents then = std::exchange(now, Extents(runs));
        if (now == then) {
            break;
        }
    }
}

} // namespace etl::flow
