// Whether a stack reaches the start of its thread. Private to analysis. docs/profilers.md#stacks
#pragma once

#include "base/text.hpp"

#include <string>
#include <string_view>

namespace etl::analysis {

/// Returns whether a user-mode frame can be the outermost one: threads start in ntdll.dll, or of
/// old versions of Windows in kernel32.dll. The function is as in `etl cpu --by function`.
inline bool can_start_thread(std::string_view module, std::string_view function) {
    const std::string name = to_lower_ascii(module);
    const bool has_name = !function.starts_with(std::string(module) + "!0x");
    if (name == "ntdll.dll") {
        return !has_name || function.contains("ThreadStart") ||
               function.contains("LdrInitializeThunk");
    }
    return name == "kernel32.dll" &&
           (function.contains("BaseThreadStart") || function.contains("BaseProcessStart"));
}

} // namespace etl::analysis
