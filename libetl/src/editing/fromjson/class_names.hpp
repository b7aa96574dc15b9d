// The names by which lines call events of the kernel. docs/write.md#kernel
#pragma once

#include "fromjson/event_line.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace etl::fromjson {

/// The class that a name of the kernel's provider contains, as in `MSNT_SystemTrace/Process`;
/// empty: none. Nothing: another provider.
std::optional<std::string_view> kernel_class_in(std::string_view provider);

/// The name of the line's event with that of its class, `Process/Start`, which can be that of the
/// provider. Nothing: no name, or one of another class than that of the provider.
std::optional<std::string> class_event_name(const EventLine& line);

} // namespace etl::fromjson
