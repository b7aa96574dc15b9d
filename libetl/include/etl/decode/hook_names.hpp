// Names of kernel events by hook id, until a class definition says more. Pure; any thread.
// Table: schemas/kernel-hooks.csv. docs/format/record.md#hooks
#pragma once

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

} // namespace etl::decode
