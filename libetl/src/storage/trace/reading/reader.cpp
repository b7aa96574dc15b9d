#include "trace/reader.hpp"

#include "base/task_pool.hpp"
#include "trace/limits.hpp"
#include "trace/loading/chain_loading.hpp"
#include "trace/reading/opened_trace.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <utility>
#include <vector>

namespace etl::trace {

namespace {

// Buffers by themselves, without any order of time: what the calls of Reader with the same names
// do.

/// The threads that are worth starting for these buffers: at most one for each buffer.
std::size_t worth_starting(std::span<const BufferEntry> entries, unsigned threads) {
    const std::size_t most = std::min<std::size_t>(std::max(1U, threads), entries.size());
    std::uint64_t bytes = 0;
    for (const BufferEntry& entry : entries) {
        bytes += entry.disk_size;
        if (bytes / limits::bytes_of_a_thread >= most) {
            return most;
        }
    }
    return std::max<std::size_t>(1, static_cast<std::size_t>(bytes / limits::bytes_of_a_thread));
}

void show_buffers(const LoadRequest& request, std::span<const BufferEntry> entries,
                  unsigned threads, std::vector<std::uint32_t> numbers,
                  FunctionRef<void(const BufferContent& buffer)> visit) {
    std::optional<BufferChain> chain;
    TaskPool pool(threads - 1); // last: its threads end before what they work on
    chain.emplace(request, entries, BufferStream{.buffers = std::move(numbers)},
                  threads > 1 ? &pool : nullptr, load_ahead(threads, 1),
                  std::make_shared<BufferShelf>());
    while (const BufferPointer buffer = chain->load_one()) {
        visit({.entry = &entries[buffer->context.number],
               .context = &buffer->context,
               .events = buffer->events.view(),
               .findings = buffer->findings});
    }
}

std::uint64_t for_each_buffer(
    const LoadRequest& request, std::span<const BufferEntry> entries, unsigned threads,
    FunctionRef<void(unsigned worker, const BufferEntry& entry, flow::Run events)> visit) {
    std::atomic<std::size_t> next = 0;
    std::atomic<std::uint64_t> warnings = 0;
    const auto work = [&](unsigned worker) {
        LoadedBuffer buffer;
        for (std::size_t i = next++; i < entries.size() && !is_stopped(request); i = next++) {
            load_records(request, entries[i], i, buffer);
            buffer.restamp(no_time);
            warnings += static_cast<std::uint64_t>(
                std::ranges::count(buffer.findings, Severity::warning, &Diagnostic::severity));
            visit(worker, entries[i], buffer.events.view());
        }
    };
    // The caller is the first of the workers. What a task throws comes out of its future.
    const std::size_t others = worth_starting(entries, threads) - 1;
    std::vector<std::future<void>> done;
    {
        TaskPool pool(static_cast<unsigned>(others));
        for (unsigned worker = 1; worker <= pool.threads(); ++worker) {
            done.push_back(pool.start([&, worker] { work(worker); }));
        }
        work(0);
    }
    for (std::future<void>& each : done) {
        each.get();
    }
    return warnings;
}

} // namespace

struct Reader::State : OpenedTrace {
    using OpenedTrace::OpenedTrace;

    struct Joined {
        unsigned threads = 1;
        VisitBuffer visit;
    };

    std::uint64_t damage_in_buffers = 0;
    std::vector<Joined> joined; // the next walk
};

void Reader::join_next_walk(unsigned threads, VisitBuffer visit) {
    state_->joined.push_back({threads, std::move(visit)});
}

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}

Reader::~Reader() = default;

const ScannedTrace& Reader::scanned() const noexcept {
    return *state_->trace;
}

Result<std::unique_ptr<Reader>> Reader::open(std::shared_ptr<const io::InputFile> file,
                                             const ReaderOptions& options) {
    auto trace = ScannedTrace::open(std::move(file), options);
    if (!trace) {
        return std::unexpected(trace.error());
    }
    auto state =
        std::make_unique<State>(std::move(*trace), options, OpenedTrace::Findings::reported);
    return std::unique_ptr<Reader>(new Reader(std::move(state)));
}

Result<std::unique_ptr<Reader>> Reader::open(const Reader& of,
                                             std::shared_ptr<const io::InputFile> file,
                                             const ReaderOptions& options) {
    auto trace = of.scanned().again(options);
    if (!trace) {
        return open(std::move(file), options);
    }
    auto state =
        std::make_unique<State>(std::move(trace), options, OpenedTrace::Findings::reported);
    return std::unique_ptr<Reader>(new Reader(std::move(state)));
}

const flow::TraceInfo& Reader::info() const noexcept {
    return state_->trace->info;
}

std::span<const BufferEntry> Reader::buffers() const noexcept {
    return state_->entries();
}

bool Reader::is_in_one_go() const noexcept {
    return state_->trace->buffers->is_in_one_go;
}

flow::Run Reader::next_run() {
    return state_->next_run();
}

flow::Pin Reader::pin() const {
    return state_->pin();
}

const Error* Reader::error() const noexcept {
    return nullptr;
}

void Reader::report_truncation() {
    state_->report_truncation();
}

void Reader::skip_outside(const TraceIndex& index, const flow::RawWindow& window,
                          bool IndexedBuffer::* kept) {
    keep_only(index, [&](std::uint32_t number) {
        const IndexedBuffer& buffer = index.buffers[number];
        const bool is_outside =
            buffer.last_time < window.from || (window.to && buffer.first_time >= *window.to);
        return !is_outside || (kept != nullptr && buffer.*kept);
    });
}

void Reader::keep_only(const TraceIndex& index, FunctionRef<bool(std::uint32_t number)> is_kept) {
    BufferStreams& streams = state_->streams;
    if (state_->options.order == Order::time && index.buffers.size() == buffers().size() &&
        streams.can_skip(index.buffers)) {
        streams.keep(is_kept);
        state_->compare_with(index.buffers);
    }
}

std::vector<std::byte> Reader::known_buffers() const {
    const BufferIndex& index = state_->trace->buffers->index;
    const bool is_sound = index.findings.empty() && info().has_header &&
                          info().container.name.empty() && !index.entries.empty() &&
                          index.entries.front().where.value == 0;
    return is_sound ? encode(index) : std::vector<std::byte>();
}

bool Reader::has_known_buffers() const noexcept {
    return state_->trace->is_known;
}

std::uint64_t Reader::damage() const noexcept {
    return state_->findings.damage();
}

void Reader::show_buffers(std::vector<std::uint32_t> numbers,
                          FunctionRef<void(const BufferContent& buffer)> visit) {
    trace::show_buffers(state_->request_of_all(), buffers(), state_->options.threads,
                        std::move(numbers), visit);
}

std::uint64_t Reader::damage_in_buffers() const noexcept {
    return state_->damage_in_buffers;
}

std::uint64_t Reader::for_each_buffer(
    unsigned threads,
    FunctionRef<void(unsigned worker, const BufferEntry& entry, flow::Run events)> visit) {
    const auto joined = std::exchange(state_->joined, {});
    for (const State::Joined& one : joined) {
        threads = std::min(threads, one.threads);
    }
    const std::uint64_t warnings =
        trace::for_each_buffer(state_->request_of_all(), buffers(), threads,
                               [&](unsigned worker, const BufferEntry& entry, flow::Run events) {
                                   visit(worker, entry, events);
                                   for (const State::Joined& one : joined) {
                                       one.visit(worker, entry, events);
                                   }
                               });
    state_->report_truncation();
    state_->damage_in_buffers = std::max(state_->damage_in_buffers, warnings);
    return warnings;
}

} // namespace etl::trace
