#include <etl/base/limits.hpp>
#include <etl/base/task_pool.hpp>
#include <etl/base/text.hpp>
#include <etl/format/kernel_group.hpp>
#include <etl/format/records.hpp>
#include <etl/trace/reader.hpp>

#include "trace/buffer_chain.hpp"
#include "trace/buffer_index.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <thread>
#include <tuple>

namespace etl::trace {

namespace {

namespace header = format::buffer_header;

/// How many buffers of one processor may be open at once to put disordered events right.
constexpr std::size_t reorder_span = 2;

/// A buffer that the merge reads from.
struct Cursor {
    BufferPointer buffer;
    std::size_t at = 0;
    std::uint32_t chain = 0;
    std::uint64_t position = 0; // counts the buffers of the chain

    std::int64_t time() const noexcept { return buffer->events[at].raw_time; }

    auto rank() const noexcept { return std::tuple(buffer->context.processor, position); }

    bool before(const Cursor& other) const noexcept {
        return time() != other.time() ? time() < other.time() : rank() < other.rank();
    }
};

struct LogfileRecord {
    format::LogfileHeader header;
    std::int64_t time = 0;
    unsigned pointer_size = 8;
};

/// The log file header record at the front of the first buffer.
std::optional<LogfileRecord> read_logfile_record(Bytes file) {
    if (!is_plausible(file)) {
        return std::nullopt;
    }
    const format::BufferHeaderView head(file.first<header::size>());
    const Bytes records = clamped(file, header::size, head.buffer_size());
    const format::RecordShape shape = format::record_at(records);
    const bool narrow = shape.kind == format::RecordKind::system32;
    if (!narrow && shape.kind != format::RecordKind::system64) {
        return std::nullopt;
    }
    const auto hook =
        load_le<std::uint16_t>(records.data() + format::system_record::hook_id.offset);
    if (hook != format::logfile_header_hook) {
        return std::nullopt;
    }
    const Bytes payload =
        records.subspan(format::system_record::size, shape.size - format::system_record::size);
    auto parsed = format::parse_logfile_header(payload, narrow ? 4 : 8,
                                               {header::size + format::system_record::size});
    if (!parsed) {
        return std::nullopt;
    }
    return LogfileRecord{std::move(*parsed), shape.time, narrow ? 4U : 8U};
}

Error not_a_trace(Bytes file) {
    const std::string_view text = as_text(clamped(file, 0, 64));
    const char* what = text.starts_with("version https://git-lfs")
                           ? "this is a Git LFS pointer, not the trace itself (run `git lfs pull`)"
                           : "no buffer header and log file header at the beginning";
    return {ErrorCode::not_a_trace, what, {0}, 0, file.size(), 0};
}

} // namespace

struct Reader::State {
    std::shared_ptr<const io::InputFile> file;
    ReaderOptions options;
    flow::TraceInfo info;
    BufferIndex index;
    LoadRequest request;
    std::deque<BufferChain> chains;       // never moved: tasks under way point at them
    std::vector<std::uint64_t> positions; // by chain: buffers opened so far
    std::vector<BufferPointer> waiting;   // by chain: loaded, not yet open
    std::vector<std::int64_t> last_times; // by chain: of the last event of its last opened buffer
    std::vector<Cursor> heap;             // the least first, see later()
    std::vector<Diagnostic> findings;     // of buffers just loaded
    BufferPointer current;                // holds what the last run points into
    std::int64_t last_time = std::numeric_limits<std::int64_t>::min();
    std::uint64_t damage = 0;
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

    void make_chains();
    void start();
    BufferPointer load_next(std::uint32_t chain);
    void open_next(std::uint32_t chain);
    void open(std::uint32_t chain, BufferPointer buffer);
    flow::Run next_in_time();
    flow::Run next_in_file();
};

void Reader::State::make_chains() {
    const std::span<const BufferEntry> entries(index.entries);
    std::map<std::uint16_t, std::vector<std::uint32_t>> by_processor;
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        by_processor[options.order == Order::file ? std::uint16_t{0} : entries[i].processor]
            .push_back(i);
    }
    if (options.threads > 1) {
        pool.emplace(options.threads - 1);
    }
    const std::size_t ahead = std::clamp<std::size_t>(
        2 * options.threads / std::max<std::size_t>(by_processor.size(), 1), 1, 8);
    for (auto& [processor, order] : by_processor) {
        if (options.order == Order::time) {
            std::ranges::sort(order, {}, [&](std::uint32_t i) {
                return std::tuple(entries[i].type != format::BufferType::header, entries[i].run,
                                  entries[i].sequence, entries[i].where);
            });
        }
        chains.emplace_back(request, entries, std::move(order), pool ? &*pool : nullptr, ahead);
    }
    positions.resize(chains.size());
    waiting.resize(chains.size());
    last_times.resize(chains.size(), std::numeric_limits<std::int64_t>::min());
}

namespace {

/// std:: heaps keep the greatest in front.
bool later(const Cursor& a, const Cursor& b) noexcept {
    return b.before(a);
}

} // namespace

BufferPointer Reader::State::load_next(std::uint32_t chain) {
    BufferPointer buffer = chains[chain].next(findings);
    report_new();
    return buffer;
}

void Reader::State::open(std::uint32_t chain, BufferPointer buffer) {
    buffer->restamp(last_times[chain]);
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
    heap.push_back({std::move(buffer), 0, chain, positions[chain]++});
    std::ranges::push_heap(heap, later);
}

