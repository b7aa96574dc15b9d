// Consumers: OpenTrace, ProcessTrace, CloseTrace. docs/compat.md#consumers
#include "compat/c_values.hpp"
#include "compat/environment.hpp"
#include "compat/open_traces.hpp"
#include "session/consume.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace etl::compat {

namespace {

constexpr ULONG max_traces = 64;

TRACEHANDLE fail(ULONG status) noexcept {
    SetLastError(status);
    return INVALID_PROCESSTRACE_HANDLE;
}

/// `asked` is in the wide form, its names in `file` and `logger`.
TRACEHANDLE open(EVENT_TRACE_LOGFILEW& asked, const Name& file, const Name& logger, Form form) {
    const bool is_live = (asked.ProcessTraceMode & PROCESS_TRACE_MODE_REAL_TIME) != 0;
    if (!file.is_null() && !logger.is_null()) {
        return fail(ERROR_INVALID_PARAMETER);
    }
    std::string name = to_utf8(is_live ? logger : file);
    if (name.empty()) {
        return fail(ERROR_BAD_PATHNAME);
    }
    auto trace = std::make_shared<OpenTrace>(asked, form, std::move(name), is_live);
    if (!is_live) {
        if (const ULONG status = trace->open_file(); status != ERROR_SUCCESS) {
            return fail(status);
        }
        const EVENT_TRACE_LOGFILEW& shown = trace->shown();
        asked.LogfileHeader = shown.LogfileHeader;
        asked.BufferSize = shown.BufferSize;
        asked.IsKernelTrace = shown.IsKernelTrace;
    }
    asked.CurrentTime = 0;
    asked.BuffersRead = 0;
    SetLastError(ERROR_SUCCESS);
    return environment().traces.add(std::move(trace));
}

TRACEHANDLE open_guarded(EVENT_TRACE_LOGFILEW& asked, const Name& file, const Name& logger,
                         Form form) noexcept {
    try {
        return open(asked, file, logger, form);
    } catch (...) { // as in guarded()
        return fail(ERROR_NOT_ENOUGH_MEMORY);
    }
}

/// The call of ProcessTrace: traces are taken while it lives.
class Processing {
public:
    /// Of traces that were taken.
    Processing(std::vector<TRACEHANDLE> handles,
               std::vector<std::shared_ptr<OpenTrace>> traces) noexcept
        : handles_(std::move(handles)), traces_(std::move(traces)) {}

    Processing(const Processing&) = delete;
    Processing& operator=(const Processing&) = delete;

    ~Processing() {
        OpenTraces& traces = environment().traces;
        for (std::size_t i = 0; i < traces_.size(); ++i) {
            traces.set_live(handles_[i], false); // nobody closes what goes now
            traces_[i]->finish();
        }
        traces.give_back(handles_);
    }

    ULONG run(std::optional<Filetime> from, std::optional<Filetime> to) {
        session::Consumption events(
            {.from = from, .to = to, .on_buffer = [this](const session::ConsumedBuffer& buffer) {
                 return tell_of_buffer(buffer);
             }});
        if (const ULONG status = start(events); status != ERROR_SUCCESS) {
            return status;
        }
        deliver_all(events);
        if (has_thrown_) {
            return ERROR_NOACCESS;
        }
        if (events.is_canceled()) {
            return ERROR_CANCELLED;
        }
        if (has_lost_host()) {
            return ERROR_PROCESS_ABORTED;
        }
        return events.error() != nullptr ? ERROR_FILE_CORRUPT : ERROR_SUCCESS;
    }

private:
    ULONG start(session::Consumption& events) {
        for (std::size_t i = 0; i < traces_.size(); ++i) {
            const ULONG status =
                traces_[i]->is_live() ? start_live(events, i) : start_file(events, *traces_[i]);
            if (status != ERROR_SUCCESS) {
                return status;
            }
        }
        return ERROR_SUCCESS;
    }

    static ULONG start_file(session::Consumption& events, OpenTrace& trace) {
        trace::Reader* reader = trace.start_file();
        if (reader == nullptr) {
            return ERROR_FILE_NOT_FOUND;
        }
        events.add(*reader);
        return ERROR_SUCCESS;
    }

    ULONG start_live(session::Consumption& events, std::size_t i) {
        OpenTrace& trace = *traces_[i];
        if (environment().is_of_machine) {
            auto stream = HostStream::open(trace.name());
            if (!stream) {
                return to_c(stream.error().status);
            }
            trace.start_live(std::move(*stream));
            environment().traces.set_live(handles_[i], true);
            events.add(*trace.host_stream());
            return ERROR_SUCCESS;
        }
        const auto session = environment().runtime.find(trace.name());
        if (!session) {
            return ERROR_WMI_INSTANCE_NOT_FOUND;
        }
        auto source = session::LiveSource::listen(*session);
        if (!source) { // not in real time, or about to stop
            return ERROR_WMI_INSTANCE_NOT_FOUND;
        }
        trace.start_live(std::move(*source));
        environment().traces.set_live(handles_[i], true);
        events.add(*trace.live());
        return ERROR_SUCCESS;
    }

