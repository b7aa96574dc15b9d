// Limits of the room schema, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::schema::limits {

/// Fields of one schema, including members. The largest real schema has fewer than 200.
inline constexpr std::uint32_t fields = 4096;

/// Dumped builds of Windows of one provider: the bits of EventSchema::builds. Windows had 20 in ten
/// years.
inline constexpr std::size_t builds_of_a_provider = 64;

/// Chunks of one EventSource manifest, and total bytes of all chunks of a trace.
inline constexpr std::uint32_t manifest_chunks = 1024;
inline constexpr std::size_t manifest_bytes = 64U << 20U;

/// Concurrent assemblies of EventSource chunks (provider x process x thread).
inline constexpr std::size_t manifest_assemblies = 4096;

/// One manifest file. The largest of Windows 10 is 5 MB.
inline constexpr std::size_t manifest_file_bytes = 64U << 20U;

/// Elements, attributes, and texts of one manifest: a DOM needs about 60 bytes for each. The
/// largest manifest seen has 38,000.
inline constexpr std::size_t manifest_nodes = 1U << 22U;

/// Memory of the schemas of one manifest or image: many events can refer to the same template or
/// string.
inline constexpr std::size_t manifest_schema_bytes = 256U << 20U;

/// Entries of the resource tree visited for one type. The largest DLLs have a few thousand icons
/// and a few dozen types.
inline constexpr std::size_t image_resources = 1U << 14U;

/// Nesting depth of the XML in a UserData template. Real templates have two or three levels.
inline constexpr std::size_t user_data_depth = 32;

/// Findings kept per manifest or image.
inline constexpr std::size_t manifest_notes = 200;

/// Size of a program database: with 4 KB pages, the Windows linker writes none larger.
inline constexpr std::uint64_t pdb_file_bytes = std::uint64_t{4} << 30U;

/// Arguments of one WPP message: FormatMessage's numbers have two digits and start at 10.
inline constexpr std::size_t wpp_arguments = 90;

/// Names of the function, component, and source file repeated for each WPP message; a TMF stores
/// them once. C++ function names can be longer, but are truncated.
inline constexpr std::size_t wpp_name_bytes = 1024;

/// Bytes kept from the annotations of one program database, mostly message texts; each includes the
/// name of the enclosing function. The largest Windows drivers have a few MB.
inline constexpr std::size_t pdb_text_bytes = 64U << 20U;

/// Conflicting descriptions of one WPP message: builds of a driver differ.
inline constexpr std::size_t wpp_variants = 16;

} // namespace etl::schema::limits
