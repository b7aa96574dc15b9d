#include "compat/functions/classic_target.hpp"

#include <etl/session.hpp>

#include "compat/c_values.hpp"
#include "compat/environment.hpp"
#include "session/writing/event_writer.hpp"
#include "session/writing/region_write.hpp"

namespace etl::compat {

ClassicTarget::ClassicTarget(TRACEHANDLE handle) noexcept {
    const std::uint64_t session = LoggerHandle{handle}.session();
    if (environment().is_of_machine && session <= 0xFFFF) {
        number_ = static_cast<std::uint16_t>(session);
        route_ = environment().registrations.classic_route(number_);
    } else {
        session_ = environment().state.running(session);
    }
}

std::uint32_t ClassicTarget::mode() const noexcept {
    if (session_.core == nullptr) {
        return route_.refuses_classic ? session::mode::secure : 0;
    }
    return session_.core->mode.load(std::memory_order_relaxed);
}

std::uint32_t ClassicTarget::next_sequence() const noexcept {
    return session_.core == nullptr ? 0 : environment().state.next_sequence(*session_.core);
}

ULONG ClassicTarget::write(Bytes record, std::optional<std::uint32_t> stamp_at,
                           std::optional<std::uint16_t> processor) const noexcept {
    if (route_.refuses_all) {
        return ERROR_ACCESS_DENIED;
    }
    const session::WriteResult result =
        session_.core == nullptr
            ? session::write_classic_to_region(*route_.region, number_, record)
            : session::write_record(*session_.core, session_.ticket, record, stamp_at, processor);
    if (result.status == session::Status::success && result.written + result.lost == 0) {
        return ERROR_INVALID_HANDLE; // it was stopped meanwhile
    }
    return to_c(result.status);
}

ULONG ClassicTarget::lose_too_large() const noexcept {
    if (route_.refuses_all) {
        return ERROR_ACCESS_DENIED;
    }
    if (session_.core == nullptr) {
        session::lose_classic_in_region(*route_.region, number_);
        return ERROR_MORE_DATA;
    }
    return session_.core->buffers.count_lost(session_.ticket) ? ERROR_MORE_DATA
                                                              : ERROR_INVALID_HANDLE;
}

} // namespace etl::compat
