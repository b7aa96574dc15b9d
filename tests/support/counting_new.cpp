// A source of its own: where the compiler sees both, it takes these for a mismatch.
#include "tests/support/counting_new.hpp"

#include "tests/support/sanitizers.hpp"

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

#ifdef ETL_THREAD_SANITIZER
#define ETL_COUNTS_ALLOCATIONS 0
#else
#define ETL_COUNTS_ALLOCATIONS 1
#endif

namespace etl::test {

namespace {

constexpr unsigned none_fails = 0;

std::atomic<std::size_t> count = 0;
std::atomic<std::size_t> live = 0;
std::atomic<std::size_t> peak = 0;
std::atomic<std::size_t> most_at_once = ~std::size_t{0};
thread_local unsigned until_failure = none_fails;

[[maybe_unused]] void* take(std::size_t size) noexcept {
    ++count;
    const bool fails = until_failure != none_fails && --until_failure == 0;
    void* memory = fails || size > most_at_once ? nullptr : std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) {
        return nullptr;
    }
    const std::size_t now = live += malloc_usable_size(memory);
    std::size_t most = peak;
    while (now > most && !peak.compare_exchange_weak(most, now)) {
    }
    return memory;
}

[[maybe_unused]] void* must_take(std::size_t size) {
    void* memory = take(size);
    if (memory == nullptr) {
        throw std::bad_alloc();
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

FailingNew::FailingNew(unsigned nth) noexcept {
    until_failure = nth;
}

FailingNew::~FailingNew() {
    until_failure = none_fails;
}

bool FailingNew::has_failed() const noexcept {
    return until_failure == none_fails;
}

} // namespace etl::test

#if ETL_COUNTS_ALLOCATIONS
void* operator new(std::size_t size) {
    return etl::test::must_take(size);
}

void* operator new[](std::size_t size) {
    return etl::test::must_take(size);
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
    return etl::test::take(size);
}

void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
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

void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept {
    etl::test::give_back(memory);
}

void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept {
    etl::test::give_back(memory);
}
#endif
