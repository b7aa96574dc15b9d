// What tests must know of the sanitizer that they run under.
#pragma once

// g++ defines macros, clang has features.
#if defined(__SANITIZE_ADDRESS__)
#define ETL_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define ETL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ETL_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define ETL_THREAD_SANITIZER 1
#endif
#endif

// These replace functions of the C library, such as pthread_create, which tests must then leave
// alone.
#if defined(ETL_ADDRESS_SANITIZER) || defined(ETL_THREAD_SANITIZER)
#define ETL_REPLACING_SANITIZER 1
#endif

#ifdef ETL_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

namespace etl::test {

/// Freed memory is kept for a while: sizes of the process say nothing.
#ifdef ETL_ADDRESS_SANITIZER
constexpr bool keeps_freed_memory = true;
#else
constexpr bool keeps_freed_memory = false;
#endif

/// ThreadSanitizer ends a child that starts a thread.
constexpr bool can_start_threads_in_child() {
#ifdef ETL_THREAD_SANITIZER
    return false;
#else
    return true;
#endif
}

/// Races that a test makes on purpose, as a hostile program would, are no findings.
#ifdef ETL_THREAD_SANITIZER
constexpr bool reports_races = true;
#else
constexpr bool reports_races = false;
#endif

/// What is allocated while it lives may be left alone for ever.
class LeaksOnPurpose {
public:
#ifdef ETL_ADDRESS_SANITIZER
    LeaksOnPurpose() noexcept { __lsan_disable(); }

    LeaksOnPurpose(const LeaksOnPurpose&) = delete;
    LeaksOnPurpose& operator=(const LeaksOnPurpose&) = delete;

    ~LeaksOnPurpose() { __lsan_enable(); }
#else
    LeaksOnPurpose() noexcept {} // not trivial: a variable of it is used
#endif
};

} // namespace etl::test
