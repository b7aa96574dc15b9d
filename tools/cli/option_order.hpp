// When the parser calls back.
#pragma once

#include <CLI/CLI.hpp>

namespace cli {

/// The callback of this option runs before required ones are checked, because it refuses the
/// command line, or replaces what is required. Older parsers always do it in this order.
inline CLI::Option* before_requirements(CLI::Option* option) {
#if CLI11_VERSION_MAJOR > 2 || (CLI11_VERSION_MAJOR == 2 && CLI11_VERSION_MINOR >= 6)
    option->callback_priority(CLI::CallbackPriority::PreRequirementsCheck);
#endif
    return option;
}

} // namespace cli
