// ClassicTarget: the session that a classic event names by its handle. With ETL_SCOPE=machine, all
// but private ones belong to the machine. docs/compat.md#classic
#pragma once

#include <etl/bytes.hpp>
#include <etl/compat/evntrace.h>

#include "session/logging/session_core.hpp"
#include "session/providers/registrations.hpp"

#include <cstdint>
#include <optional>

namespace etl::compat {

/// What a classic provider knows of a session that enabled it, in one number
/// (TRACE_ENABLE_CONTEXT). A value.
struct LoggerHandle {
    std::uint64_t value = 0;

    static LoggerHandle of(std::uint64_t session, std::uint8_t level,
                           std::uint32_t flags) noexcept {
        return {session | std::uint64_t{level} << 16U | std::uint64_t{flags} << 32U};
    }

    /// Returns the handle of StartTrace: its number, and the bit of private sessions.
    std::uint64_t session() const noexcept { return value & 0x0100FFFF; }

    std::uint8_t level() const noexcept { return static_cast<std::uint8_t>(value >> 16U); }

    std::uint32_t flags() const noexcept { return static_cast<std::uint32_t>(value >> 32U); }
};

class ClassicTarget {
public:
    explicit ClassicTarget(TRACEHANDLE handle) noexcept;

    /// False: there is no such session; of the machine, also one that has enabled no classic
    /// provider of this process.
    bool is_found() const noexcept { return session_.core != nullptr || route_.region != nullptr; }

    /// Mode bits, as far as they are known here.
    std::uint32_t mode() const noexcept;

    /// Number of the next message. A session of the machine numbers them itself.
    std::uint32_t next_sequence() const noexcept;

    /// Writes a record; timestamp and processor as in session::write_record.
    ULONG write(Bytes record, std::optional<std::uint32_t> stamp_at,
                std::optional<std::uint16_t> processor) const noexcept;

    /// A record that is larger than any.
    ULONG lose_too_large() const noexcept;

private:
    session::SessionRef session_; // no core: of the machine
    session::ClassicRoute route_;
    std::uint16_t number_ = 0; // on the machine
};

} // namespace etl::compat
