// Classic events as records: FULL and INSTANCE. docs/compat.md#classic, docs/format/record.md
#pragma once

#include <etl/compat/evntrace.h>

#include "base/guid.hpp"
#include "format/limits.hpp"
#include "format/record_kind.hpp"

#include <array>
#include <span>

namespace etl::compat {

using RecordMemory = std::array<std::byte, format::max_record_size + 1>;

/// The data of a classic event: what lies behind its header, or where its MOF_FIELDs point.
class ClassicData {
public:
    /// False: more fields than there may be.
    bool read(const std::byte* behind, std::size_t size, ULONG flags) noexcept;

    std::uint64_t size() const noexcept;

    /// size() bytes.
    void put(std::byte* to) const noexcept;

private:
    std::array<Bytes, MAX_MOF_FIELDS> parts_{};
    std::size_t count_ = 0;
};

/// EVENT_TRACE_HEADER and EVENT_INSTANCE_HEADER have these at the same places.
struct CommonHeader {
    USHORT size = 0;
    UCHAR type = 0, level = 0;
    USHORT version = 0;
    ULONG flags = 0;

    template <typename Header>
    explicit CommonHeader(const Header& from) noexcept
        : size(from.Size), type(from.Class.Type), level(from.Class.Level),
          version(from.Class.Version), flags(from.Flags) {}
};

/// The fields that FULL and INSTANCE records share, at the same places.
void put_common(std::span<std::byte, format::full_record::size> to, std::uint16_t size,
                format::RecordFamily family, const CommonHeader& from, const Guid& event_class);

} // namespace etl::compat
