// What is wrong with a line of input.
#pragma once

#include <string>

namespace lines {

struct LineError {
    std::string field; // key, or path to a value: `data.Rows[3].Name`; empty: the line itself
    std::string what;
};

} // namespace lines
