// For tests of what asks for no memory: counting_new.cpp must be among their sources.
#pragma once

#include <cstddef>

namespace etl::test {

/// How often the program has asked for memory so far.
std::size_t allocations();

/// While it lives the nth request for memory of this thread fails.
class FailingNew {
public:
    explicit FailingNew(unsigned nth);
    FailingNew(const FailingNew&) = delete;
    FailingNew& operator=(const FailingNew&) = delete;
    ~FailingNew();

    bool has_failed() const;
};

} // namespace etl::test
