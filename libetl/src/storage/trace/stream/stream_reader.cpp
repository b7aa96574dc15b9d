#include <etl/bytes.hpp>

#include "base/limits.hpp"
#include "trace/header/read_header_buffer.hpp"
#include "trace/index/buffer_indexer.hpp"
#include "trace/index/buffer_numbers.hpp"
#include "trace/index/header_checks.hpp"
#include "trace/limits.hpp"
#include "trace/loading/buffer_chain.hpp"
#include "trace/ordering/merge.hpp"
#include "trace/stream.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::trace {

namespace {

/// The part of a stream that was read and is still needed.
class StreamWindow {
public:
    explicit StreamWindow(std::vector<std::byte> head)
        : memory_(std::move(head)), end_(memory_.size()) {}

    Bytes bytes() const noexcept { return Bytes(memory_).subspan(begin_, end_ - begin_); }

    /// Of the first byte, in the stream.
    std::uint64_t where() const noexcept { return where_; }

    /// Forgets what lies before `where`.
    void forget(std::uint64_t where) noexcept {
        const auto size = static_cast<std::size_t>(where - where_);
        begin_ += size;
        where_ = where;
    }

    /// Space behind the bytes for a block, and for `needed` bytes in all.
    MutableBytes space(std::size_t needed) {
        const std::size_t size = end_ - begin_;
        const std::size_t capacity = std::max(needed, size + block);
        if (begin_ + capacity > memory_.size()) {
            std::memmove(memory_.data(), memory_.data() + begin_, size);
            begin_ = 0;
            end_ = size;
            memory_.resize(std::max(memory_.size(), capacity + 2 * block));
        }
        return MutableBytes(memory_).subspan(end_);
    }

    void append(std::size_t size) noexcept { end_ += size; }

private:
    static constexpr std::size_t block = 1U << 18U; // read at a time

    std::vector<std::byte> memory_;
    std::uint64_t where_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_;
};

using std::chrono::milliseconds;
using Following = StreamIndex::Following;
using Step = StreamIndex::Step;

/// Compressed buffers count as they come; of what unpacks to more than this, the result does.
constexpr std::size_t max_inflated = 8;

constexpr milliseconds one_wait{100}; // so long StreamOptions::stop is not looked at

using Duration = std::chrono::steady_clock::duration;

/// A buffer that was loaded.
struct HeldBuffer {
    BufferPointer buffer; // null: the slot is free
    std::size_t size = 0; // what it counts for in the window
    Duration since{};     // State::waited when it arrived
};

flow::TraceInfo info_of(Bytes head, std::string name, std::uint32_t file) {
    flow::TraceInfo info;
    read_header_buffer(head, info);
    info.name = std::move(name);
    info.file = file;
    info.processors = std::min(info.header.number_of_processors, etl::limits::processors);
    return info;
}

} // namespace

struct StreamReader::State {
    State(std::shared_ptr<io::ByteStream> from, std::vector<std::byte> head, std::string name,
          const StreamOptions& how)
        : stream(std::move(from)), options(how), info(info_of(head, std::move(name), how.file)),
          index(head, {info.header.buffer_size, info.header.log_file_mode}),
          window(std::move(head)) {
        request.trace = &info;
        request.codec = static_cast<codec::Format>(codec_of(window.bytes()));
        request.order = options.order;
        request.is_transient = true;
    }

    std::shared_ptr<io::ByteStream> stream;
    StreamOptions options;
    flow::TraceInfo info;
    StreamIndex index;
    StreamWindow window;
    LoadRequest request;
    std::shared_ptr<BufferShelf> shelf = std::make_shared<BufferShelf>();
    std::uint64_t loaded = 0;                                               // buffers
    BufferNumbers numbers{info.header.log_file_mode, limits::number_spans}; // of them
    std::unordered_map<std::uint32_t, std::int64_t> last_times; // by chain, of what was loaded
    Merge merge;
    std::vector<HeldBuffer> held; // by slot of the merge
    std::size_t held_bytes = 0;
    std::size_t held_buffers = 0;
    Merge::Slot current = std::numeric_limits<Merge::Slot>::max(); // what the last run came from,
    BufferPointer finished;                                        // or this, when it was its last
    std::int64_t newest = no_time;                                 // of what was returned
    std::uint64_t late_events = 0;
    std::uint64_t damage = 0;
    milliseconds silence{0}; // since bytes came
    Duration waited{};       // for bytes, in all,
    Duration held_since{};   // and when the oldest buffer held arrived, or before
    Following following = Following::something;
    bool is_draining = false; // all that is held is returned
    bool is_stopping = false; // StreamOptions::stop was seen
    bool has_ended = false;   // nothing is left that is not held
    bool is_pause_due = false;
    bool is_paused = false;
    std::optional<Error> failure;

