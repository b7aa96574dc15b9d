#include "trace/reading/opened_trace.hpp"

#include "flow/context.hpp"
#include "trace/header/header_findings.hpp"
#include "trace/limits.hpp"
#include "trace/missing_buffers.hpp"
#include "trace/reading/clock_rollbacks.hpp"
#include "trace/reading/merged_inputs.hpp"

#include <algorithm>
#include <utility>

namespace etl::trace {

namespace {

/// Selects all events but the log file header.
bool is_no_header(const flow::Event& event) {
    return !flow::is_logfile_header(event);
}

const std::function<bool(const flow::Event&)> no_header = is_no_header;

ReaderOptions with_hidden_header(const ReaderOptions& options) {
    ReaderOptions hiding = options;
    if (options.hides_header) {
        hiding.select = [select = options.select](const flow::Event& event) {
            return is_no_header(event) && (!select || select(event));
        };
    }
    return hiding;
}

} // namespace

OpenedTrace::OpenedTrace(std::unique_ptr<ScannedTrace> scanned, const ReaderOptions& given,
                         Findings about)
    : options(with_hidden_header(given)), findings(given), trace(std::move(scanned)) {
    options.threads = std::max(1U, options.threads);
    request_ = trace->request(options);
    const MissingBuffers missing = find_missing_buffers(trace->info, entries());
    if (about == Findings::reported) {
        report_scan(missing);
    }
    count_missing_buffers(trace->info, missing);
    name_merged_inputs();
    find_streams(about);
    if (options.is_single_pass && has_small_buffers()) {
        request_.copied = trace->copied();
    }
}

LoadRequest OpenedTrace::request_of_all() const {
    LoadRequest all = request_;
    all.order = Order::file;
    all.select = options.hides_header ? &no_header : nullptr;
    all.indexed = {}; // events in time order are compared with it
    return all;
}

/// Whether little memory holds all buffers that are loaded at the same time.
bool OpenedTrace::has_small_buffers() const {
    constexpr std::uint64_t of_a_stream = 3; // two are merged, and one is loaded ahead
    std::uint64_t largest = 0;
    for (const BufferEntry& entry : entries()) {
        largest = std::max<std::uint64_t>(largest, entry.disk_size);
    }
    return largest <= limits::copied_buffer &&
           largest * of_a_stream * streams.streams.size() <= limits::copied_bytes;
}

/// What is odd about the file as a whole.
void OpenedTrace::report_scan(const MissingBuffers& missing) {
    const flow::TraceInfo& info = trace->info;
    if (!info.has_header) {
        findings.report({.what = "missing or unreadable log file header; timestamps are shown raw",
                         .buffer = {},
                         .offset = {}});
    }
    for (const char* const what : header_findings(info, info.buffers - missing.repeated)) {
        findings.report({.what = what, .buffer = {}, .offset = {}});
    }
    findings.report_all(trace->index.findings);
    for (const MissingBuffers::Gap& gap : missing.gaps) {
        findings.report(finding_of(gap, missing.reason));
    }
}

/// Which input of a merge each buffer comes from.
void OpenedTrace::name_merged_inputs() {
    flow::TraceInfo& info = trace->info;
    if ((info.header.log_file_mode & format::log_mode::relog) == 0) {
        return;
    }
    info.merged_inputs = find_merged_inputs(request_of_all(), entries());
    if (!info.merged_inputs.empty()) {
        assign_merged_inputs(trace->index.entries, info.merged_inputs);
    }
}

/// Which buffers follow each other. Where the clock was set back, others begin.
void OpenedTrace::find_streams(Findings about) {
    flow::TraceInfo& info = trace->info;
    streams = streams_of(entries(), options.order, info.header.log_file_mode);
    if (!is_by_time(options.order) || streams.has_sources) {
        return;
    }
    ClockRollbacks found = find_clock_rollbacks(request_, entries(), streams.streams);
    if (found.list.empty() && found.is_complete) {
        return;
    }
    streams.is_bounded = true;
    streams.streams = cut_at(std::move(streams.streams), found.cuts);
    info.clock_rollbacks = std::move(found.list);
    if (about == Findings::reported) {
        report_rollbacks(found.is_complete);
    }
}

void OpenedTrace::report_rollbacks(bool is_complete) {
    const flow::TraceInfo& info = trace->info;
    for (const flow::ClockRollback& set_back : info.clock_rollbacks) {
        findings.report({.severity = Severity::note,
                         .what = "the clock was set back",
                         .where = set_back.where,
                         .buffer = set_back.buffer,
                         .offset = {},
                         .step = TimeStep{info.clock.to_filetime(set_back.before),
                                          info.clock.to_filetime(set_back.after)}});
    }
    if (!is_complete) {
        findings.report(
            {.severity = Severity::note,
             .what = "the clock was set back too often; from here on, events may be out of order",
             .buffer = {},
             .offset = {}});
    }
}

void OpenedTrace::begin() {
    if (is_by_time(options.order)) {
        by_time_.emplace(request_, entries(), std::exchange(streams, {}), options, findings);
    } else {
        by_file_.emplace(request_, entries(), std::exchange(streams, {}), options, findings);
    }
}

flow::Run OpenedTrace::next_run() {
    if (!by_time_ && !by_file_) [[unlikely]] {
        begin();
    }
    const flow::Run run = by_time_ ? by_time_->next_run() : by_file_->next_run();
    if (run.empty()) [[unlikely]] {
        report_truncation();
    }
    return run;
}

flow::Pin OpenedTrace::pin() const {
    // Asked for once per batch, so that a run costs no count of references.
    if (by_time_) {
        return by_time_->pin();
    }
    return by_file_ ? by_file_->current() : nullptr;
}

void OpenedTrace::report_truncation() {
    const std::uint64_t intact = trace->intact_size();
    if (intact < trace->size() && !std::exchange(is_truncated_, true)) {
        findings.report({.what = "the file was truncated while it was read",
                         .where = {intact},
                         .buffer = {},
                         .offset = {},
                         .bytes_skipped = trace->size() - intact});
    }
}

} // namespace etl::trace
