// Counts the threads of a process: stands in front of pthread_create.
#include "tests/unit/faces/capi/thread_count.hpp"

#include "tests/support/sanitizers.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#if defined(__linux__) && !defined(ETL_REPLACING_SANITIZER)

#include <dlfcn.h>
#include <pthread.h>

namespace {

std::atomic<unsigned> running{0}, most{0};

struct Start {
    void* (*routine)(void*);
    void* argument;
};

void* run(void* given) {
    const std::unique_ptr<Start> start(static_cast<Start*>(given));
    void* const result = start->routine(start->argument);
    --running;
    return result;
}

} // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*routine)(void*), void* argument) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    auto start = std::make_unique<Start>(Start{routine, argument});
    const unsigned now = ++running;
    for (unsigned known = most; known < now && !most.compare_exchange_weak(known, now);) {
    }
    const int outcome = create(thread, attributes, run, start.get());
    if (outcome == 0) {
        [[maybe_unused]] Start* const taken = start.release();
    } else {
        --running;
    }
    return outcome;
}

namespace etl::test {

bool can_count_threads() noexcept {
    return true;
}

void start_counting_threads() noexcept {
    most = running.load();
}

unsigned most_threads() noexcept {
    return most;
}

} // namespace etl::test

#else

namespace etl::test {

bool can_count_threads() noexcept {
    return false;
}

void start_counting_threads() noexcept {}

unsigned most_threads() noexcept {
    return 0;
}

} // namespace etl::test

#endif
