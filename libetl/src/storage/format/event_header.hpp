// EventHeader: the header of a record in one form for all kinds, read and encoded.
// docs/format/record.md#normalised
#pragma once

#include <etl/record.hpp>

#include "format/event_descriptor.hpp"
#include "format/record_kind.hpp"

namespace etl::format {

/// Form of INSTANCE records: before layout 1.1, they have handles instead of GUIDs. Records too
/// small for GUIDs always have handles. docs/format/record.md#instance
enum class Instances : std::uint8_t { with_guids, with_handles };

/// Returns the header of a single record, without padding, for which record_at() returns `kind`.
/// Cannot fail: record_at() has verified the fixed part. `pointer_size`: that of the trace, for
/// records that do not state theirs.
EventHeader read_header(RecordKind kind, Bytes record, std::uint8_t pointer_size,
                        Instances instances = Instances::with_guids) noexcept;

} // namespace etl::format
