// Readable forms of the names that compilers for Windows store in symbol files and export tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace etl::symbols {

/// The parts of a demangled name to write. By default all of them.
struct DemangleStyle {
    /// `public: `
    bool access = true;
    /// `static `, `virtual `, `extern "C" `
    bool member_kind = true;
    /// `__cdecl ` of the symbol itself; function types keep theirs.
    bool calling_convention = true;
    /// The type that a function returns.
    bool return_type = true;
    /// The type of a variable.
    bool variable_type = true;
    /// The parameters of a function, with the qualifiers after them.
    bool parameters = true;
    /// `class `, `struct `, `union `, `enum ` before the names of types.
    bool tags = true;
};

/// The style of the procedure names in a PDB: qualified names with template arguments only.
inline constexpr DemangleStyle name_style{.access = false,
                                          .member_kind = false,
                                          .calling_convention = false,
                                          .return_type = false,
                                          .variable_type = false,
                                          .parameters = false,
                                          .tags = false};

/// Returns the readable form of a decorated name of MSVC (`?f@@YAXXZ`, and `.?AVS@@` of a type
/// descriptor) or of Rust (`_ZN...17h...E`, `_R...`). A decorated name that was replaced by its
/// hash
/// (`??@...@`) is returned as it is. A suffix that a compiler added (`.cold`) follows in brackets.
///
/// Functions, variables, and types within the name, such as the scope of a local static, are always
/// written with all parts. Bytes of identifiers are not changed; those of string literals are
/// escaped.
///
/// Empty if the text is not a decorated name, is damaged, or exceeds the limits of depth and size.
/// Thread-safe.
std::optional<std::string> demangle(std::string_view decorated, const DemangleStyle& style = {});

/// Returns a C name of 32-bit code without the decoration of its calling convention: `_name`,
/// `_name@8`, `@name@8`, `name@@8`, and `#name` of ARM64EC. Any other text is returned unchanged.
/// A part of the argument. The caller must know that the image is for such a processor: on others a
/// leading underscore belongs to the name.
std::string_view strip_c_decoration(std::string_view name) noexcept;

} // namespace etl::symbols
