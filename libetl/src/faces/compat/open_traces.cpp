#include "compat/open_traces.hpp"

#include "base/text.hpp"
#include "io/byte_stream.hpp"

#include <chrono>
#include <cstring>
#include <utility>

namespace etl::compat {

using session::Outcome;
using session::refuse;
using session::Status;

Outcome<std::unique_ptr<HostStream>> HostStream::open(const std::string& session) {
    auto controller = machine::Controller::connect({.start = machine::StartHost::never});
    if (!controller) {
        return std::unexpected(controller.error());
    }
    auto pipe = std::make_unique<host::TemporaryPipe>();
    if (!pipe->is_open()) {
        return refuse(Status::access_denied, "cannot create a named pipe");
    }
    if (auto delivered = controller->deliver(session, pipe->path()); !delivered) {
        return std::unexpected(delivered.error());
    }
    std::unique_ptr<HostStream> made(new HostStream(std::move(*controller), std::move(pipe)));
    auto stream = io::open_stream(made->pipe_->path());
    if (!stream) {
        return refuse(Status::wmi_instance_not_found, "the host does not deliver events");
    }
    auto input = trace::StreamInput::open(std::move(*stream), session);
    if (!input) {
        return refuse(Status::wmi_instance_not_found, "the host does not deliver events");
    }
    using std::chrono::milliseconds;
    auto reader = trace::StreamReader::open(
        std::move(*input),
        {.pause = milliseconds(50), .max_delay = milliseconds(200), .stop = &made->is_closed_});
    if (!reader) {
        return refuse(Status::wmi_instance_not_found, "the host does not deliver events");
    }
    made->reader_ = std::move(*reader);
    return made;
}

flow::Run HostStream::next_run() {
    flow::Run run = reader_->next_run();
    while (run.empty() && reader_->is_paused() && !is_closed_) {
        run = reader_->next_run();
    }
    return run;
}

bool HostStream::has_lost_host() {
    return !is_closed_ && !controller_.sessions().has_value();
}

namespace {

constexpr std::string_view kernel_logger_name = "NT Kernel Logger";

ULONG status_of(const Error& error) noexcept {
    if (error.code == ErrorCode::not_found) {
        return ERROR_FILE_NOT_FOUND;
    }
    return error.code == ErrorCode::io_failure ? ERROR_ACCESS_DENIED : ERROR_FILE_CORRUPT;
}

} // namespace

OpenTrace::OpenTrace(const EVENT_TRACE_LOGFILEW& asked, Form form, std::string name, bool is_live)
    : shown_(asked), form_(form), name_(std::move(name)), is_live_(is_live) {
    wide_name_ = to_utf16(name_);
    LPWSTR own = wide_name_.data();
    if (form_ == Form::narrow) {
        // The narrow structure has a narrow name at this place, see tell_of_buffer.
        CHAR* narrow = name_.data();
        std::memcpy(static_cast<void*>(&own), static_cast<const void*>(&narrow), sizeof own);
    }
    shown_.LogFileName = is_live_ ? nullptr : own;
    shown_.LoggerName = is_live_ ? own : nullptr;
    shown_.CurrentTime = 0;
    shown_.BuffersRead = 0;
}

ULONG OpenTrace::open_file() {
    auto file = io::InputFile::map(name_);
    if (!file) {
        return status_of(file.error());
    }
    file_ = std::move(*file);
    auto reader = trace::Reader::open(file_);
    if (!reader) {
        return status_of(reader.error());
    }
    reader_ = std::move(*reader);
    show_header();
    return ERROR_SUCCESS;
}

trace::Reader* OpenTrace::start_file() {
    if (reader_ == nullptr) {
        static_cast<void>(open_file()); // read once already: from the beginning again
    }
    shown_.BuffersRead = 0;
    return reader_.get();
}

void OpenTrace::start_live(std::unique_ptr<session::LiveSource> source) {
    live_ = std::move(source);
    shown_.BuffersRead = 0;
    show_header();
}

void OpenTrace::start_live(std::unique_ptr<HostStream> source) {
    host_stream_ = std::move(source);
    shown_.BuffersRead = 0;
    show_header();
}

void OpenTrace::close_live() noexcept {
    if (live_ != nullptr) {
        live_->close();
    }
    if (host_stream_ != nullptr) {
        host_stream_->close();
    }
}

void OpenTrace::finish() {
    reader_.reset();
    live_.reset();
    host_stream_.reset();
}

const flow::TraceInfo* OpenTrace::info() const noexcept {
    if (live_ != nullptr) {
        return &live_->info();
    }
    if (host_stream_ != nullptr) {
        return &host_stream_->info();
    }
    return reader_ != nullptr ? &reader_->info() : nullptr;
}

void OpenTrace::show_header() {
    const format::LogfileHeader& header = info()->header;
    session_name_ = header.session_name;
    file_name_ = header.log_file_name;
    shown_.LogfileHeader = to_c(*info());
    shown_.LogfileHeader.LoggerName = session_name_.data();
    shown_.LogfileHeader.LogFileName = file_name_.data();
    shown_.BufferSize = header.buffer_size;
    const bool is_kernel = (header.log_file_mode & EVENT_TRACE_SYSTEM_LOGGER_MODE) != 0 ||
                           header.session_name == to_utf16(kernel_logger_name);
    shown_.IsKernelTrace = is_kernel ? TRUE : FALSE;
}

Stamps OpenTrace::stamps() const noexcept {
    return (shown_.ProcessTraceMode & PROCESS_TRACE_MODE_RAW_TIMESTAMP) != 0 ? Stamps::raw
                                                                             : Stamps::filetime;
}

void OpenTrace::deliver(const flow::Event& event) {
    shown_.CurrentTime = event.time().ticks;
    if ((shown_.ProcessTraceMode & PROCESS_TRACE_MODE_EVENT_RECORD) != 0) {
        if (shown_.EventRecordCallback != nullptr) {
            shown_.EventRecordCallback(&view_.show(event, stamps(), shown_.Context));
        }
        return;
    }
    EVENT_TRACE& old = view_.show_old(event, stamps());
    shown_.CurrentEvent = old;
    if (shown_.EventCallback != nullptr) {
        shown_.EventCallback(&old);
    }
}

ULONG OpenTrace::tell_of_buffer(std::uint64_t buffers_read, std::uint32_t buffer_size,
                                std::uint32_t filled) {
    shown_.BuffersRead = static_cast<ULONG>(buffers_read);
    shown_.BufferSize = buffer_size;
    shown_.Filled = filled;
    if (shown_.BufferCallback == nullptr) {
        return TRUE;
    }
    if (form_ == Form::wide) {
        return shown_.BufferCallback(&shown_);
    }
    // Both structures are laid out alike: only what pointers point to differs.
    static_assert(sizeof(EVENT_TRACE_LOGFILEA) == sizeof(EVENT_TRACE_LOGFILEW));
    EVENT_TRACE_LOGFILEA narrow;
    std::memcpy(&narrow, &shown_, sizeof narrow);
    return narrow.BufferCallback(&narrow);
}

TRACEHANDLE OpenTraces::add(std::shared_ptr<OpenTrace> trace) {
    const std::scoped_lock lock(mutex_);
    entries_[next_].trace = std::move(trace);
    return next_++;
}

session::Outcome<std::vector<std::shared_ptr<OpenTrace>>>
OpenTraces::take(std::span<const TRACEHANDLE> handles) {
    const std::scoped_lock lock(mutex_);
    std::vector<std::shared_ptr<OpenTrace>> traces;
    std::vector<Entry*> found;
    traces.reserve(handles.size()); // what is taken must be given back: nothing throws below
    found.reserve(handles.size());
    const auto give_up = [&found](session::Status status, const char* what) {
        for (Entry* entry : found) {
            entry->is_taken = false;
        }
        return session::refuse(status, what);
    };
    for (const TRACEHANDLE handle : handles) {
        const auto at = entries_.find(handle);
        if (at == entries_.end() || at->second.is_closed) {
            return give_up(session::Status::invalid_handle, "no open trace with this handle");
        }
        if (at->second.is_taken) {
            return give_up(session::Status::invalid_parameter,
                           "this trace is already being processed");
        }
        at->second.is_taken = true;
        found.push_back(&at->second);
        traces.push_back(at->second.trace);
    }
    return traces;
}

void OpenTraces::give_back(std::span<const TRACEHANDLE> handles) {
    const std::scoped_lock lock(mutex_);
    for (const TRACEHANDLE handle : handles) {
        const auto at = entries_.find(handle);
        at->second.is_taken = false;
        if (at->second.is_closed) {
            entries_.erase(at);
        }
    }
}

void OpenTraces::set_live(TRACEHANDLE handle, bool is_live) {
    const std::scoped_lock lock(mutex_);
    Entry& entry = entries_.at(handle);
    entry.is_live = is_live;
    if (entry.is_closed && is_live) { // since ProcessTrace began
        entry.trace->close_live();
    }
}

ULONG OpenTraces::close(TRACEHANDLE handle) {
    constexpr ULONG busy = 170;
    const std::scoped_lock lock(mutex_);
    const auto at = entries_.find(handle);
    if (at == entries_.end() || at->second.is_closed) {
        return ERROR_INVALID_HANDLE;
    }
    Entry& entry = at->second;
    if (!entry.is_taken) {
        entries_.erase(at);
        return ERROR_SUCCESS;
    }
    if (!entry.trace->is_live()) {
        return busy;
    }
    entry.is_closed = true;
    if (entry.is_live) {
        entry.trace->close_live();
    }
    return ERROR_CTX_CLOSE_PENDING;
}

} // namespace etl::compat
