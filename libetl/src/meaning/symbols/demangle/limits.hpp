// Limits of the demangler, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::limits {

/// Size of a decorated name: MSVC replaces names above 4096 characters by their hash, and a symbol
/// record has at most 64 KB.
inline constexpr std::size_t decorated_bytes = 64U << 10U;

/// Size of a demangled name: back references repeat text, each up to as much as all text before it.
inline constexpr std::size_t demangled_bytes = 64U << 10U;

/// Nesting of types, names, and symbols in a decorated name; recursive templates reach about 100.
inline constexpr unsigned demangle_depth = 256;

/// Steps to parse a name of Rust: back references are parsed again where they point to.
inline constexpr std::size_t demangle_steps = 64U << 10U;

} // namespace etl::limits
