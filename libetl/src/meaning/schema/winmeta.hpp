// Names that Windows predefines for levels, opcodes, keywords, and channels (winmeta.xml), in
// English, without the prefix `win:`. docs/format/decoding.md#winmeta
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace etl::schema::winmeta {

/// Returns "LogAlways" for 0, "Critical" 1, "Error" 2, "Warning" 3, "Information" 4, "Verbose" 5;
/// empty if not predefined.
std::string_view level_name(std::uint8_t level) noexcept;

/// Returns "Info" for 0, "Start" 1, "Stop" 2, "DC_Start" 3, ... "Receive" 240; empty if not
/// predefined.
std::string_view opcode_name(std::uint8_t opcode) noexcept;

/// Returns the name of one predefined bit (48 to 55), such as "AuditFailure"; empty for other bits.
std::string_view keyword_name(std::uint64_t bit) noexcept;

/// Returns "System" for 8, "Application" 9, "Security" 10, "TraceLogging" 11, "ProviderMetadata"
/// 12; empty if not predefined.
std::string_view channel_name(std::uint8_t channel) noexcept;

/// Return the value for a name as written in manifests, ignoring prefix and case. Reserved names
/// (`win:ReservedLevel6`) are included.
std::optional<std::uint8_t> level(std::string_view name) noexcept;
std::optional<std::uint8_t> opcode(std::string_view name) noexcept;
std::optional<std::uint64_t> keyword(std::string_view name) noexcept;
std::optional<std::uint8_t> channel(std::string_view name) noexcept;

} // namespace etl::schema::winmeta
