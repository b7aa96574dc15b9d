// Names of headers in the form of the message compiler. Private to authoring.
#pragma once

#include "authoring/unique_names.hpp"
#include "authoring/written_notes.hpp"

#include <string>
#include <string_view>

namespace etl::authoring {

/// `text` with `_` for all but letters, digits, and `_` of ASCII, and for digits in front.
std::string mc_identifier(std::string_view text);

/// The global names of one header.
class McScope {
public:
    explicit McScope(WrittenNotes& notes) : notes_(&notes) {}

    /// Nothing that is taken later is called so.
    void reserve(std::string_view name) { names_.take(name); }

    /// `symbol`, or `derived` if that is empty, as an identifier that is free. A symbol that has to
    /// change is noted: sources do not find it.
    std::string take(std::string_view symbol, std::string_view derived);

private:
    UniqueNames names_;
    WrittenNotes* notes_;
};

} // namespace etl::authoring
