// Counts what operator new gives in this program, of all threads, and can make it fail.
// counting_new.cpp must be among the sources of the test.
#pragma once

#include <cstddef>

namespace etl::test {

struct Allocations {
    std::size_t count = 0; // calls so far
    std::size_t live = 0;  // bytes held now
    std::size_t peak = 0;  // most bytes held at once since reset_peak
};

/// False under the thread sanitizer, which brings an operator new of its own: nothing is counted
/// and nothing fails then.
bool can_count_allocations() noexcept;

Allocations allocations() noexcept;
void reset_peak() noexcept;

/// As long as it lives, whoever asks for more than `most` bytes at once gets std::bad_alloc. One at
/// a time.
class AllocationLimit {
public:
    explicit AllocationLimit(std::size_t most) noexcept;
    AllocationLimit(const AllocationLimit&) = delete;
    AllocationLimit& operator=(const AllocationLimit&) = delete;
    ~AllocationLimit();
};

/// While it lives the nth request for memory of this thread fails.
class FailingNew {
public:
    explicit FailingNew(unsigned nth) noexcept;
    FailingNew(const FailingNew&) = delete;
    FailingNew& operator=(const FailingNew&) = delete;
    ~FailingNew();

    bool has_failed() const noexcept;
};

} // namespace etl::test
