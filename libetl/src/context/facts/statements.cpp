#include "facts/statements.hpp"

#include "flow/context.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"

namespace etl::facts {

namespace {

// A merge writes these records, from a thread of another time, and of any machine. Observed: with
// process 0.
bool is_written_by_merge(const Guid& guid) noexcept {
    switch (format::head_of(guid)) {
    case format::head_of(format::image_id_guid):
    case format::head_of(format::event_metadata_guid):
    case format::head_of(format::system_config_ex_guid):
        return guid == format::image_id_guid || guid == format::event_metadata_guid ||
               guid == format::system_config_ex_guid;
    default:
        return false;
    }
}

} // namespace

std::optional<ThreadStatement> other_header_statement_of(const flow::Event& event) noexcept {
    if (format::is_event(event.kind)) {
        return is_written_by_merge(flow::stored<format::event_record::provider_id>(event))
                   ? std::nullopt
                   : statement_of(flow::stored<format::event_record::thread_id>(event),
                                  flow::stored<format::event_record::process_id>(event),
                                  event.raw_time);
    }
    const flow::EventHeader header = flow::read_header(event);
    return is_written_by_merge(header.provider) || header.provider == format::event_trace_guid
               ? std::nullopt
               : statement_of(header.thread_id, header.process_id, event.raw_time);
}

std::optional<ThreadStatement> stack_statement_of(const flow::Event& event) noexcept {
    const auto target = flow::stack_target(event);
    return target ? statement_of(target->thread_id, target->process_id, target->time)
                  : std::nullopt;
}

} // namespace etl::facts
