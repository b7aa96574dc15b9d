// Limits of the room symbols, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::symbols::limits {

/// Decompressed size of a compressed program database or of one chunk of it: this plus
/// `expansion` times the size of the file. Real ones expand 6 to 16 times.
inline constexpr std::uint64_t expanded_bytes = std::uint64_t{64} << 20U;
inline constexpr std::uint64_t expansion = 64;

/// Decompressed bytes of all reads of one compressed program database: this times the above. Chunks
/// are kept, so that a file of ordinary size is decompressed once.
inline constexpr std::uint64_t expansions = 64;

/// Decompressed chunks of one compressed program database kept for further reads. The encoder of
/// the format's authors writes chunks of 4 MB.
inline constexpr std::size_t kept_chunk_bytes = std::size_t{64} << 20U;

/// Modules (object files) of a program database: their number has 16 bits in contributions.
inline constexpr std::size_t modules = std::size_t{1} << 16U;

/// Parsed modules of one program database kept for further lookups.
inline constexpr std::size_t kept_module_bytes = std::size_t{512} << 20U;

/// Public symbols at one address of which the best name is chosen. Folding of identical code
/// produces thousands.
inline constexpr std::size_t names_at_address = 256;

/// Inlined functions around one address. Compilers stop far earlier.
inline constexpr std::size_t inline_depth = 128;

/// Names of the inlined functions of one module: each can repeat the same scope.
inline constexpr std::size_t inlined_name_bytes = 64U << 20U;

/// Type records examined to find one by its index when the file contains no index of them, or
/// between two entries of the index: those of 8 KB, which the format has between entries.
inline constexpr std::size_t type_records = 4096;

/// Chained unwind information of one function. Compilers chain a few levels.
inline constexpr std::size_t unwind_chain = 32;

/// Sections of an executable: the PE format's own limit for Windows' loader.
inline constexpr std::size_t sections = 96;

/// Name of one source file, put together from parts. Paths of Windows have up to 32,767 characters.
inline constexpr std::size_t source_name_bytes = 64U << 10U;

/// Names of all source files of a portable program database: each can repeat the same parts.
inline constexpr std::size_t source_names_bytes = 64U << 20U;

/// Places of a symbol path.
inline constexpr std::size_t search_places = 256;

/// A file name in a symbol path: that of Windows' file systems in UTF-8.
inline constexpr std::size_t file_name_bytes = 3 * 255;

/// `file.ptr` of a symbol store: one path.
inline constexpr std::size_t pointer_file_bytes = 64U << 10U;

// Limits of the demangler, each with its reason. See base/limits.hpp.

/// Size of a decorated name: MSVC replaces names above 4096 characters by their hash, and a symbol
/// record has at most 64 KB.
inline constexpr std::size_t decorated_bytes = 64U << 10U;

/// Size of a demangled name: back references repeat text, each up to as much as all text before it.
inline constexpr std::size_t demangled_bytes = 64U << 10U;

/// Nesting of types, names, and symbols in a decorated name; recursive templates reach about 100.
inline constexpr unsigned demangle_depth = 256;

/// Steps to parse a name of Rust: back references are parsed again where they point to.
inline constexpr std::size_t demangle_steps = 64U << 10U;

} // namespace etl::symbols::limits
