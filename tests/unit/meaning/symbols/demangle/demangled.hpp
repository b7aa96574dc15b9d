// Demangled names as plain texts, for comparison.
#pragma once

#include "symbols/demangle.hpp"

#include <string>
#include <string_view>

namespace etl::symbols {

inline std::string demangled(std::string_view decorated, const DemangleStyle& style = {}) {
    return demangle(decorated, style).value_or("damaged");
}

} // namespace etl::symbols
