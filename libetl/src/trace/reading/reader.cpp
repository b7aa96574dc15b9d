#include <etl/base/limits.hpp>
#include <etl/base/task_pool.hpp>
#include <etl/base/text.hpp>
#include <etl/trace/limits.hpp>
#include <etl/trace/reader.hpp>

#include "trace/header/read_header_buffer.hpp"
#include "trace/index/buffer_index.hpp"
#include "trace/index/packed_trace.hpp"
#include "trace/reading/buffer_chain.hpp"
#include "trace/reading/buffer_streams.hpp"
#include "trace/reading/buffer_visits.hpp"
#include "trace/reading/merge.hpp"
#include "trace/reading/set_backs.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace etl::trace {

namespace {

/// How many buffers of one processor may be open at once to put disordered events right.
constexpr std::size_t reorder_span = 2;

/// Buffers that follow each other, on their way into the merge.
struct Chain {
    BufferStream stream;                   // until it begins
    std::unique_ptr<BufferChain> loader{}; // from then on, up to its end; tasks point at it
    BufferPointer waiting{};               // loaded, not yet open
    std::uint64_t rank = 0;                // of the next buffer
    bool has_begun = false;
    std::uint32_t open_count = 0;     // buffers in the merge
    std::int64_t last_time = no_time; // of the last event of the last opened buffer
};

/// A buffer that the merge reads from.
struct OpenBuffer {
    BufferPointer buffer;
    std::uint32_t chain = 0;
};

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

struct Reader::State final : flow::Backing {
    std::shared_ptr<const io::InputFile> file;
    ReaderOptions options;
    flow::TraceInfo info;
    PackedTrace packed; // none, unless the file is a container
    BufferIndex index;
    BufferStreams streams;                   // until they become chains
    std::optional<FrameUnpackers> unpackers; // of a container
    std::optional<WatchedFile> watched;
    LoadRequest request;
    std::shared_ptr<BufferShelf> shelf = std::make_shared<BufferShelf>();
    std::size_t ahead = 1; // buffers that a chain loads before they are asked for
    std::vector<Chain> chains;
    std::vector<std::uint32_t> beginnings; // chains, in the order in which they begin
    std::size_t begun = 0;                 // of these
    std::size_t begin_at_once = 0;         // as many in play, before others come into theirs
    bool is_bounded = false;               // more chains than processors: as many as there is room
    std::uint32_t epoch = 0;               // Order::recorded: of the chains in play
    std::int64_t horizon = no_time;        // no event in play is later
    std::vector<std::int64_t> last_times;  // Order::buffers: by processor, as Chain::last_time
    Merge merge;
    std::vector<OpenBuffer> open_buffers;                          // by slot of the merge
    std::size_t in_play = 0;                                       // buffers in the merge,
    std::uint64_t bytes_in_play = 0;                               // and what they take
    std::optional<Merge::Slot> newest;                             // of the chain begun last
    std::vector<Diagnostic> findings;                              // of buffers just loaded
    Merge::Slot current = std::numeric_limits<Merge::Slot>::max(); // what the last run came from,
    BufferPointer finished;                                        // or this, when it was its last
    std::int64_t last_time = no_time;
    std::uint64_t damage = 0;
    std::optional<std::uint32_t> ended; // the chain whose buffer the last run came to the end of
    bool started = false;
    bool is_truncated = false;    // and it was reported
    std::optional<TaskPool> pool; // last: its threads end before what they work on

    std::uint64_t intact_size() const noexcept override { return file->intact_size(); }

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

    /// As buffers lie, and without select.
    LoadRequest request_of_all() const {
        LoadRequest all = request;
        all.order = Order::file;
        all.select = nullptr;
        return all;
    }