    void report(Diagnostic finding);
    bool may_return() const noexcept;
    bool is_stopped() const noexcept;
    flow::Run give();
    void leave(Merge::Slot slot);
    std::optional<flow::Run> advance();
    void read();
    void report_end();
    void drain();
    bool is_waiting_long();
    BufferPointer load_buffer(const BufferEntry& entry);
    void hold(BufferPointer buffer, std::size_t size);
    std::uint32_t chain_of(const LoadedBuffer& buffer) const noexcept;
};

void StreamReader::State::report(Diagnostic finding) {
    finding.file = options.file;
    damage += finding.severity == Severity::warning ? 1U : 0U;
    if (options.diagnostics != nullptr) {
        options.diagnostics->report(finding);
    }
}

bool StreamReader::State::is_stopped() const noexcept {
    return options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
}

/// Whether the oldest event that is held may be returned.
bool StreamReader::State::may_return() const noexcept {
    return !merge.empty() && (is_draining || has_ended || held_bytes > options.window_bytes ||
                              held_buffers > limits::merged_buffers);
}

/// The next run of what is held.
flow::Run StreamReader::State::give() {
    current = merge.winner();
    const flow::Run run = merge.next();
    if (run.front().raw_time < newest) {
        const auto on_time = std::ranges::lower_bound(run, newest, {}, &flow::Event::raw_time);
        late_events += static_cast<std::uint64_t>(on_time - run.begin());
    }
    newest = std::max(newest, run.back().raw_time);
    if (merge.slot_ended()) {
        leave(current);
    }
    return run;
}

/// The buffer in this slot has given its last event.
void StreamReader::State::leave(Merge::Slot slot) {
    held_bytes -= held[slot].size;
    --held_buffers;
    finished = std::move(held[slot].buffer);
}

/// Which buffers follow each other: those of a processor; of a merge that keeps its sources apart,
/// those of a processor and a source. docs/merge.md#sources
std::uint32_t StreamReader::State::chain_of(const LoadedBuffer& buffer) const noexcept {
    const bool has_sources = (info.header.log_file_mode & format::log_mode::relog) != 0;
    const bool is_header = buffer.context.number == 0;
    const std::uint32_t source = has_sources && !is_header ? buffer.context.logger_id : 0U;
    return std::uint32_t{buffer.context.processor} << 16U | source;
}

BufferPointer StreamReader::State::load_buffer(const BufferEntry& entry) {
    BufferPointer buffer = shelf->take();
    request.file = window.bytes();
    request.begin = window.where();
    load_records(request, entry, loaded++, *buffer);
    for (const Diagnostic& finding : buffer->findings) {
        report(finding);
    }
    if (buffer->events.empty()) {
        return nullptr;
    }
    const std::uint32_t chain = options.order == Order::time ? chain_of(*buffer) : 0;
    if (last_times.size() > limits::buffer_streams) {
        last_times.clear(); // of a hostile trace: memory stays bounded
    }
    std::int64_t& last = last_times.try_emplace(chain, no_time).first->second;
    buffer->restamp(last);
    last = options.order == Order::time ? std::max(last, buffer->last_time()) : buffer->last_time();
    if (options.on_arrival) {
        options.on_arrival(buffer->events.view());
    }
    return buffer;
}

void StreamReader::State::hold(BufferPointer buffer, std::size_t size) {
    // Of equal times the lower chain comes first, then the earlier buffer. As Reader has it.
    const std::uint64_t rank =
        std::uint64_t{chain_of(*buffer)} << 32U | (buffer->context.number & 0xFFFFFFFFU);
    const Merge::Slot slot = merge.add(buffer->events.view(), rank);
    held.resize(std::max<std::size_t>(held.size(), slot + 1UL));
    held[slot] = {std::move(buffer), size, waited};
    held_bytes += size;
    ++held_buffers;
}

/// From now on all that is held is returned, and then a pause.
void StreamReader::State::drain() {
    is_draining = true;
    is_pause_due = true;
    silence = milliseconds(0);
    held_since = waited;
}

/// Whether some buffer was held back too long. Looks for the oldest when that may be so only.
bool StreamReader::State::is_waiting_long() {
    const auto is_long = [&] { return waited - held_since >= options.max_delay; };
    if (is_long() && options.order == Order::time) {
        held_since = waited;
        for (const HeldBuffer& one : held) {
            held_since = one.buffer ? std::min(held_since, one.since) : held_since;
        }
    }
    return is_long();
}

