// The threads that the program has started and that have not ended, at most at one time.
#pragma once

namespace etl::test {

/// Not on other systems, and not under sanitizers, which count threads themselves.
bool can_count_threads() noexcept;

void start_counting_threads() noexcept;

/// Since start_counting_threads().
unsigned most_threads() noexcept;

} // namespace etl::test
