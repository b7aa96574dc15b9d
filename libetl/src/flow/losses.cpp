#include <etl/flow/losses.hpp>
#include <etl/format/losses_event.hpp>
#include <etl/format/records.hpp>

namespace etl::flow {

bool counts_losses(const TraceInfo& trace) noexcept {
    return trace.has_header && !trace.is_unfinalized;
}

bool tells_unknown_losses(const Event& event) noexcept {
    return format::is_event(event.kind) &&
           stored<format::event_record::provider_id>(event) == format::losses_event::provider;
}

} // namespace etl::flow
