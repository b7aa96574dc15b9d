// GUIDs of the providers and event classes that several modules recognize. Those of the kernel's
// event classes by group: kernel_group.hpp.
#pragma once

#include <etl/guid.hpp>

namespace etl::format {

/// Manifest providers of the kernel: Microsoft-Windows-Kernel-Process, ...
inline constexpr Guid kernel_process_guid = *parse_guid("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
inline constexpr Guid kernel_file_guid = *parse_guid("edd08927-9cc4-4e65-b970-c2560fb5c289");
inline constexpr Guid kernel_network_guid = *parse_guid("7dd42a49-5329-4832-8dfd-43d979153a88");

/// Captures of packets: Microsoft-Windows-NDIS-PacketCapture, Microsoft-Windows-PktMon,
/// Microsoft-Windows-Ras-NdisWanPacketCapture. Names of hosts: Microsoft-Windows-DNS-Client.
inline constexpr Guid ndis_capture_guid = *parse_guid("2ed6006e-4729-4609-b423-3ee7bcd678ef");
inline constexpr Guid pktmon_guid = *parse_guid("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
inline constexpr Guid ras_capture_guid = *parse_guid("d84521f7-2235-4237-a7c0-14e3a9676286");
inline constexpr Guid dns_client_guid = *parse_guid("1c95126e-7eea-49a9-a3fe-a378b03ddb4d");

/// Runtimes: Microsoft-Windows-DotNETRuntime, Microsoft-Windows-DotNETRuntimeRundown,
/// Microsoft-JScript.
inline constexpr Guid dotnet_runtime_guid = *parse_guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
inline constexpr Guid dotnet_rundown_guid = *parse_guid("a669021c-c450-4609-a035-5af59af4df18");
inline constexpr Guid javascript_guid = *parse_guid("57277741-3638-4a4b-bdba-0ac6e45da56c");

/// Classes of the records that a merge adds: ImageId, SystemConfigEx. docs/format/decoding.md
inline constexpr Guid image_id_guid = *parse_guid("b3e675d7-2554-4f18-830b-2762732560de");
inline constexpr Guid system_config_ex_guid = *parse_guid("9b79ee91-b5fd-41c0-a243-4248e266e9d0");

/// Class RT_LostEvent: events and buffers that a real-time consumer did not receive.
inline constexpr Guid lost_event_guid = *parse_guid("6a399ae0-4bc6-4de9-870b-3657f8947e7e");

/// Microsoft-Windows-Kernel-EventTracing: among others, which providers sessions enable.
inline constexpr Guid kernel_event_tracing_guid =
    *parse_guid("b675ec37-bdb6-4648-bc92-f3fdc74d3ca2");

/// Classes of the kernel.
inline constexpr Guid process_class_guid = *parse_guid("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
inline constexpr Guid thread_class_guid = *parse_guid("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
inline constexpr Guid image_class_guid = *parse_guid("2cb15d1d-5fc1-11d2-abe1-00a0c911f518");
inline constexpr Guid system_config_guid = *parse_guid("01853a65-418f-4f36-aefc-dc0f1d2fd235");

/// Returns the first four bytes of a GUID as a little-endian number, as load_le() reads them out of
/// a record: for a `switch` before a comparison of all sixteen.
constexpr std::uint32_t head_of(const Guid& guid) noexcept {
    std::uint32_t head = 0;
    for (std::size_t i = 4; i-- > 0;) {
        head = head << 8U | std::to_integer<std::uint32_t>(guid.bytes[i]);
    }
    return head;
}

} // namespace etl::format
