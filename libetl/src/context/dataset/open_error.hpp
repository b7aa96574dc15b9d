// Why something that a person names cannot be opened, read, or written.
#pragma once

#include "base/result.hpp"

#include <string>

namespace etl::dataset {

/// An error and its subject: a path or the name of an option; empty: the work as a whole.
struct OpenError : Error {
    std::string about;
    std::string detail{}; // message used instead of the code's text; may be empty
};

/// Returns "trace.etl: not found: ...". An error in an expression takes several lines.
std::string describe(const OpenError& error);

} // namespace etl::dataset
