// OpenTraces: traces that OpenTrace opened, by their handles, and which of them are being read.
// Any thread. docs/compat.md#consumers
#pragma once

#include <etl/compat/evntcons.h>
#include <etl/machine.hpp>

#include "compat/c_values.hpp"
#include "compat/event_view.hpp"
#include "flow/source.hpp"
#include "host/descriptor.hpp"
#include "session/live_source.hpp"
#include "trace/reader.hpp"
#include "trace/stream.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace etl::compat {

/// HostStream: the events of a session of the machine in real time, as a source that waits.
/// docs/compat.md#machine
class HostStream final : public flow::Source {
public:
    /// Errors: wmi_instance_not_found (no host, no such session, or not in real time);
    /// access_denied (no pipe can be created).
    static session::Outcome<std::unique_ptr<HostStream>> open(const std::string& session);

    const flow::TraceInfo& info() const noexcept { return reader_->info(); }

    /// Blocks until events arrive, the session has ended, or after close().
    flow::Run next_run() override;

    flow::Pin pin() const override { return reader_->pin(); }

    const Error* error() const noexcept override { return reader_->error(); }

    /// Ends next_run() in another thread. Thread-safe.
    void close() noexcept { is_closed_ = true; }

    /// After the end: the host was killed, and the session did not stop.
    bool has_lost_host();

private:
    HostStream(machine::Controller controller, std::unique_ptr<host::TemporaryPipe> pipe)
        : controller_(std::move(controller)), pipe_(std::move(pipe)) {}

    machine::Controller controller_;
    std::unique_ptr<host::TemporaryPipe> pipe_;
    std::atomic<bool> is_closed_{false};
    std::unique_ptr<trace::StreamReader> reader_;
};

/// One trace, as OpenTrace was told of it. Belongs to the thread that reads it.
class OpenTrace {
public:
    OpenTrace(const EVENT_TRACE_LOGFILEW& asked, Form form, std::string name, bool is_live);
    OpenTrace(const OpenTrace&) = delete;
    OpenTrace& operator=(const OpenTrace&) = delete;

    /// Opens the file, and shows its header. Errors: a status.
    ULONG open_file();

    bool is_live() const noexcept { return is_live_; }

    /// A path, or a session's name.
    const std::string& name() const noexcept { return name_; }

    /// The file from its beginning; null: it cannot be opened any more.
    trace::Reader* start_file();
    void start_live(std::unique_ptr<session::LiveSource> source);
    void start_live(std::unique_ptr<HostStream> source);

    session::LiveSource* live() noexcept { return live_.get(); }

    /// Null: not of a session of the machine.
    HostStream* host_stream() noexcept { return host_stream_.get(); }

    /// No more is read of what was started. Any thread, until finish().
    void close_live() noexcept;

    /// Lets go of what was read.
    void finish();

    /// What events point to that are of this trace; null while it is not read.
    const flow::TraceInfo* info() const noexcept;

    /// Calls the caller's callback.
    void deliver(const flow::Event& event);
    /// FALSE: no more is wanted.
    ULONG tell_of_buffer(std::uint64_t buffers_read, std::uint32_t buffer_size,
                         std::uint32_t filled);

    const EVENT_TRACE_LOGFILEW& shown() const noexcept { return shown_; }

private:
    void show_header();
    Stamps stamps() const noexcept;

    EVENT_TRACE_LOGFILEW shown_; // names in the form of the caller
    Form form_;
    std::string name_;
    bool is_live_;
    std::u16string wide_name_;                // what shown_ points to
    std::u16string session_name_, file_name_; // of the header
    std::shared_ptr<const io::InputFile> file_;
    std::unique_ptr<trace::Reader> reader_;
    std::unique_ptr<session::LiveSource> live_;
    std::unique_ptr<HostStream> host_stream_;
    EventView view_;
};

class OpenTraces {
public:
    TRACEHANDLE add(std::shared_ptr<OpenTrace> trace);

    /// Takes traces to read them; they are nobody else's until give_back. Errors: invalid_handle
    /// (none of that number, or being closed), invalid_parameter (being read, the same twice).
    session::Outcome<std::vector<std::shared_ptr<OpenTrace>>>
    take(std::span<const TRACEHANDLE> handles);
    void give_back(std::span<const TRACEHANDLE> handles);

    /// Whether close() has to end a live source. Of a trace that was taken.
    void set_live(TRACEHANDLE handle, bool is_live);

    /// Returns what CloseTrace returns.
    ULONG close(TRACEHANDLE handle);

    /// Around a fork: nobody else is in the middle of anything.
    void lock() { mutex_.lock(); }

    void unlock() { mutex_.unlock(); }

private:
    struct Entry {
        std::shared_ptr<OpenTrace> trace;
        bool is_live = false; // its source is to be ended
        bool is_taken = false;
        bool is_closed = false; // while it was taken
    };

    std::mutex mutex_;
    std::map<TRACEHANDLE, Entry> entries_;
    TRACEHANDLE next_ = TRACEHANDLE{1} << 40U; // far from sessions' handles
};

} // namespace etl::compat
