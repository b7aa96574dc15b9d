// Names and texts of manifests as pieces of C++ that they cannot break out of. Private to
// authoring.
#pragma once

#include "authoring/unique_names.hpp"

#include <string>
#include <string_view>

namespace etl::authoring {

/// "CupFinished", "CUP_FINISHED" and "cup finished" as `cup_finished`; empty: no letter or digit of
/// ASCII is in it. What C++ or C libraries have taken gets a `_` behind it.
std::string snake_name(std::string_view text);

/// `CupFinished`.
std::string pascal_name(std::string_view text);

/// True for `a`, `a::b`: names that can stand behind `namespace`.
bool is_name_space(std::string_view text) noexcept;

/// One line of printable UTF-8 in quotes, for the end of a comment: whatever it holds, the line
/// does not end in a backslash.
std::string comment_text(std::string_view text);

/// Whether C++, C libraries, or windows.h use this name in lower case.
bool is_reserved_word(std::string_view name) noexcept;

/// A string literal of printable ASCII.
std::string string_literal(std::string_view text);

/// Identifiers of one scope.
class CppScope {
public:
    /// Nothing that is taken later is called so.
    void reserve(std::string_view name) { names_.take(name); }

    /// `wished`, or where that is empty `instead`, or the first of `wished_2`, `wished_3` ... that
    /// is free.
    std::string take(std::string_view wished, std::string_view instead) {
        std::string_view stem = wished.empty() ? instead : wished;
        if (stem.ends_with('_')) { // taken by C++; `class__2` would be the compiler's
            if (names_.take(stem)) {
                return std::string(stem);
            }
            stem.remove_suffix(1);
            names_.take(stem);
        }
        return names_.take_identifier(stem);
    }

private:
    UniqueNames names_;
};

} // namespace etl::authoring
