#include <etl/base/limits.hpp>
#include <etl/base/task_pool.hpp>
#include <etl/base/text.hpp>
#include <etl/trace/reader.hpp>

#include "trace/buffer_chain.hpp"
#include "trace/buffer_index.hpp"
#include "trace/merge.hpp"
#include "trace/packed_trace.hpp"
#include "trace/read_header_buffer.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <future>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace etl::trace {

namespace {

/// How many buffers of one processor may be open at once to put disordered events right.
constexpr std::size_t reorder_span = 2;

/// By processor and source: the buffers that follow each other.
using Chains = std::map<std::pair<std::uint16_t, std::uint16_t>, std::vector<std::uint32_t>>;

/// A buffer that the merge reads from.
struct OpenBuffer {
    BufferPointer buffer;
    std::uint32_t chain = 0;
};

/// What the fullest buffer holds, header included. `nominal` is what buffers hold at most.
std::uint32_t fullest(std::span<const BufferEntry> entries, std::uint32_t nominal) noexcept {
    std::uint32_t bytes = 0;
    for (const BufferEntry& entry : entries) {
        const std::uint32_t unsaid = entry.is_compressed() ? nominal : entry.disk_size;
        bytes = std::max(bytes, entry.used != 0 ? entry.used : unsaid);
    }
    return std::min(bytes, limits::buffer_bytes);
}

std::uint32_t count_processors(std::span<const BufferEntry> entries) noexcept {
    std::uint32_t count = 0;
    for (const BufferEntry& entry : entries) {
        count = std::max(count, entry.processor + 1U);
    }
    return count;
}

Error not_a_trace(Bytes file) {
    const std::string_view text = as_text(clamped(file, 0, 64));
    const char* what = text.starts_with("version https://git-lfs")
                           ? "this is a Git LFS pointer, not the trace itself (run `git lfs pull`)"
                       : begins_packed_trace(file)
                           ? "hardly any frame of this container is a buffer of a trace"
                           : "no buffer header and log file header at the beginning";
    return {ErrorCode::not_a_trace, what, {0}, 0, 0, 0};
}

} // namespace

struct Reader::State {
    std::shared_ptr<const io::InputFile> file;
    ReaderOptions options;
    flow::TraceInfo info;
    PackedTrace packed; // none, unless the file is a container
    BufferIndex index;
    std::optional<FrameUnpackers> unpackers; // of a container
    LoadRequest request;
    std::deque<BufferChain> chains;       // never moved: tasks under way point at them
    std::vector<std::uint64_t> positions; // by chain: buffers opened so far
    std::vector<BufferPointer> waiting;   // by chain: loaded, not yet open
    // Of the last event of the last opened buffer; by chain, or in Order::buffers by processor.
    std::vector<std::int64_t> last_times;
    Merge merge;
    std::vector<OpenBuffer> open_buffers;                          // by slot of the merge
    std::vector<std::uint32_t> open_count;                         // by chain: buffers in the merge
    std::vector<Diagnostic> findings;                              // of buffers just loaded
    Merge::Slot current = std::numeric_limits<Merge::Slot>::max(); // what the last run came from,
    BufferPointer finished;                                        // or this, when it was its last
    std::int64_t last_time = no_time;
    std::uint64_t damage = 0;
    std::optional<std::uint32_t> ended; // the chain whose buffer the last run came to the end of
    bool started = false;
    std::optional<TaskPool> pool; // last: its threads end before what they work on

    void report(Diagnostic finding) {
        finding.file = options.file;
        damage += finding.severity == Severity::warning ? 1U : 0U;
        if (options.diagnostics != nullptr) {
            options.diagnostics->report(finding);
        }
    }

    void report_new() {
        for (const Diagnostic& finding : findings) {
            report(finding);
        }
        findings.clear();
    }

    void look();
    void look(Bytes first);
    Chains find_chains() const;
    void make_chains();
    void start();
    BufferPointer load_next(std::uint32_t chain);
    void open_next(std::uint32_t chain);
    void open(std::uint32_t chain, BufferPointer buffer);
    flow::Run next_in_time();
    flow::Run next_in_file();
};

/// The buffers of each processor; of a merge that keeps its sources apart, which fills a buffer for
/// each of them at the same time, those of each processor and source. docs/merge.md#sources
Chains Reader::State::find_chains() const {
    const std::span<const BufferEntry> entries(index.entries);
    const bool is_relogged = (info.header.log_file_mode & format::log_mode::relog) != 0;
    const auto first = std::min<std::size_t>(1, entries.size()); // behind the header buffer
    const bool has_sources =
        is_relogged && std::ranges::any_of(entries.subspan(first), [&](auto& e) {
            return e.logger_id != entries[first].logger_id;
        });
    Chains chains_found;
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        chains_found[{entries[i].processor, has_sources ? entries[i].logger_id : std::uint16_t{0}}]
            .push_back(i);
        if (has_sources && chains_found.size() > limits::open_buffers) {
            return {}; // no writer fills so many
        }
    }
    return chains_found;
}

