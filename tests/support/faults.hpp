// Faults: what a process lacks, said by another one: memory that fork shares.
#pragma once

#include <atomic>

namespace etl::test {

/// Of the threads of this process whose names begin with `etl-con`, and of its first one.
struct Faults {
    /// How many allocations succeed before one fails; negative: none fails.
    std::atomic<int> allocations{-1};
    /// The same of threads.
    std::atomic<int> threads{-1};
};

/// Makes the faults of this process those of `faults`, which outlives it.
void suffer(Faults& faults) noexcept;

/// False: a sanitizer has functions of its own in these places.
bool can_suffer() noexcept;

} // namespace etl::test
