#include <etl/etl.h>

#include "capi/building.hpp"
#include "capi/handles.hpp"
#include "relog/edit.hpp"

using namespace etl;
using namespace etl::capi;
using relog::Draft;

struct etl_relogger {
    const flow::Event* event = nullptr; // the current one
    relog::Output* output = nullptr;
    Draft draft{}; // reused
};

namespace {

/// Leaves the loop when the function of the caller ends it.
struct Canceled {
    etl_status status = ETL_CANCELED;
};

/// Marks the trace as relogged.
class Relogging {
public:
    explicit Relogging(etl_trace& trace) noexcept : trace_(&trace) { trace.is_relogged = true; }

    ~Relogging() { trace_->is_relogged = false; }

    Relogging(const Relogging&) = delete;
    Relogging& operator=(const Relogging&) = delete;

private:
    etl_trace* trace_;
};

using format::FieldPresence;

/// Applies a change. Returns whether the record has all members.
std::expected<bool, etl_error> apply(const etl_change& change, Draft& to) {
    bool has_all = true;
    const auto set = [&](std::uint32_t member, auto&& setter) {
        if ((change.members & member) != 0) {
            has_all = setter() == FieldPresence::present && has_all;
        }
    };
    set(ETL_CHANGE_TIME, [&] { return to.set_time({change.time}); });
    set(ETL_CHANGE_PROCESS_ID, [&] { return to.set_process_id(change.process_id); });
    set(ETL_CHANGE_THREAD_ID, [&] { return to.set_thread_id(change.thread_id); });
    set(ETL_CHANGE_PROVIDER, [&] { return to.set_provider(guid_of(change.provider)); });
    set(ETL_CHANGE_ACTIVITY, [&] { return to.set_activity(guid_of(change.activity)); });
    if ((change.members & ETL_CHANGE_PAYLOAD) != 0) {
        const auto set_payload = to.set_payload(bytes_of(change.payload, change.payload_size));
        if (!set_payload) {
            return failed(set_payload.error());
        }
    }
    return has_all;
}

/// Emits a new event beside the current one.
Outcome emit(etl_relogger& to, const format::EventRecord& record, const etl_record& context) {
    Draft draft(Draft::Form::event, *to.event);
    draft.set_provider(record.provider);
    draft.set_descriptor(record.descriptor);
    draft.set_activity(record.activity);
    if (context.time != 0) {
        draft.set_time({context.time});
    }
    if (context.process_id != ETL_NO_ID) {
        draft.set_process_id(context.process_id);
    }
    if (context.thread_id != ETL_NO_ID) {
        draft.set_thread_id(context.thread_id);
    }
    if (const auto items = draft.set_items(record.items); !items) {
        return failed(items.error());
    }
    if (const auto payload = draft.set_payload(record.payload); !payload) {
        return failed(payload.error());
    }
    to.output->emit(draft);
    return ETL_OK;
}

} // namespace

etl_status etl_trace_relog(etl_trace* trace, const char* path, bool replace,
                           etl_relog_function function, void* context, uint64_t* count,
                           etl_error** error) {
    return guarded_reading(trace, error, [&]() -> Outcome {
        trace->restart();
        const Relogging relogging(*trace);
        etl_relogger to;
        const auto edit = [&](const Event& event, relog::Output& output) {
            trace->leave_event();
            trace->current.event = &event;
            to.event = &static_cast<const flow::Event&>(event);
            to.output = &output;
            const etl_status status = function(context, &trace->current, &to);
            if (status != ETL_OK) {
                throw Canceled{status};
            }
        };
        try {
            const auto written = trace->trace.relog(std::string(view_of(path)), edit,
                                                    replace ? Existing::replace : Existing::keep);
            trace->leave_event();
            if (!written) {
                return failed(written.error());
            }
            if (count != nullptr) {
                *count = *written;
            }
            return ETL_OK;
        } catch (const Canceled& canceled) {
            trace->leave_event();
            return failed(canceled.status, "the function ended relogging");
        }
    });
}

etl_status etl_relogger_pass(etl_relogger* to, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        to->output->pass();
        return ETL_OK;
    });
}

etl_status etl_relogger_emit(etl_relogger* to, const etl_change* change, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto read = read_sized(change);
        if (!read) {
            return std::unexpected(read.error());
        }
        to->draft.assign(*to->event);
        const auto applied = apply(*read, to->draft);
        if (!applied) {
            return std::unexpected(applied.error());
        }
        if (!*applied) {
            return failed(ETL_UNSUPPORTED, "this kind of record does not have a changed member");
        }
        to->output->emit(to->draft);
        return ETL_OK;
    });
}

etl_status etl_relogger_add(etl_relogger* to, const etl_record* record, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto read = read_record(record);
        return read ? emit(*to, record_of(*read), *read) : Outcome(std::unexpected(read.error()));
    });
}

etl_status etl_relogger_add_event(etl_relogger* to, etl_builder* builder, const etl_record* context,
                                  etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto read = read_record(context);
        if (!read) {
            return std::unexpected(read.error());
        }
        const auto record = record_of(*builder, *read);
        return record ? emit(*to, *record, *read) : Outcome(std::unexpected(record.error()));
    });
}