/// Reads what has arrived, or finds out that nothing does.
void StreamReader::State::read() {
    using io::ByteStream;
    if (following == Following::nothing_yet) {
        following = Following::something;
        has_ended = is_stopping;
        drain();
        return;
    }
    window.forget(index.position());
    const auto begin = std::chrono::steady_clock::now();
    const MutableBytes space = window.space(static_cast<std::size_t>(index.needed()));
    const auto arrival = stream->read(space, std::min(one_wait, options.pause));
    waited += std::chrono::steady_clock::now() - begin;
    if (!arrival || arrival->state == ByteStream::State::end) {
        failure = arrival ? failure : std::optional(arrival.error());
        following = Following::nothing;
    } else if (is_stopped()) {
        window.append(arrival->size);
        is_stopping = true;
        following = Following::nothing_yet;
    } else if (arrival->state == ByteStream::State::pause) {
        silence += std::min(one_wait, options.pause);
        following = silence >= options.pause ? Following::nothing_yet : Following::something;
    } else {
        window.append(arrival->size);
        silence = milliseconds(0);
    }
    if (is_waiting_long()) {
        drain();
    }
}

/// What the header contradicts and which buffers the trace lacks, as the reader of a file judges
/// it. A growing trace that was finalized has a new header.
void StreamReader::State::report_end() {
    const bool is_complete = !failure && !is_stopping; // else the rest of it could not be read
    flow::TraceInfo ended = info;
    const auto* const growing = options.growing;
    if (growing != nullptr && growing->final_header() != nullptr) {
        ended.header = *growing->final_header();
        ended.is_unfinalized = false;
    }
    for (const char* const what : header_findings(ended, is_complete ? numbers.count() : 0)) {
        report({.what = what, .buffer = {}, .offset = {}});
    }
    if (!is_complete) {
        return;
    }
    const MissingBuffers missing = numbers.judge(ended, {}, {index.position()});
    for (const MissingBuffers::Gap& gap : missing.gaps) {
        report(finding_of(gap, missing.reason));
    }
}

/// One step through the stream. A run where buffers are returned as they come.
std::optional<flow::Run> StreamReader::State::advance() {
    const Step step = index.advance(window.bytes(), window.where(), following);
    BufferIndex news = index.take();
    for (const Diagnostic& finding : news.findings) {
        report(finding);
    }
    if (step == Step::end) {
        has_ended = true;
        report_end();
    } else if (step == Step::more) {
        read();
    } else if (step == Step::buffer) {
        const BufferEntry& entry = news.entries.front();
        numbers.add(entry, info.has_header);
        BufferPointer buffer = load_buffer(entry);
        if (buffer && options.order == Order::file) {
            finished = std::move(buffer);
            return finished->events.view();
        }
        if (buffer) {
            // Memory that the buffer has inherited from a larger one counts as well.
            constexpr std::size_t small = 16U << 10U;
            const auto memory = static_cast<std::size_t>(buffer->memory());
            const std::size_t size =
                std::max<std::size_t>(entry.disk_size, memory > small ? memory / max_inflated : 0);
            hold(std::move(buffer), size);
        }
    }
    return std::nullopt;
}

StreamReader::StreamReader(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

StreamReader::~StreamReader() = default;

Result<std::unique_ptr<StreamReader>> StreamReader::open(StreamInput input,
                                                         const StreamOptions& options) {
    if (!input.spool_reason().empty() ||
        (options.order != Order::time && options.order != Order::file)) {
        return fail(ErrorCode::invalid_option, "this trace cannot be streamed");
    }
    return std::unique_ptr<StreamReader>(new StreamReader(std::make_unique<State>(
        std::move(input.stream_), std::move(input.head_), std::move(input.name_), options)));
}

const flow::TraceInfo& StreamReader::info() const noexcept {
    return state_->info;
}

flow::Run StreamReader::next_run() {
    State& s = *state_;
    s.is_paused = false;
    while (true) {
        if (s.may_return()) {
            return s.give();
        }
        s.is_draining = s.is_draining && !s.merge.empty();
        if (s.is_pause_due) {
            s.is_pause_due = false;
            s.is_paused = true;
            return {};
        }
        if (s.has_ended) {
            return {};
        }
        if (const auto run = s.advance()) {
            return *run;
        }
    }
}

flow::Pin StreamReader::pin() const {
    const State& s = *state_;
    const bool is_held = s.current < s.held.size() && s.held[s.current].buffer;
    return is_held ? s.held[s.current].buffer : s.finished;
}

const Error* StreamReader::error() const noexcept {
    return state_->failure ? &*state_->failure : nullptr;
}

bool StreamReader::is_paused() const noexcept {
    return state_->is_paused;
}

std::uint64_t StreamReader::late_events() const noexcept {
    return state_->late_events;
}

std::uint64_t StreamReader::damage() const noexcept {
    return state_->damage;
}

} // namespace etl::trace
