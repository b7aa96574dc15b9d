#include "capi/handles.hpp"

#include <memory>

using namespace etl;
using namespace etl::capi;

namespace etl::capi {

std::expected<TraceOptions, etl_error> options_of(const etl_open_options* given) {
    const auto read = read_sized(given);
    if (!read) {
        return std::unexpected(read.error());
    }
    TraceOptions options{.schemas = list_of(read->schemas, read->schema_count),
                         .where = std::string(view_of(read->where)),
                         .from = std::string(view_of(read->from)),
                         .to = std::string(view_of(read->to)),
                         .threads = read->threads,
                         .recursive = read->recursive != 0,
                         .enrich = read->enrich != 0,
                         .symbols = list_of(read->symbols, read->symbol_count)};
    if (read->culture != nullptr) {
        options.culture = read->culture;
    }
    if (read->part != 0 || read->parts != 0) {
        options.part = {.number = read->part, .count = read->parts};
    }
    switch (read->order) {
    case ETL_ORDER_TIME:
        options.order = EventOrder::time;
        break;
    case ETL_ORDER_RECORDED:
        options.order = EventOrder::recorded;
        break;
    case ETL_ORDER_FILE:
        options.order = EventOrder::file;
        break;
    default:
        return failed(ETL_INVALID_ARGUMENT, "order is not one of ETL_ORDER_...");
    }
    return options;
}

} // namespace etl::capi

namespace {

/// A message of a list; empty: beyond the end.
etl_text at(const std::vector<std::string>& list, std::size_t index) noexcept {
    return text_of(index < list.size() ? std::string_view(list[index]) : std::string_view());
}

/// Refills a list; it is empty if memory is exhausted.
template <typename Fill>
std::size_t refill(etl_trace& trace, std::vector<std::string>& list, Fill&& fill) noexcept {
    list.clear();
    try {
        if (!trace.current.is_exhausted) {
            fill(list);
        }
    } catch (...) {
        list.clear();
        trace.current.is_exhausted = true;
    }
    return list.size();
}

} // namespace

etl_status etl_open(const char* const* paths, size_t count, const etl_open_options* options,
                    etl_trace** trace, etl_error** error) {
    return open_as(options, trace, error, [&](const TraceOptions& how) {
        return Trace::open_all(list_of(paths, count), how);
    });
}

etl_status etl_open_memory(const void* data, size_t size, const char* name,
                           const etl_open_options* options, etl_trace** trace, etl_error** error) {
    return open_as(options, trace, error, [&](const TraceOptions& how) {
        const Bytes bytes = bytes_of(data, size);
        return Trace::open_memory({bytes.begin(), bytes.end()}, name != nullptr ? name : "memory",
                                  how);
    });
}

void etl_trace_free(etl_trace* trace) {
    delete trace;
}

etl_status etl_trace_next(etl_trace* trace, etl_event** event, etl_error** error) {
    *event = nullptr;
    return guarded_reading(trace, error, [&]() -> Outcome {
        etl_event& current = trace->current;
        const bool had_event = current.event != nullptr;
        trace->leave_event();
        if (!trace->position) {
            trace->loop = trace->restart();
            trace->position.emplace(trace->trace.begin());
        } else if (trace->loop != trace->reading) {
            return failed(ETL_INVALID_ARGUMENT,
                          "a stream of columns has read the trace; call etl_trace_rewind first");
        } else if (had_event) {
            ++*trace->position;
        }
        if (*trace->position != trace->trace.end()) {
            current.event = &**trace->position;
            *event = &current;
            return ETL_OK;
        }
        const Error* const failure = trace->trace.error();
        return failure != nullptr ? Outcome(failed(*failure)) : Outcome(ETL_END);
    });
}

etl_status etl_trace_rewind(etl_trace* trace, etl_error** error) {
    return guarded_reading(trace, error, [&]() -> Outcome {
        trace->restart();
        return ETL_OK;
    });
}

etl_status etl_trace_save(etl_trace* trace, const char* path, bool replace, uint64_t* count,
                          etl_error** error) {
    return guarded_reading(trace, error, [&]() -> Outcome {
        trace->restart();
        const auto saved = trace->trace.save(std::string(view_of(path)),
                                             replace ? Existing::replace : Existing::keep);
        if (!saved) {
            return failed(saved.error());
        }
        if (count != nullptr) {
            *count = *saved;
        }
        return ETL_OK;
    });
}

void etl_trace_stop(etl_trace* trace) {
    trace->trace.stop();
}

size_t etl_trace_count(const etl_trace* trace) {
    return trace->trace.infos().size();
}

etl_status etl_trace_info_of(etl_trace* trace, size_t index, etl_trace_info* info,
                             etl_error** error) {
    return guarded_in(&trace->current, error, [&]() -> Outcome {
        const auto infos = trace->trace.infos();
        if (index >= infos.size()) {
            return failed(ETL_NOT_FOUND, "no trace has this index");
        }
        const TraceInfo& from = infos[index];
        const format::LogfileHeader& header = *from.header;
        return write_sized(info, {.struct_size = 0,
                                  .name = text_of(from.name),
                                  .start_time = header.start_time,
                                  .end_time = header.end_time,
                                  .boot_time = header.boot_time,
                                  .size = from.size,
                                  .buffers = from.buffers,
                                  .events_lost = header.events_lost,
                                  .buffers_lost = header.buffers_lost,
                                  .processors = header.number_of_processors,
                                  .pointer_size = header.pointer_size,
                                  .is_finalized = from.is_finalized ? 1U : 0U});
    });
}

size_t etl_trace_problem_count(etl_trace* trace) {
    return refill(*trace, trace->problems, [&](std::vector<std::string>& list) {
        for (const TraceError& problem : trace->trace.problems()) {
            list.push_back(describe(problem));
        }
    });
}

etl_text etl_trace_problem(const etl_trace* trace, size_t index) {
    return at(trace->problems, index);
}

size_t etl_trace_remark_count(etl_trace* trace) {
    return refill(*trace, trace->remarks,
                  [&](std::vector<std::string>& list) { list = trace->trace.remarks(); });
}

etl_text etl_trace_remark(const etl_trace* trace, size_t index) {
    return at(trace->remarks, index);
}

size_t etl_trace_finding_count(etl_trace* trace) {
    return refill(*trace, trace->findings, [&](std::vector<std::string>& list) {
        const auto infos = trace->trace.infos();
        for (const Diagnostic& finding : trace->trace.findings()) {
            const bool is_named = finding.file < infos.size();
            list.push_back(
                (is_named ? std::string(infos[finding.file].name) + ":" : std::string()) +
                describe(finding));
        }
    });
}

etl_text etl_trace_finding(const etl_trace* trace, size_t index) {
    return at(trace->findings, index);
}

uint64_t etl_trace_all_findings(const etl_trace* trace) {
    return trace->trace.finding_count();
}