/// Opens the next buffer of a chain, and with it those behind it that reach back into its time.
void Reader::State::open_next(std::uint32_t chain) {
    BufferPointer buffer = waiting[chain] ? std::move(waiting[chain]) : load_next(chain);
    waiting[chain] = nullptr;
    for (std::size_t opened = 0; buffer; ++opened) {
        open(chain, std::move(buffer));
        buffer = load_next(chain);
        if (buffer && (opened + 1 >= reorder_span || buffer->first_time() >= last_times[chain])) {
            waiting[chain] = std::move(buffer);
            return;
        }
    }
}

void Reader::State::start() {
    started = true;
    if (options.order == Order::time) {
        for (std::uint32_t chain = 0; chain < chains.size(); ++chain) {
            open_next(chain);
        }
    }
}

flow::Run Reader::State::next_in_file() {
    current = chains.empty() ? nullptr : load_next(0);
    if (!current) {
        return {};
    }
    current->restamp(last_time);
    last_time = current->last_time();
    return current->events;
}

flow::Run Reader::State::next_in_time() {
    if (heap.empty()) {
        current = nullptr;
        return {};
    }
    std::ranges::pop_heap(heap, later);
    Cursor& top = heap.back();
    const std::vector<flow::Event>& events = top.buffer->events;
    std::size_t end = events.size();
    if (heap.size() > 1) {
        const Cursor& rival = heap.front();
        const bool ties_are_mine = top.rank() < rival.rank();
        const std::int64_t bound = rival.time();
        // Runs are short when processors are busy: step before bisecting.
        end = top.at + 1;
        while (end < events.size() &&
               (events[end].raw_time < bound || (ties_are_mine && events[end].raw_time == bound))) {
            ++end;
        }
    }
    const flow::Run run(events.data() + top.at, end - top.at);
    last_time = std::max(last_time, run.back().raw_time);
    top.at = end;
    if (current != top.buffer) {
        current = top.buffer;
    }
    if (end < events.size()) {
        std::ranges::push_heap(heap, later);
        return run;
    }
    const std::uint32_t chain = top.chain;
    heap.pop_back();
    const bool chain_is_open =
        std::ranges::any_of(heap, [&](const Cursor& c) { return c.chain == chain; });
    if (!chain_is_open || (waiting[chain] && waiting[chain]->first_time() < last_times[chain])) {
        open_next(chain);
    }
    return run;
}

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}

Reader::~Reader() = default;

Result<std::unique_ptr<Reader>> Reader::open(std::shared_ptr<const io::InputFile> file,
                                             const ReaderOptions& options) {
    const Bytes bytes = file->bytes();
    if (bytes.empty()) {
        return fail(ErrorCode::empty_file, "the file is empty");
    }
    auto state = std::make_unique<State>();
    state->file = std::move(file);
    state->options = options;
    state->options.threads = std::max(1U, options.threads);
    flow::TraceInfo& info = state->info;
    info.name = state->file->name();
    info.file = options.file;
    info.file_size = bytes.size();
    IndexHints hints;
    if (auto record = read_logfile_record(bytes)) {
        info.has_header = true;
        info.header = std::move(record->header);
        info.header_pointer_size = record->pointer_size;
        info.reference_time = record->time;
        info.clock = flow::Clock(info.header, record->time);
        info.unfinished = info.header.end_time == 0 && info.header.buffers_written == 0;
        hints = {info.header.buffer_size, info.header.log_file_mode};
    }
    state->index = index_buffers(bytes, hints);
    const bool convincing =
        std::ranges::any_of(state->index.entries, [&](const BufferEntry& entry) {
            return is_convincing(clamped(bytes, static_cast<std::size_t>(entry.where.value)));
        });
    if (state->index.entries.empty() || (!info.has_header && !convincing)) {
        return std::unexpected(not_a_trace(bytes));
    }
    info.buffers = state->index.entries.size();
    info.compressed_buffers = static_cast<std::uint64_t>(
        std::ranges::count_if(state->index.entries, &BufferEntry::is_compressed));
    if (!info.has_header) {
        state->report(
            {.what = "no readable log file header: time stamps are shown as they are stored",
             .buffer = {},
             .offset = {}});
    }
    state->findings = std::move(state->index.findings);
    state->report_new();
    state->request = {bytes, &state->info, static_cast<codec::Format>(state->index.codec),
                      options.order};
    state->make_chains();
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
    return state_->current;
}

const Error* Reader::error() const noexcept {
    return nullptr;
}

std::uint64_t Reader::damage() const noexcept {
    return state_->damage;
}

void Reader::for_each_buffer(
    unsigned threads,
    FunctionRef<void(unsigned worker, const BufferEntry& entry, flow::Run events)> visit) {
    std::atomic<std::size_t> next = 0;
    const std::span<const BufferEntry> entries = buffers();
    const auto work = [&](unsigned worker) {
        LoadedBuffer buffer;
        LoadRequest request = state_->request;
        request.order = Order::file;
        for (std::size_t i = next++; i < entries.size(); i = next++) {
            load(request, entries[i], i, buffer);
            visit(worker, entries[i], buffer.events);
        }
    };
    if (threads <= 1) {
        work(0);
        return;
    }
    std::vector<std::jthread> workers;
    for (unsigned worker = 0; worker < threads; ++worker) {
        workers.emplace_back(work, worker);
    }
}

} // namespace etl::trace