    bool has_lost_host() {
        return std::ranges::any_of(traces_, [](const auto& trace) {
            return trace->host_stream() != nullptr && trace->host_stream()->has_lost_host();
        });
    }

    void deliver_all(session::Consumption& events) {
        try { // what a caller's callback throws must not pass through C
            for (flow::Run run = events.next_run(); !run.empty(); run = events.next_run()) {
                OpenTrace& trace = trace_of(*run.front().buffer->trace);
                for (const flow::Event& event : run) {
                    trace.deliver(event);
                }
                if (has_thrown_) {
                    return;
                }
            }
        } catch (...) {
            has_thrown_ = true;
        }
    }

    bool tell_of_buffer(const session::ConsumedBuffer& buffer) noexcept {
        try {
            OpenTrace& trace = trace_of(*buffer.trace);
            return trace.tell_of_buffer(buffer.buffers_read, buffer.buffer_size, buffer.filled) !=
                   FALSE;
        } catch (...) {
            has_thrown_ = true;
            return false;
        }
    }

    OpenTrace& trace_of(const flow::TraceInfo& info) {
        if (last_ == nullptr || last_->info() != &info) {
            const auto at = std::ranges::find_if(
                traces_, [&info](const auto& trace) { return trace->info() == &info; });
            last_ = at != traces_.end() ? at->get() : traces_.front().get();
        }
        return *last_;
    }

    std::vector<TRACEHANDLE> handles_;
    std::vector<std::shared_ptr<OpenTrace>> traces_;
    OpenTrace* last_ = nullptr;
    bool has_thrown_ = false;
};

std::optional<Filetime> to_filetime(const FILETIME* time) noexcept {
    if (time == nullptr) {
        return std::nullopt;
    }
    return Filetime{static_cast<std::int64_t>(std::uint64_t{time->dwHighDateTime} << 32U |
                                              time->dwLowDateTime)};
}

ULONG process(const TRACEHANDLE* array, ULONG count, const FILETIME* start, const FILETIME* end) {
    if (count == 0 || count > max_traces) {
        return ERROR_BAD_LENGTH;
    }
    if (array == nullptr) {
        return ERROR_INVALID_PARAMETER;
    }
    const auto from = to_filetime(start);
    const auto to = to_filetime(end);
    if (from && to && *to < *from) {
        return ERROR_INVALID_TIME;
    }
    std::vector<TRACEHANDLE> handles(array, array + count); // before any is taken: it may throw
    auto traces = environment().traces.take(handles);
    if (!traces) {
        return to_c(traces.error().status);
    }
    const bool has_live =
        std::ranges::any_of(*traces, [](const auto& trace) { return trace->is_live(); });
    Processing processing(std::move(handles), std::move(*traces));
    return has_live && count > 1 ? ERROR_INVALID_PARAMETER : processing.run(from, to);
}

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

TRACEHANDLE OpenTraceW(PEVENT_TRACE_LOGFILEW asked) {
    if (asked == nullptr) {
        return compat::fail(ERROR_INVALID_PARAMETER);
    }
    return compat::open_guarded(*asked, {.wide = asked->LogFileName}, {.wide = asked->LoggerName},
                                compat::Form::wide);
}

TRACEHANDLE OpenTraceA(PEVENT_TRACE_LOGFILEA asked) {
    if (asked == nullptr) {
        return compat::fail(ERROR_INVALID_PARAMETER);
    }
    EVENT_TRACE_LOGFILEW wide; // laid out alike; the names are not looked at
    std::memcpy(&wide, asked, sizeof wide);
    const TRACEHANDLE handle = compat::open_guarded(
        wide, {.narrow = asked->LogFileName}, {.narrow = asked->LoggerName}, compat::Form::narrow);
    std::memcpy(asked, &wide, sizeof wide);
    return handle;
}

ULONG ProcessTrace(PTRACEHANDLE handles, ULONG count, LPFILETIME start, LPFILETIME end) {
    return compat::reported([&]() -> ULONG { return compat::process(handles, count, start, end); });
}

ULONG CloseTrace(TRACEHANDLE handle) {
    return compat::reported([&]() -> ULONG { return compat::environment().traces.close(handle); });
}

} // extern "C"
