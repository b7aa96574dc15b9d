// Counts what the program allocates. By itself: seen together, the compiler takes these for a
// mismatch.
#include "tests/support/counting_new.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> count = 0;
constexpr unsigned none_fails = 0;
thread_local unsigned until_failure = none_fails;

void* counted(std::size_t size) {
    ++count;
    const bool fails = until_failure != none_fails && --until_failure == 0;
    void* memory = fails ? nullptr : std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

} // namespace

void* operator new(std::size_t size) {
    return counted(size);
}

void* operator new[](std::size_t size) {
    return counted(size);
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete[](void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace etl::test {

std::size_t allocations() {
    return count;
}

FailingNew::FailingNew(unsigned nth) {
    until_failure = nth;
}

FailingNew::~FailingNew() {
    until_failure = none_fails;
}

bool FailingNew::has_failed() const {
    return until_failure == none_fails;
}

} // namespace etl::test
