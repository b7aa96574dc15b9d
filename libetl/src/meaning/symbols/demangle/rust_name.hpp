// Demangled names of Rust: the older form (`_ZN...17h...E`) and form v0 (`_R...`).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace etl::symbols {

/// Appends the readable form of a name of the older form, without its hash, from after `_ZN`.
/// Returns how much of the name it is; 0 if it is damaged.
std::size_t append_old_rust_name(std::string& to, std::string_view name);

/// The same of form v0, from after `_R`.
std::size_t append_rust_name(std::string& to, std::string_view name);

/// Appends an identifier with characters beyond ASCII, which are stored as Punycode (RFC 3492) with
/// `_` as the separator. Returns false if it is damaged.
bool append_punycode(std::string& to, std::string_view stored);

} // namespace etl::symbols
