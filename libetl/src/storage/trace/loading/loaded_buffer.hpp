// One buffer made ready: decompressed if need be, its records found and in time order.
#pragma once

#include "codec/codec.hpp"
#include "io/input_file.hpp"
#include "trace/index/packed_trace.hpp"
#include "trace/limits.hpp"
#include "trace/reader.hpp"
#include "trace/trace_index.hpp"

#include <atomic>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace etl::trace {

/// The events of one buffer. Grows without initialising what is about to be written; keeps its
/// memory for the next buffer.
class EventArray {
public:
    flow::Event* begin() noexcept { return memory_.get(); }

    flow::Event* limit() noexcept { return memory_.get() + capacity_; }

    void set_size(std::size_t size) noexcept { size_ = size; }

    /// Room for twice as many; the first `used` are kept.
    void grow(std::size_t used);

    flow::Run view() const noexcept { return {memory_.get(), size_}; }

    std::span<flow::Event> all() noexcept { return {memory_.get(), size_}; }

    std::size_t size() const noexcept { return size_; }

    std::size_t capacity() const noexcept { return capacity_; }

    bool empty() const noexcept { return size_ == 0; }

private:
    std::unique_ptr<flow::Event[]> memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// Before all times: stands for none.
inline constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

/// Immutable once loaded, except by restamp().
struct LoadedBuffer {
    flow::BufferContext context;
    Storage storage; // what was unpacked; unused when the buffer lies in the file as it is
    EventArray events;
    std::vector<Diagnostic> findings;
    std::uint32_t unstamped = 0; // events at the front that have no time stamp to inherit yet

    std::int64_t first_time() const noexcept { return events.view().front().raw_time; }

    std::int64_t last_time() const noexcept { return events.view().back().raw_time; }

    /// What it takes besides the file.
    std::uint64_t memory() const noexcept {
        return storage.capacity() + events.capacity() * sizeof(flow::Event);
    }

    /// Shelf: false if it is too large to be kept.
    bool put_away() const noexcept {
        return storage.capacity() <= limits::copied_buffer &&
               events.capacity() * sizeof(flow::Event) <= limits::copied_buffer;
    }

    /// Gives the unstamped events at the front the time of what came before them (no_time: nothing
    /// did), or of what follows if that is earlier, or of the log file header.
    void restamp(std::int64_t before) noexcept;
};

/// Records of a buffer, by their offsets in it: those in [from, to).
struct RecordRange {
    std::uint32_t from = 0;
    std::uint32_t to = std::numeric_limits<std::uint32_t>::max();

    bool is_all() const noexcept { return *this == RecordRange{}; }

    bool holds(std::uint32_t offset) const noexcept { return offset >= from && offset < to; }

    bool operator==(const RecordRange&) const = default;
};

/// How much of a mapped file is still there, by a system call for every eighth buffer: one for each
/// would cost a walk some 3%. Thread-safe.
class WatchedFile {
public:
    explicit WatchedFile(const io::InputFile& file) noexcept
        : file_(&file), size_(file.intact_size()) {}

    std::uint64_t intact_size() noexcept {
        constexpr std::uint32_t interval = 8;
        if (asked_.fetch_add(1, std::memory_order_relaxed) % interval == 0) {
            size_.store(file_->intact_size(), std::memory_order_relaxed);
        }
        return size_.load(std::memory_order_relaxed);
    }

    /// Asks now.
    std::uint64_t intact_size_now() const noexcept { return file_->intact_size(); }

private:
    const io::InputFile* file_;
    std::atomic<std::uint64_t> size_;
    std::atomic<std::uint32_t> asked_{0};
};

struct LoadRequest {
    Bytes file; // as it is on disk, or the part of it that is at hand
    const io::FileOnDemand* on_demand = nullptr; // the file, if it is mapped for each buffer
    const io::InputFile* copied = nullptr;       // the file, if buffers keep what they read of it
    WatchedFile* watched = nullptr;              // whose bytes these are; null: no file's
    const flow::TraceInfo* trace = nullptr;
    codec::Format codec = codec::Format::xpress;
    Order order = Order::time;
    FrameUnpackers* unpackers = nullptr;                             // of a container
    const std::function<bool(const flow::Event&)>* select = nullptr; // null: all events
    std::span<const IndexedBuffer> indexed; // what an index states; or none
    const Stop* stop = nullptr;             // no more buffers once it is requested; may be null
    std::uint64_t begin = 0;                // of the part at hand
    bool is_transient = false;              // `file` goes after the call: buffers keep copies
};

/// Whether no more buffers are to be loaded.
inline bool is_stopped(const LoadRequest& request) noexcept {
    return request.stop != nullptr && request.stop->is_requested();
}

/// Loads a buffer into `into`, whose memory is reused. `number` is its place in the file. Of one
/// that is loaded in several ranges the findings come with the first.
void load_records(const LoadRequest& request, const BufferEntry& entry, std::uint64_t number,
                  LoadedBuffer& into, RecordRange range = {});

} // namespace etl::trace
