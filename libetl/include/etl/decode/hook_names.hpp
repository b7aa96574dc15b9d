// Names of kernel events by hook id, until a class definition says more. Pure; any thread.
// Table: schemas/kernel-hooks.csv. docs/format/record.md#hooks
#pragma once

#include <etl/base/guid.hpp>

#include <cstdint>
#include <string_view>

namespace etl::decode {

struct HookName {
    std::uint16_t hook_id = 0;
    std::string_view symbol; // "WMI_LOG_TYPE_PROCESS_CREATE"; empty: none known
    std::string_view event;  // "Process/Start"; empty: no public class describes it
};

/// What is known about a hook id (Group << 8 | Type); all empty when nothing is.
HookName hook_name(std::uint16_t hook_id) noexcept;

/// The class of records that have a full header but no kernel group ("ImageId", "Lost_Event");
/// empty: not in the table. Table: schemas/classic-events.csv.
std::string_view ungrouped_class_name(const Guid& event_class) noexcept;

} // namespace etl::decode
