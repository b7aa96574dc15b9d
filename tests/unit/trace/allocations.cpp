#include "allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

#if defined(__SANITIZE_THREAD__)
#define ETL_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ETL_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef ETL_COUNTS_ALLOCATIONS
#define ETL_COUNTS_ALLOCATIONS 1
#endif

namespace etl::test {

namespace {

std::atomic<std::size_t> count = 0;
std::atomic<std::size_t> live = 0;
std::atomic<std::size_t> peak = 0;
std::atomic<std::size_t> most_at_once = ~std::size_t{0};

[[maybe_unused]] void* take(std::size_t size) {
    void* memory = size > most_at_once ? nullptr : std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    ++count;
    const std::size_t now = live += malloc_usable_size(memory);
    std::size_t most = peak;
    while (now > most && !peak.compare_exchange_weak(most, now)) {
    }
    return memory;
}

[[maybe_unused]] void give_back(void* memory) noexcept {
    if (memory != nullptr) {
        live -= malloc_usable_size(memory);
        std::free(memory);
    }
}

} // namespace

bool can_count_allocations() noexcept {
    return ETL_COUNTS_ALLOCATIONS == 1;
}

Allocations allocations() noexcept {
    return {count, live, peak};
}

void reset_peak() noexcept {
    peak = live.load();
}

AllocationLimit::AllocationLimit(std::size_t most) noexcept {
    most_at_once = most;
}

AllocationLimit::~AllocationLimit() {
    most_at_once = ~std::size_t{0};
}

} // namespace etl::test

#if ETL_COUNTS_ALLOCATIONS
void* operator new(std::size_t size) {
    return etl::test::take(size);
}

void* operator new[](std::size_t size) {
    return etl::test::take(size);
}

void operator delete(void* memory) noexcept {
    etl::test::give_back(memory);
}

void operator delete[](void* memory) noexcept {
    etl::test::give_back(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    etl::test::give_back(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
    etl::test::give_back(memory);
}
#endif
