#include "trace/reading/opened_trace.hpp"

#include "base/text.hpp"
#include "flow/context.hpp"
#include "trace/header/read_header_buffer.hpp"
#include "trace/index/header_checks.hpp"
#include "trace/limits.hpp"
#include "trace/missing_buffers.hpp"
#include "trace/reading/merged_inputs.hpp"

#include <algorithm>
#include <utility>

namespace etl::trace {

namespace {

/// Parts of an index look like buffers.
bool is_index(Bytes file) noexcept {
    return as_text(clamped(file, 0, 64)).starts_with("ETLINDEX");
}

Error not_a_trace(Bytes file) {
    const std::string_view text = as_text(clamped(file, 0, 64));
    const char* what = text.starts_with("version https://git-lfs")
                           ? "this is a Git LFS pointer, not the trace itself (run `git lfs pull`)"
                       : is_index(file) ? "this is an index, not the trace itself"
                       : begins_packed_trace(file)
                           ? "most frames of this container are not trace buffers"
                           : "missing buffer header and log file header";
    return {ErrorCode::not_a_trace, what, {0}, 0, 0, 0};
}

/// Whether buffers record losses that the header does not count.
bool has_uncounted_losses(const format::LogfileHeader& header,
                          std::span<const BufferEntry> buffers) {
    constexpr std::uint32_t losing =
        format::buffer_flag::events_lost | format::buffer_flag::buffer_lost;
    return header.events_lost == 0 && header.buffers_lost == 0 &&
           std::ranges::any_of(buffers,
                               [](const BufferEntry& one) { return (one.flags & losing) != 0; });
}

} // namespace

/// Reads the log file header and finds the buffers. `first` is the first buffer, or the file;
/// `read` is the file to read headers from, or null.
void ScannedTrace::scan(Bytes first, const io::InputFile* read) {
    BufferIndex& index = buffers->index;
    IndexHints hints;
    if (read_header_buffer(first, info)) {
        hints = {info.header.buffer_size, info.header.log_file_mode};
    }
    index = packed_.is_none() ? index_buffers(first, hints, read) : index_frames(packed_, hints);
    if (!info.has_header && packed_.is_none() && !index.entries.empty()) {
        // Something else may stand before the trace.
        const Bytes trace = clamped(first, static_cast<std::size_t>(index.entries[0].where.value));
        if (read_header_buffer(trace, info)) {
            hints = {info.header.buffer_size, info.header.log_file_mode};
            index = index_buffers(first, hints, read);
            index.codec = codec_of(trace);
        }
    }
    sum_up(hints.buffer_size);
}

/// What the index says of the whole trace, whose buffers hold `nominal` bytes at most.
void ScannedTrace::sum_up(std::uint32_t nominal) {
    const BufferIndex& index = buffers->index;
    info.buffers = index.entries.size();
    info.processors = count_processors(index.entries);
    info.max_used_bytes = fullest(index.entries, nominal);
    info.compressed_buffers = static_cast<std::uint64_t>(
        std::ranges::count_if(index.entries, &BufferEntry::is_compressed));
    const bool is_compressed = info.compressed_buffers > 0 ||
                               (info.header.log_file_mode & format::log_mode::compressed) != 0;
    info.codec = static_cast<std::uint16_t>(is_compressed ? index.codec : 0);
    info.has_unknown_losses =
        info.has_unknown_losses || has_uncounted_losses(info.header, index.entries);
}

void ScannedTrace::scan(const io::InputFile& content, const ReaderOptions& options) {
    size_ = content.bytes().size();
    bytes_ = clamped(content.bytes(), 0, static_cast<std::size_t>(content.intact_size()));
    info.name = file_->name();
    info.file_size = bytes_.size();
    info.backing = this;
    content.advise(io::InputFile::Access::random);
    packed_ = packed_trace(bytes_);
    auto known = options.known_buffers.empty() || !packed_.is_none()
                     ? std::nullopt
                     : known_index(options.known_buffers, content);
    is_known = known && read_header_buffer(bytes_, info);
    if (is_known) {
        buffers->index = *std::move(known);
        sum_up(info.header.buffer_size);
    } else if (packed_.is_none()) {
        scan(bytes_, options.is_single_pass ? &content : nullptr);
    } else {
        info.file_size = packed_.size();
        info.container = {container_name(packed_.kind), packed_.frames.size(), bytes_.size()};
        unpackers_.emplace(packed_.kind, on_demand_ == nullptr);
        scan(unpack_first(packed_), nullptr);
    }
    content.advise(io::InputFile::Access::sequential);
    watched_.emplace(*file_);
}

bool ScannedTrace::is_trace(Bytes content) const noexcept {
    const bool is_hopeless =
        packed_.is_none() && (begins_packed_trace(content) || is_index(content));
    const BufferIndex& index = buffers->index;
    return !is_hopeless && !index.entries.empty() && (info.has_header || index.is_convincing);
}

Result<std::unique_ptr<ScannedTrace>> ScannedTrace::open(std::shared_ptr<const io::InputFile> file,
                                                         const ReaderOptions& options) {
    const io::FileOnDemand* const on_demand = io::FileOnDemand::from(*file);
    const auto content = on_demand != nullptr ? on_demand->content() : file;
    if (!content) {
        return std::unexpected(content.error());
    }
    const Bytes bytes = (*content)->bytes();
    if (bytes.empty()) {
        return fail(ErrorCode::empty_file, "a trace starts with a buffer header");
    }
    std::unique_ptr<ScannedTrace> trace(new ScannedTrace(std::move(file)));
    trace->info.file = options.file;
    trace->on_demand_ = on_demand;
    trace->scan(**content, options);
    if (!trace->is_trace(bytes)) {
        return std::unexpected(not_a_trace(bytes));
    }
    if (on_demand != nullptr) {
        trace->let_go();
    }
    return trace;
}

std::unique_ptr<ScannedTrace> ScannedTrace::again(const ReaderOptions& options) const {
    if (on_demand_ != nullptr) {
        return nullptr;
    }
    std::unique_ptr<ScannedTrace> trace(new ScannedTrace(file_));
    trace->info = info;
    trace->info.file = options.file;
    trace->info.backing = trace.get();
    trace->buffers = buffers;
    trace->is_known = is_known;
    trace->size_ = size_;
    trace->bytes_ = bytes_;
    trace->packed_ = packed_;
    if (unpackers_) {
        trace->unpackers_.emplace(packed_.kind, true);
    }
    trace->watched_.emplace(*file_);
    return trace;
}

/// Nothing may refer to the mapping from here on.
void ScannedTrace::let_go() {
    bytes_ = {};
    packed_.packed = {};
    packed_.frames = {};
}

LoadRequest ScannedTrace::request(const ReaderOptions& options) {
    return {.file = bytes_,
            .on_demand = on_demand_,
            .watched = &*watched_,
            .trace = &info,
            .codec = static_cast<codec::Format>(buffers->index.codec),
            .order = options.order,
            .unpackers = unpackers_ ? &*unpackers_ : nullptr,
            .select = options.select ? &options.select : nullptr,
            .indexed = {},
            .stop = options.stop};
}

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
    ScannedBuffers& buffers = *trace->buffers;
    const bool is_first = !buffers.ordered;
    if (is_first) {
        find_in_headers();
    }
    if (about == Findings::reported) {
        report_scan();
    }
    count_missing_buffers(trace->info, buffers.missing);
    if (is_first) {
        name_merged_inputs();
        buffers.ordered = ordered();
    }
    OrderedBuffers of_options =
        buffers.ordered->order == options.order ? *buffers.ordered : ordered();
    streams = std::move(of_options.streams);
    if (is_by_time(options.order)) {
        trace->info.clock_rollbacks = std::move(of_options.rollbacks.list);
    }
    if (about == Findings::reported) {
        report_rollbacks(of_options.rollbacks.is_complete);
    }
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

void OpenedTrace::find_in_headers() {
    ScannedBuffers& buffers = *trace->buffers;
    buffers.missing = find_missing_buffers(trace->info, entries());
    buffers.is_in_one_go =
        std::ranges::all_of(entries(), [](const BufferEntry& entry) { return entry.run == 0; });
}

/// What is odd about the file as a whole.
void OpenedTrace::report_scan() {
    const flow::TraceInfo& info = trace->info;
    const MissingBuffers& missing = trace->buffers->missing;
    if (!info.has_header) {
        findings.report({.what = "missing or unreadable log file header; timestamps are shown raw",
                         .buffer = {},
                         .offset = {}});
    }
    for (const char* const what : header_findings(info, info.buffers - missing.repeated)) {
        findings.report({.what = what, .buffer = {}, .offset = {}});
    }
    for (const Diagnostic& finding :
         trace->buffers->index.findings) { // which stay: known_buffers()
        findings.report(finding);
    }
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
        assign_merged_inputs(trace->buffers->index.entries, info.merged_inputs);
    }
}

/// Which buffers follow each other. Where the clock was set back, others begin.
OrderedBuffers OpenedTrace::ordered() const {
    OrderedBuffers found{.order = options.order,
                         .streams =
                             streams_of(entries(), options.order, trace->info.header.log_file_mode),
                         .rollbacks = {}};
    BufferStreams& all = found.streams;
    if (!is_by_time(options.order) || all.has_sources) {
        return found;
    }
    found.rollbacks = find_clock_rollbacks(request_, entries(), all.streams);
    if (!found.rollbacks.list.empty() || !found.rollbacks.is_complete) {
        all.is_bounded = true;
        all.streams = cut_at(std::move(all.streams), found.rollbacks.cuts);
    }
    return found;
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
