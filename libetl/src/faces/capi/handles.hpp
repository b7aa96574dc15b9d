// What the opaque handles of traces and events contain. Private to capi.
#pragma once

#include <etl/etl.h>

#include "capi/values.hpp"

#include <deque>
#include <memory>
#include <optional>

namespace etl::capi {

/// Texts that are valid until the next event. Their memory is reused.
class Texts {
public:
    /// Returns an empty text to fill.
    std::string& add() {
        if (used_ == texts_.size()) {
            texts_.emplace_back();
        }
        std::string& text = texts_[used_++];
        text.clear();
        return text;
    }

    etl_text keep(std::string text) {
        std::string& owned = add();
        owned = std::move(text);
        return text_of(owned);
    }

    void clear() noexcept {
        used_ = 0;
        while (texts_.size() > max_reused) {
            texts_.pop_back();
        }
    }

private:
    static constexpr std::size_t max_reused = 64;

    std::deque<std::string> texts_;
    std::size_t used_ = 0;
};

} // namespace etl::capi

struct etl_event {
    const etl::Event* event = nullptr;
    etl::capi::Texts texts{};
    /// Memory was exhausted: what was interrupted may be incomplete, so nothing is asked any more.
    bool is_exhausted = false;
};

struct etl_trace {
    explicit etl_trace(etl::Trace&& opened) : trace(std::move(opened)) {}

    std::shared_ptr<void> runtime{}; // of a live session; outlives the trace
    etl::Trace trace;
    std::optional<etl::Trace::Iterator> position{}; // none: before the first event
    std::uint64_t reading = 0; // number of the reading that moves `position`; earlier ones are over
    std::uint64_t loop = 0;    // that of etl_trace_next
    bool is_relogged = false;  // by a function that is running
    bool has_all_events = false; // no option of opening selects some
    etl_event current{};
    std::string name{}; // of etl_trace_info_of
    std::vector<std::string> problems{}, remarks{}, findings{};

    /// Begins a reading from the first event. Returns its number.
    std::uint64_t restart() noexcept {
        leave_event();
        position.reset();
        return ++reading;
    }

    /// Before the iterator moves or the trace is read otherwise.
    void leave_event() noexcept {
        current.event = nullptr;
        current.texts.clear();
    }
};

namespace etl::capi {

/// Runs a call that returns a view; an empty one if memory is exhausted.
template <typename Call>
auto viewed(etl_event* event, Call&& call) noexcept -> decltype(call(*event->event)) {
    try {
        if (event->is_exhausted) {
            return {};
        }
        return call(*event->event);
    } catch (...) {
        event->is_exhausted = true;
        return {};
    }
}

/// As guarded(), of an event or its trace.
template <typename Call>
etl_status guarded_in(etl_event* event, etl_error** error, Call&& call) noexcept {
    const etl_status status = guarded(error, [&]() -> Outcome {
        if (event->is_exhausted) {
            throw std::bad_alloc();
        }
        return call();
    });
    event->is_exhausted = event->is_exhausted || status == ETL_NO_MEMORY;
    return status;
}

/// As guarded_in(), of a call that reads the trace: the function that relogs it must not.
template <typename Call>
etl_status guarded_reading(etl_trace* trace, etl_error** error, Call&& call) noexcept {
    return guarded_in(&trace->current, error, [&]() -> Outcome {
        if (trace->is_relogged) {
            return failed(ETL_UNSUPPORTED,
                          "the trace cannot be read by the function that relogs it");
        }
        return call();
    });
}

// Opening of traces with the options of C.

/// Errors: of the structure and of its values.
std::expected<TraceOptions, etl_error> options_of(const etl_open_options* given);

/// Opens a trace as `open` does with the options.
template <typename Open>
etl_status open_as(const etl_open_options* given, etl_trace** to, etl_error** error, Open&& open) {
    return guarded(error, [&]() -> Outcome {
        *to = nullptr;
        const auto options = options_of(given);
        if (!options) {
            return std::unexpected(options.error());
        }
        auto opened = open(*options);
        if (!opened) {
            return failed(opened.error());
        }
        auto made = std::make_unique<etl_trace>(*std::move(opened));
        made->has_all_events = options->where.empty() && options->from.empty() &&
                               options->to.empty() && options->part.count <= 1;
        *to = made.release();
        return ETL_OK;
    });
}

} // namespace etl::capi
