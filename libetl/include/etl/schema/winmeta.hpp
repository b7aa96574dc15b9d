// The names that Windows predefines for levels, opcodes, keywords and channels (winmeta.xml).
// English, without the prefix `win:`. docs/format/decoding.md#winmeta
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace etl::schema::winmeta {

/// "Critical" 1, "Error" 2, "Warning" 3, "Information" 4, "Verbose" 5; "LogAlways" for 0. Empty:
/// not predefined.
std::string_view level_name(std::uint8_t level) noexcept;

/// "Info" 0, "Start" 1, "Stop" 2, "DC_Start" 3, ... "Receive" 240. Empty: not predefined.
std::string_view opcode_name(std::uint8_t opcode) noexcept;

/// The name of one predefined bit (48 to 55), for example "AuditFailure". Empty: not one of them.
std::string_view keyword_name(std::uint64_t bit) noexcept;

/// "System" 8, "Application" 9, "Security" 10, "TraceLogging" 11, "ProviderMetadata" 12. Empty: not
/// predefined.
std::string_view channel_name(std::uint8_t channel) noexcept;

/// The names as manifests write them; a prefix and the case are ignored. Reserved ones are known
/// too
/// (`win:ReservedLevel6`).
std::optional<std::uint8_t> level(std::string_view name) noexcept;
std::optional<std::uint8_t> opcode(std::string_view name) noexcept;
std::optional<std::uint64_t> keyword(std::string_view name) noexcept;
std::optional<std::uint8_t> channel(std::string_view name) noexcept;

} // namespace etl::schema::winmeta
