#include "facts/statements.hpp"

#include <etl/flow/context.hpp>
#include <etl/format/known_guids.hpp>
#include <etl/format/records.hpp>

namespace etl::facts {

namespace {

using format::RecordKind;

// A merge writes these records, from a thread of another time, and of any machine. Observed: with
// process 0.
bool is_written_by_merge(const Guid& guid) noexcept {
    return guid == format::image_id_guid || guid == format::event_metadata_guid ||
           guid == format::system_config_ex_guid;
}

constexpr bool is_system(RecordKind kind) noexcept {
    return kind == RecordKind::system32 || kind == RecordKind::system64 ||
           kind == RecordKind::compact32 || kind == RecordKind::compact64;
}

// Thread 0 is that of each processor. Only it is of process 0: elsewhere, 0 is no process.
std::optional<ThreadStatement> statement(std::uint32_t thread, std::uint32_t process,
                                         std::int64_t time) noexcept {
    const bool is_stated =
        thread != 0 && thread != flow::no_id && process != 0 && process != flow::no_id;
    return is_stated ? std::optional(ThreadStatement{thread, process, time}) : std::nullopt;
}

} // namespace

std::optional<ThreadStatement> header_statement_of(const flow::Event& event) noexcept {
    if (is_system(event.kind)) {
        const auto hook = flow::stored<format::system_record::hook_id>(event);
        return hook >> 8U != 0 ? statement(flow::stored<format::system_record::thread_id>(event),
                                           flow::stored<format::system_record::process_id>(event),
                                           event.raw_time)
                               : std::nullopt;
    }
    if (format::is_event(event.kind)) {
        return is_written_by_merge(flow::stored<format::event_record::provider_id>(event))
                   ? std::nullopt
                   : statement(flow::stored<format::event_record::thread_id>(event),
                               flow::stored<format::event_record::process_id>(event),
                               event.raw_time);
    }
    if (format::has_hook(event.kind)) { // the others have no IDs
        return std::nullopt;
    }
    const flow::EventHeader header = flow::read_header(event);
    return is_written_by_merge(header.provider) || header.provider == format::event_trace_guid
               ? std::nullopt
               : statement(header.thread_id, header.process_id, event.raw_time);
}

std::optional<ThreadStatement> stack_statement_of(const flow::Event& event) noexcept {
    const auto target = flow::stack_target(event);
    return target ? statement(target->thread_id, target->process_id, target->time) : std::nullopt;
}

} // namespace etl::facts
