// Names of kernel events by hook ID, used without a class definition. Pure; thread-safe. Table:
// schemas/kernel-hooks.csv. docs/format/record.md#hooks
#pragma once

#include <etl/base/guid.hpp>

#include <cstdint>
#include <string_view>

namespace etl::decode {

struct HookName {
    std::uint16_t hook_id = 0;
    std::string_view symbol; // "WMI_LOG_TYPE_PROCESS_CREATE"; empty: unknown
    std::string_view event;  // "Process/Start"; empty: no public class
};

/// Returns the names of a hook ID (Group << 8 | Type); empty if unknown.
HookName hook_name(std::uint16_t hook_id) noexcept;

/// Returns the class name of records with a full header but without a kernel group ("ImageId",
/// "Lost_Event"); empty if not in the table. Table: schemas/classic-events.csv.
std::string_view ungrouped_class_name(const Guid& event_class) noexcept;

} // namespace etl::decode
