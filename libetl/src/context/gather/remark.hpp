// What a user should know about the sources of schemas and facts. docs/schemas.md
#pragma once

#include "base/function_ref.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace etl::gather {

/// One line about an input that is not used, or only in part.
struct Remark {
    enum class Severity : std::uint8_t {
        note,      // nothing was lost
        warning,   // something was skipped
        rejection, // the input is not used
    };

    Severity severity = Severity::note;
    std::string file;       // as the user named it; empty: about no single file
    std::size_t line = 0;   // 1-based; 0: none
    std::size_t column = 0; // 1-based, in bytes; 0: none
    std::string text;
};

/// Returns `warning: FILE:LINE:COLUMN: TEXT`, without the parts that the remark lacks.
std::string describe(const Remark& remark);

/// Receives the remarks, on the calling thread.
using RemarkSink = FunctionRef<void(const Remark&)>;

} // namespace etl::gather
