// Names of sessions and of their files: which are reserved, which are the same.
#pragma once

#include "format/kernel_group.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace etl::session {

inline constexpr Guid system_trace_control_guid = format::system_trace_guid;
inline constexpr Guid ckcl_guid = parse_guid("54dea73a-ed1f-42a4-af71-3e63d056f174").value();

/// Longest name of a session or file, in UTF-16 units.
inline constexpr std::size_t max_name = 1024;

/// The GUID of the session that this name is reserved for.
std::optional<Guid> guid_of_reserved_name(std::string_view name);

/// The name as names are compared: whatever its case.
std::u16string folded_name(std::string_view name);

/// Exactly one `%`, and it is followed by `d`.
bool is_series_name(std::string_view file) noexcept;

} // namespace etl::session
