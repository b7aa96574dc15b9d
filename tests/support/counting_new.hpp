// For tests of what asks for no memory: counting_new.cpp must be among their sources.
#pragma once

#include <cstddef>

namespace etl::test {

/// How often the program has asked for memory so far.
std::size_t allocations();

} // namespace etl::test
