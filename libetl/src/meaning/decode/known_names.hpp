// Names that are known without a trace: of kernel events, providers, and error codes. Pure;
// thread-safe.
#pragma once

#include <etl/guid.hpp>

#include "decode/value.hpp"

#include <cstdint>
#include <string_view>

namespace etl::decode {

// Names of kernel events by hook ID, used without a class definition. Table:
// schemas/kernel-hooks.csv. docs/format/record.md#hooks

struct HookName {
    std::uint16_t hook_id = 0;
    std::string_view symbol; // "WMI_LOG_TYPE_PROCESS_CREATE"; empty: unknown
    std::string_view event;  // "Process/Start"; empty: no public class
};

/// Returns the names of a hook ID (Group << 8 | Type); empty if unknown.
HookName hook_name(std::uint16_t hook_id) noexcept;

/// Returns the class name of records that the kernel or a merge writes with a full header but
/// without a kernel group ("ImageId", "Lost_Event"); empty if not in the table. Table:
/// schemas/classic-events.csv.
std::string_view ungrouped_class_name(const Guid& event_class) noexcept;

/// An event of a class of the kernel.
struct ClassEvent {
    Guid event_class;
    std::uint8_t type = 0;
    bool has_hook = false; // a kernel record; otherwise one with a full header
};

/// The events of classes that have a name: the event or the symbol of a hook.
struct NamedClassEvents {
    ClassEvent first;
    unsigned count = 0; // different ones: 0: unknown; more than 1: ambiguous
};

/// Returns the class events with a name as a dump shows it ("Process/Start"), of any class or of
/// `within`.
NamedClassEvents find_class_events(std::string_view name, const Guid* within = nullptr) noexcept;

// Names of well-known providers, for traces that do not contain them. Tables:
// schemas/providers.csv, and schemas/classic-events.csv for the classes of classic providers.

/// Returns the name of a provider, or of the provider of a class; empty if not in the tables.
std::string_view known_provider_name(const Guid& guid) noexcept;

// Symbolic names of common error codes.

/// Returns "ERROR_ACCESS_DENIED", "STATUS_OBJECT_NAME_NOT_FOUND", "E_FAIL", ...; empty if not in
/// the table. For an HRESULT that wraps a Win32 error or an NTSTATUS, returns the name of the
/// wrapped code; for a failed HRESULT stored as a Win32 error, the name of the HRESULT. Table:
/// schemas/error-names.csv.
std::string_view error_name(ErrorSpace space, std::uint32_t code) noexcept;

} // namespace etl::decode