void Reader::State::make_chains() {
    const std::span<const BufferEntry> entries(index.entries);
    Chains found = options.order == Order::time ? find_chains() : Chains{};
    if (found.empty()) {
        for (std::uint32_t i = 0; i < entries.size(); ++i) {
            found[{options.order == Order::time ? entries[i].processor : std::uint16_t{0},
                   std::uint16_t{0}}]
                .push_back(i);
        }
    }
    if (options.threads > 1) {
        pool.emplace(options.threads - 1);
    }
    const auto shelf = std::make_shared<BufferShelf>();
    const std::size_t ahead =
        std::clamp<std::size_t>(2 * options.threads / std::max<std::size_t>(found.size(), 1), 1, 8);
    for (auto& [stream, order] : found) {
        if (options.order != Order::file) {
            std::ranges::sort(order, {}, [&](std::uint32_t i) {
                return std::tuple(i != 0, entries[i].run, entries[i].sequence, entries[i].where);
            });
        }
        chains.emplace_back(request, entries, std::move(order), pool ? &*pool : nullptr, ahead,
                            shelf);
    }
    positions.resize(chains.size());
    open_count.resize(chains.size());
    waiting.resize(chains.size());
    last_times.resize(options.order == Order::buffers ? limits::processors : chains.size(),
                      no_time);
}

BufferPointer Reader::State::load_next(std::uint32_t chain) {
    BufferPointer buffer = chains[chain].next(findings);
    report_new();
    return buffer;
}

void Reader::State::open(std::uint32_t chain, BufferPointer buffer) {
    last_times[chain] = std::max(last_times[chain], buffer->last_time());
    if (buffer->first_time() < last_time) {
        report({.severity = Severity::note,
                .what = "events lie further back in time than two buffers can put right",
                .where = buffer->context.where,
                .buffer = buffer->context.number,
                .offset = {},
                .bytes_skipped = 0,
                .file = options.file});
    }
    // Of equal times the lower processor comes first, then the earlier buffer: chains are in the
    // order of processors.
    const std::uint64_t rank = (std::uint64_t{chain} << 40U) + positions[chain]++;
    const Merge::Slot slot = merge.add(buffer->events.view(), rank);
    open_buffers.resize(std::max<std::size_t>(open_buffers.size(), slot + 1UL));
    open_buffers[slot] = {std::move(buffer), chain};
    ++open_count[chain];
}

/// Opens the next buffer of a chain when none is open, and with it the one behind it if that
/// reaches back into its time.
void Reader::State::open_next(std::uint32_t chain) {
    while (open_count[chain] < reorder_span) {
        BufferPointer& next = waiting[chain];
        if (!next) {
            next = load_next(chain);
            if (!next) {
                return;
            }
            next->restamp(last_times[chain]);
        }
        if (open_count[chain] > 0 && next->first_time() >= last_times[chain]) {
            return;
        }
        open(chain, std::exchange(next, nullptr));
    }
}

void Reader::State::start() {
    started = true;
    make_chains();
    if (options.order == Order::time) {
        for (std::uint32_t chain = 0; chain < chains.size(); ++chain) {
            open_next(chain);
        }
    }
}

flow::Run Reader::State::next_in_file() {
    finished = chains.empty() ? nullptr : load_next(0);
    if (!finished) {
        return {};
    }
    std::int64_t& before =
        options.order == Order::buffers ? last_times[finished->context.processor] : last_time;
    finished->restamp(before);
    before = finished->last_time();
    return finished->events.view();
}

flow::Run Reader::State::next_in_time() {
    if (ended) {
        open_next(*std::exchange(ended, std::nullopt));
    }
    if (merge.empty()) {
        finished = nullptr;
        return {};
    }
    current = merge.winner();
    const flow::Run run = merge.next();
    last_time = run.back().raw_time;
    if (merge.slot_ended()) [[unlikely]] {
        OpenBuffer& winner = open_buffers[current];
        ended = winner.chain;
        --open_count[winner.chain];
        finished = std::move(winner.buffer);
    }
    return run;
}

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}

Reader::~Reader() = default;

/// Reads the log file header and finds the buffers. `first` is the first buffer, or the file.
void Reader::State::look(Bytes first) {
    IndexHints hints;
    if (read_header_buffer(first, info)) {
        hints = {info.header.buffer_size, info.header.log_file_mode};
    }
    index = packed.is_none() ? index_buffers(first, hints) : index_frames(packed, hints);
    if (!info.has_header && packed.is_none() && !index.entries.empty()) {
        // Something else may stand before the trace.
        const Bytes trace = clamped(first, static_cast<std::size_t>(index.entries[0].where.value));
        if (read_header_buffer(trace, info)) {
            hints = {info.header.buffer_size, info.header.log_file_mode};
            index = index_buffers(first, hints);
            index.codec = codec_of(trace);
        }
    }
    info.buffers = index.entries.size();
    info.processors = count_processors(index.entries);
    info.fullest_buffer = fullest(index.entries, hints.buffer_size);
    info.compressed_buffers = static_cast<std::uint64_t>(
        std::ranges::count_if(index.entries, &BufferEntry::is_compressed));
}

