// Bounds of the room schema, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Fields of one schema, members included. The largest real one has under 200.
inline constexpr std::uint32_t schema_fields = 4096;

/// Chunks of one EventSource manifest, and the bytes that all chunks of a trace may hold.
inline constexpr std::uint32_t manifest_chunks = 1024;
inline constexpr std::size_t manifest_bytes = 64U << 20U;

/// Assemblies of EventSource chunks under way at one time (provider x process x thread).
inline constexpr std::size_t manifest_assemblies = 4096;

/// One manifest file. The largest of Windows 10 is 5 MB.
inline constexpr std::size_t manifest_file_bytes = 64U << 20U;

/// Elements, attributes and texts of one manifest: a DOM needs some 60 bytes for each. The largest
/// one seen has 38,000.
inline constexpr std::size_t manifest_nodes = 1U << 22U;

/// Memory that the schemas of one manifest or image may take: one template or string can be named
/// by many events.
inline constexpr std::size_t manifest_schema_bytes = 256U << 20U;

/// Sections of an executable: the PE format's own limit for Windows' loader.
inline constexpr std::size_t image_sections = 96;

/// Entries of the resource tree that are walked for one type. The largest DLLs have some thousand
/// icons, and a few dozen types.
inline constexpr std::size_t image_resources = 1U << 14U;

/// Nesting of the XML of a UserData template. Real ones have two or three levels.
inline constexpr std::size_t user_data_depth = 32;

/// Findings kept of one manifest or image.
inline constexpr std::size_t manifest_notes = 200;

/// One program database: with pages of 4 KB, Windows' linker writes none that is larger.
inline constexpr std::uint64_t pdb_file_bytes = std::uint64_t{4} << 30U;

/// Arguments of one WPP message: FormatMessage's numbers have two digits and start at 10.
inline constexpr std::size_t wpp_arguments = 90;

/// The names of a function, component and source file as messages of WPP repeat them: a file says
/// them once. C++ compilers' longest names are longer, but nobody reads them.
inline constexpr std::size_t wpp_name_bytes = 1024;

/// What is kept of the annotations of one program database, the text of its messages above all:
/// each brings the name of the function around it. Windows' largest drivers have some MB.
inline constexpr std::size_t pdb_text_bytes = 64U << 20U;

/// Descriptions of one WPP message that contradict each other: builds of one driver differ.
inline constexpr std::size_t wpp_variants = 16;

} // namespace etl::limits
