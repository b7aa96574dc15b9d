// A source of its own: where the compiler sees both, it takes these for a mismatch.
#include "tests/support/faults.hpp"

#include "tests/support/sanitizers.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifdef ETL_REPLACING_SANITIZER
#define ETL_CAN_SUFFER 0
#else
#define ETL_CAN_SUFFER 1
#endif

namespace etl::test {

namespace {

std::atomic<Faults*> faults = nullptr;

[[maybe_unused]] bool is_meant() noexcept {
    char name[16] = {};
    ::prctl(PR_GET_NAME, name);
    return ::gettid() == ::getpid() || std::strncmp(name, "etl-con", 7) == 0;
}

[[maybe_unused]] bool fails(std::atomic<int> Faults::* what) noexcept {
    Faults* const all = faults.load(std::memory_order_relaxed);
    return all != nullptr && (all->*what).load() >= 0 && is_meant() && (all->*what)-- == 0;
}

} // namespace

void suffer(Faults& these) noexcept {
    faults = &these;
}

bool can_suffer() noexcept {
    return ETL_CAN_SUFFER != 0;
}

} // namespace etl::test

#if ETL_CAN_SUFFER

// NOLINTBEGIN: replaced functions of the language and the C library
void* operator new(std::size_t size) {
    void* const memory =
        etl::test::fails(&etl::test::Faults::allocations) ? nullptr : std::malloc(size + 1);
    return memory != nullptr ? memory : throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*run)(void*),
                              void* with) {
    using Function = decltype(&pthread_create);
    static const auto next = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "pthread_create"));
    return etl::test::fails(&etl::test::Faults::threads) ? EAGAIN : next(thread, how, run, with);
}

// NOLINTEND

#endif