    void report_truncation();
    void look();
    void look(Bytes first);
    void find_streams();
    void make_chains();
    bool is_too_early(const BufferStream& stream) const;
    void begin(std::uint32_t chain);
    void begin_those_due();
    BufferPointer load_next(std::uint32_t chain);
    void open_next(std::uint32_t chain);
    Merge::Slot open(std::uint32_t chain, BufferPointer buffer);
    void leave(Merge::Slot slot);
    flow::Run next_in_time();
    flow::Run next_in_file();
    flow::Run end();
};

/// Which buffers follow each other. Where the clock was set back, others begin.
void Reader::State::find_streams() {
    const std::span<const BufferEntry> entries(index.entries);
    streams = streams_of(entries, options.order, info.header.log_file_mode);
    is_bounded = streams.has_sources;
    if (!is_by_time(options.order) || streams.has_sources) {
        return;
    }
    SetBacks found = find_set_backs(request, entries, streams.streams);
    if (found.list.empty() && found.is_complete) {
        return;
    }
    is_bounded = true;
    streams.streams = cut_at(std::move(streams.streams), found.cuts);
    info.set_backs = std::move(found.list);
    for (const flow::SetBack& set_back : info.set_backs) {
        report({.severity = Severity::note,
                .what = "the clock was set back",
                .where = set_back.where,
                .buffer = set_back.buffer,
                .offset = {},
                .step = TimeStep{info.clock.to_filetime(set_back.before),
                                 info.clock.to_filetime(set_back.after)}});
    }
    if (!found.is_complete) {
        report({.severity = Severity::note,
                .what = "the clock may have been set back more often than is followed: from there "
                        "on events may be out of order",
                .buffer = {},
                .offset = {}});
    }
}

void Reader::State::make_chains() {
    const std::span<const BufferEntry> entries(index.entries);
    beginnings = streams.by_beginning(entries, options.order);
    // Where sources are kept apart a chain begins no earlier than those numbered before it. What
    // is selected of it may, though.
    begin_at_once = !streams.has_sources ? std::numeric_limits<std::size_t>::max()
                    : options.select     ? limits::merged_buffers
                                         : limits::open_buffers;
    if (options.threads > 1) {
        pool.emplace(options.threads - 1);
    }
    ahead = std::clamp<std::size_t>(
        2 * options.threads / std::max<std::size_t>(streams.streams.size(), 1), 1, 8);
    for (BufferStream& stream : streams.streams) {
        chains.push_back({.stream = std::move(stream)});
        chains.back().rank = chains.back().stream.rank;
    }
    streams.streams.clear();
    last_times.resize(options.order == Order::buffers ? limits::processors : 0, no_time);
}

void Reader::State::begin(std::uint32_t chain) {
    chains[chain].loader =
        std::make_unique<BufferChain>(request, index.entries, std::move(chains[chain].stream),
                                      pool ? &*pool : nullptr, ahead, shelf);
}

/// What was recorded after the clock was set back begins when its time has come, or, as recorded,
/// when nothing recorded before it is left.
bool Reader::State::is_too_early(const BufferStream& stream) const {
    if (merge.empty()) {
        return false;
    }
    return options.order == Order::recorded ? stream.epoch != epoch : stream.first_time > horizon;
}

/// Chains begin before their turn, as many as there is room for, and then one when the one before
/// is about to give its first event: of thousands of sources that follow each other few are open.
void Reader::State::begin_those_due() {
    while (begun < beginnings.size()) {
        const BufferStream& next = chains[beginnings[begun]].stream;
        if (is_too_early(next)) {
            return;
        }
        if (options.order == Order::recorded && next.epoch != epoch) {
            epoch = next.epoch;
            last_time = no_time; // what comes may be earlier
        }
        const bool is_early = in_play < begin_at_once;
        const bool is_due = !newest || merge.empty() || merge.winner() == *newest;
        if (!merge.empty() && !is_early && !is_due) {
            return;
        }
        const bool has_room =
            in_play < limits::merged_buffers && bytes_in_play < limits::inflated_bytes;
        if (!merge.empty() && !has_room && is_bounded) {
            newest = is_due ? std::nullopt : newest; // as soon as there is
            return;
        }
        const std::uint32_t chain = beginnings[begun++];
        begin(chain);
        open_next(chain);
    }
}

BufferPointer Reader::State::load_next(std::uint32_t chain) {
    std::unique_ptr<BufferChain>& loader = chains[chain].loader;
    if (!loader) {
        return nullptr;
    }
    BufferPointer buffer = loader->next(findings);
    if (!buffer) {
        loader.reset();
    }
    report_new();
    return buffer;
}

Merge::Slot Reader::State::open(std::uint32_t number, BufferPointer buffer) {
    Chain& chain = chains[number];
    chain.last_time = std::max(chain.last_time, buffer->last_time());
    horizon = std::max(horizon, chain.last_time);
    if (buffer->first_time() < last_time) {
        report({.severity = Severity::note,
                .what = "events lie further back in time than two buffers can put right",
                .where = buffer->context.where,
                .buffer = buffer->context.number,
                .offset = {},
                .bytes_skipped = 0,
                .file = options.file});
    }
    const Merge::Slot slot = merge.add(buffer->events.view(), chain.rank++);
    open_buffers.resize(std::max<std::size_t>(open_buffers.size(), slot + 1UL));
    bytes_in_play += buffer->memory();
    ++in_play;
    open_buffers[slot] = {std::move(buffer), number};
    ++chain.open_count;
    return slot;
}

/// The buffer in this slot has given its last event.
void Reader::State::leave(Merge::Slot slot) {
    OpenBuffer& gone = open_buffers[slot];
    ended = gone.chain;
    --chains[gone.chain].open_count;
    bytes_in_play -= gone.buffer->memory();
    --in_play;
    finished = std::move(gone.buffer);
}

/// Opens the next buffer of a chain when none is open, and with it the one behind it if that
/// reaches back into its time.
void Reader::State::open_next(std::uint32_t number) {
    Chain& chain = chains[number];
    while (chain.open_count < reorder_span) {
        if (!chain.waiting) {
            chain.waiting = load_next(number);
            if (!chain.waiting) {
                return;
            }
            chain.waiting->restamp(chain.last_time);
        }
        if (chain.open_count > 0 && chain.waiting->first_time() >= chain.last_time) {
            return;
        }
        const bool is_first = !std::exchange(chain.has_begun, true);
        const Merge::Slot slot = open(number, std::exchange(chain.waiting, nullptr));
        newest = is_first ? slot : newest;
    }
}

flow::Run Reader::State::end() {
    finished = nullptr;
    report_truncation();
    return {};
}

flow::Run Reader::State::next_in_file() {
    if (begun < chains.size()) {
        begin(static_cast<std::uint32_t>(begun++)); // there is but one
    }
    finished = chains.empty() ? nullptr : load_next(0);
    if (!finished) {
        return end();
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
    begin_those_due();
    if (merge.empty()) [[unlikely]] {
        return end();
    }
    current = merge.winner();
    const flow::Run run = merge.next();
    last_time = run.back().raw_time;
    if (merge.slot_ended()) [[unlikely]] {
        leave(current);
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

/// Somebody truncated the file since it was mapped.
void Reader::State::report_truncation() {
    const std::uint64_t size = file->bytes().size();
    const std::uint64_t intact = file->intact_size();
    if (intact < size && !std::exchange(is_truncated, true)) {
        report({.what = "the file was truncated while it was read",
                .where = {intact},
                .buffer = {},
                .offset = {},
                .bytes_skipped = size - intact});
    }
}

/// Looks for the buffers in the file, or in the frames of a container.
void Reader::State::look() {
    const Bytes bytes = clamped(file->bytes(), 0, static_cast<std::size_t>(file->intact_size()));
    info.name = file->name();
    info.file = options.file;
    info.file_size = bytes.size();
    info.backing = this;
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
               &watched.emplace(*file),
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
    const flow::TraceInfo& info = state->info;
    const auto missing = missing_buffers(info, info.buffers, {info.file_size});
    if (missing && state->damage == 0) { // which would explain it
        state->report(*missing);
    }
    state->find_streams();
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
        state_->started = true;
        state_->make_chains();
    }
    return is_by_time(state_->options.order) ? state_->next_in_time() : state_->next_in_file();
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

void Reader::report_truncation() {
    state_->report_truncation();
}

std::uint64_t Reader::damage() const noexcept {
    return state_->damage;
}

void Reader::show_buffers(std::vector<std::uint32_t> numbers,
                          FunctionRef<void(const BufferContent& buffer)> visit) {
    trace::show_buffers(state_->request_of_all(), buffers(), state_->options.threads,
                        std::move(numbers), visit);
}

std::uint64_t Reader::for_each_buffer(
    unsigned threads,
    FunctionRef<void(unsigned worker, const BufferEntry& entry, flow::Run events)> visit) {
    const std::uint64_t warnings =
        trace::for_each_buffer(state_->request_of_all(), buffers(), threads, visit);
    state_->report_truncation();
    return warnings;
}

} // namespace etl::trace