/// Looks for the buffers in the file, or in the frames of a container.
void Reader::State::look() {
    const Bytes bytes = file->bytes();
    info.name = file->name();
    info.file = options.file;
    info.file_size = bytes.size();
    file->expect(io::InputFile::Access::hops);
    packed = packed_trace(bytes);
    if (packed.is_none()) {
        look(bytes);
    } else {
        info.file_size = packed.size();
        info.packing = {container_name(packed.kind), packed.frames.size(), bytes.size()};
        unpackers.emplace(packed.kind);
        look(unpack_first(packed));
    }
    file->expect(io::InputFile::Access::sweep);
    request = {bytes,
               &info,
               static_cast<codec::Format>(index.codec),
               options.order,
               unpackers ? &*unpackers : nullptr,
               options.select ? &options.select : nullptr};
}

Result<std::unique_ptr<Reader>> Reader::open(std::shared_ptr<const io::InputFile> file,
                                             const ReaderOptions& options) {
    if (file->bytes().empty()) {
        return fail(ErrorCode::empty_file, "a trace begins with a buffer header");
    }
    auto state = std::make_unique<State>();
    state->file = std::move(file);
    state->options = options;
    state->options.threads = std::max(1U, options.threads);
    state->look();
    const bool has_header = state->info.has_header;
    const Bytes bytes = state->file->bytes();
    const bool is_hopeless = state->packed.is_none() && begins_packed_trace(bytes);
    if (is_hopeless || state->index.entries.empty() ||
        (!has_header && !state->index.is_convincing)) {
        return std::unexpected(not_a_trace(bytes));
    }
    if (!has_header) {
        state->report(
            {.what = "no readable log file header: time stamps are shown as they are stored",
             .buffer = {},
             .offset = {}});
    }
    state->findings = std::move(state->index.findings);
    state->report_new();
    return std::unique_ptr<Reader>(new Reader(std::move(state)));
}

const flow::TraceInfo& Reader::info() const noexcept {
    return state_->info;
}

std::span<const BufferEntry> Reader::buffers() const noexcept {
    return state_->index.entries;
}

flow::Run Reader::next_run() {
    if (!state_->started) {
        state_->start();
    }
    return state_->options.order == Order::time ? state_->next_in_time() : state_->next_in_file();
}

flow::Pin Reader::pin() const {
    // Asked for once per batch, so that a run costs no count of references.
    const bool in_play = state_->current < state_->open_buffers.size() &&
                         state_->open_buffers[state_->current].buffer;
    return in_play ? state_->open_buffers[state_->current].buffer : state_->finished;
}

const Error* Reader::error() const noexcept {
    return nullptr;
}

std::uint64_t Reader::damage() const noexcept {
    return state_->damage;
}

void Reader::show_buffers(std::vector<std::uint32_t> numbers,
                          FunctionRef<void(const BufferContent& buffer)> visit) {
    LoadRequest request = state_->request;
    request.order = Order::file;
    request.select = nullptr;
    const unsigned threads = state_->options.threads;
    std::optional<BufferChain> chain;
    TaskPool pool(threads - 1); // last: its threads end before what they work on
    chain.emplace(request, buffers(), std::move(numbers), threads > 1 ? &pool : nullptr,
                  std::clamp(2 * threads, 1U, 8U), std::make_shared<BufferShelf>());
    while (const BufferPointer buffer = chain->load_one()) {
        visit({.entry = &buffers()[buffer->context.number],
               .context = &buffer->context,
               .events = buffer->events.view(),
               .findings = buffer->findings});
    }
}

std::uint64_t Reader::for_each_buffer(
    unsigned threads,
    FunctionRef<void(unsigned worker, const BufferEntry& entry, flow::Run events)> visit) {
    std::atomic<std::size_t> next = 0;
    std::atomic<std::uint64_t> warnings = 0;
    const std::span<const BufferEntry> entries = buffers();
    const auto work = [&](unsigned worker) {
        LoadedBuffer buffer;
        LoadRequest request = state_->request;
        request.order = Order::file;
        request.select = nullptr;
        for (std::size_t i = next++; i < entries.size(); i = next++) {
            load(request, entries[i], i, buffer);
            buffer.restamp(no_time);
            warnings += static_cast<std::uint64_t>(
                std::ranges::count(buffer.findings, Severity::warning, &Diagnostic::severity));
            visit(worker, entries[i], buffer.events.view());
        }
    };
    // The caller is the first of the workers. What a task throws comes out of its future.
    const auto others = std::min<std::size_t>(std::max(1U, threads), entries.size()) - 1;
    std::vector<std::future<void>> done;
    {
        TaskPool pool(static_cast<unsigned>(others));
        for (unsigned worker = 1; worker <= pool.threads(); ++worker) {
            auto task = std::make_shared<std::packaged_task<void()>>([&, worker] { work(worker); });
            done.push_back(task->get_future());
            pool.submit([task] { (*task)(); });
        }
        work(0);
    }
    for (std::future<void>& each : done) {
        each.get();
    }
    return warnings;
}

} // namespace etl::trace
