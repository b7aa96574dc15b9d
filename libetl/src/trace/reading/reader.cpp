#include <etl/trace/reader.hpp>

#include "trace/header/read_header_buffer.hpp"
#include "trace/reading/buffer_visits.hpp"
#include "trace/reading/clock_rollbacks.hpp"
#include "trace/reading/file_order.hpp"
#include "trace/reading/scanned_trace.hpp"
#include "trace/reading/time_order.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace etl::trace {

struct Reader::State {
    explicit State(const ReaderOptions& given) : options(given), findings(given) {
        options.threads = std::max(1U, options.threads);
    }

    ReaderOptions options;
    TraceFindings findings;
    std::unique_ptr<ScannedTrace> trace;
    LoadRequest request;
    BufferStreams streams; // until the first run is asked for; then one of these
    std::optional<TimeOrder> by_time;
    std::optional<FileOrder> by_file;
    bool is_truncated = false; // and it was reported

    /// As buffers lie, and without select.
    LoadRequest request_of_all() const {
        LoadRequest all = request;
        all.order = Order::file;
        all.select = nullptr;
        return all;
    }

    void report_scan();
    void find_streams();
    void begin();
    flow::Run next_run();
    void report_truncation();
};

/// What is odd about the file as a whole.
void Reader::State::report_scan() {
    const flow::TraceInfo& info = trace->info;
    if (!info.has_header) {
        findings.report({.what = "missing or unreadable log file header; timestamps are shown raw",
                         .buffer = {},
                         .offset = {}});
    }
    findings.report_all(trace->index.findings);
    const auto missing = missing_buffers(info, info.buffers, {info.file_size});
    if (missing && findings.damage() == 0) { // which would explain it
        findings.report(*missing);
    }
}

/// Which buffers follow each other. Where the clock was set back, others begin.
void Reader::State::find_streams() {
    flow::TraceInfo& info = trace->info;
    const std::span<const BufferEntry> entries(trace->index.entries);
    streams = streams_of(entries, options.order, info.header.log_file_mode);
    if (!is_by_time(options.order) || streams.has_sources) {
        return;
    }
    ClockRollbacks found = find_clock_rollbacks(request, entries, streams.streams);
    if (found.list.empty() && found.is_complete) {
        return;
    }
    streams.is_bounded = true;
    streams.streams = cut_at(std::move(streams.streams), found.cuts);
    info.clock_rollbacks = std::move(found.list);
    for (const flow::ClockRollback& set_back : info.clock_rollbacks) {
        findings.report({.severity = Severity::note,
                         .what = "the clock was set back",
                         .where = set_back.where,
                         .buffer = set_back.buffer,
                         .offset = {},
                         .step = TimeStep{info.clock.to_filetime(set_back.before),
                                          info.clock.to_filetime(set_back.after)}});
    }
    if (!found.is_complete) {
        findings.report(
            {.severity = Severity::note,
             .what = "the clock was set back too often; from here on, events may be out of order",
             .buffer = {},
             .offset = {}});
    }
}

void Reader::State::begin() {
    const std::span<const BufferEntry> entries(trace->index.entries);
    if (is_by_time(options.order)) {
        by_time.emplace(request, entries, std::exchange(streams, {}), options, findings);
    } else {
        by_file.emplace(request, entries, std::exchange(streams, {}), options, findings);
    }
}

flow::Run Reader::State::next_run() {
    if (!by_time && !by_file) [[unlikely]] {
        begin();
    }
    const flow::Run run = by_time ? by_time->next_run() : by_file->next_run();
    if (run.empty()) [[unlikely]] {
        report_truncation();
    }
    return run;
}

/// Somebody truncated the file since it was mapped.
void Reader::State::report_truncation() {
    const std::uint64_t intact = trace->intact_size();
    if (intact < trace->size() && !std::exchange(is_truncated, true)) {
        findings.report({.what = "the file was truncated while it was read",
                         .where = {intact},
                         .buffer = {},
                         .offset = {},
                         .bytes_skipped = trace->size() - intact});
    }
}

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}

Reader::~Reader() = default;

Result<std::unique_ptr<Reader>> Reader::open(std::shared_ptr<const io::InputFile> file,
                                             const ReaderOptions& options) {
    auto trace = ScannedTrace::open(std::move(file), options.file);
    if (!trace) {
        return std::unexpected(trace.error());
    }
    auto state = std::make_unique<State>(options);
    state->trace = std::move(*trace);
    state->request = state->trace->request(state->options);
    state->report_scan();
    state->find_streams();
    return std::unique_ptr<Reader>(new Reader(std::move(state)));
}

const flow::TraceInfo& Reader::info() const noexcept {
    return state_->trace->info;
}

std::span<const BufferEntry> Reader::buffers() const noexcept {
    return state_->trace->index.entries;
}

flow::Run Reader::next_run() {
    return state_->next_run();
}

flow::Pin Reader::pin() const {
    // Asked for once per batch, so that a run costs no count of references.
    if (state_->by_time) {
        return state_->by_time->current();
    }
    return state_->by_file ? state_->by_file->current() : nullptr;
}

const Error* Reader::error() const noexcept {
    return nullptr;
}

void Reader::report_truncation() {
    state_->report_truncation();
}

std::uint64_t Reader::damage() const noexcept {
    return state_->findings.damage();
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
