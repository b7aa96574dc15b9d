#include "io/input_file.hpp"
#include "io/system/posix_files.hpp"

#include <cerrno>
#include <csignal>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

namespace etl::io {

namespace {

// A signal handler has nothing but globals. All are constant-initialized.
constinit std::atomic<MappedRange*> ranges{nullptr};
constinit std::atomic<std::uintptr_t> page_size{4096};
constinit std::mutex guards_mutex;
constinit int guards = 0;
constinit struct sigaction handler_before{};

static_assert(std::atomic<MappedRange*>::is_always_lock_free &&
              std::atomic<std::uintptr_t>::is_always_lock_free);

/// Puts zeros behind what can still be read of the mapping around `address`. False: there is none.
bool replace_lost_pages(std::uintptr_t address) noexcept {
    for (MappedRange* range = ranges.load(); range != nullptr; range = range->next) {
        const std::uint64_t version = range->version.load();
        const std::uintptr_t begin = range->begin.load();
        const std::uintptr_t end = range->end.load();
        const bool is_changing = version % 2 != 0 || range->version.load() != version;
        if (is_changing || address < begin || address >= end) {
            continue; // the mapping that is being read does not change
        }
        const std::uintptr_t page = address - address % page_size.load();
        // The address of a signal is a number before it is a pointer.
        void* const at = reinterpret_cast<void*>(page); // NOLINT(*-reinterpret-cast,*-int-to-ptr)
        if (::mmap(at, end - page, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
            MAP_FAILED) {
            return false;
        }
        std::uint64_t readable = range->readable.load();
        while (page - begin < readable &&
               !range->readable.compare_exchange_weak(readable, page - begin)) {
        }
        return true;
    }
    return false;
}

/// What would have happened without us.
void pass_on(int signal, siginfo_t* info, void* context) noexcept {
    if ((handler_before.sa_flags & SA_SIGINFO) != 0) {
        handler_before.sa_sigaction(signal, info, context);
    } else if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN) {
        handler_before.sa_handler(signal);
    } else {
        ::signal(signal, SIG_DFL);
        ::raise(signal); // comes when the handler has returned
    }
}

void on_bus_error(int signal, siginfo_t* info, void* context) noexcept {
    const int error = errno;
    // NOLINTNEXTLINE(*-reinterpret-cast)
    if (!replace_lost_pages(reinterpret_cast<std::uintptr_t>(info->si_addr))) {
        pass_on(signal, info, context);
    }
    errno = error;
}

void set(MappedRange& range, std::uintptr_t begin, std::uintptr_t end) noexcept {
    ++range.version;
    range.begin = begin;
    range.end = end;
    ++range.version;
}

/// One that nobody uses, or a new one; null when there is no memory.
MappedRange* take_range() noexcept {
    for (MappedRange* range = ranges.load(); range != nullptr; range = range->next) {
        if (!range->is_taken.exchange(true)) {
            return range;
        }
    }
    auto* const made = new (std::nothrow) MappedRange;
    if (made != nullptr) {
        made->is_taken = true;
        made->next = ranges.load();
        while (!ranges.compare_exchange_weak(made->next, made)) {
        }
    }
    return made;
}

} // namespace

MappedRange* enter_mapping(Bytes bytes) noexcept {
    MappedRange* const range = take_range();
    if (range != nullptr) {
        const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()); // NOLINT(*-cast)
        range->readable = bytes.size();
        set(*range, begin, begin + bytes.size());
    }
    return range;
}

void leave_mapping(MappedRange* range) noexcept {
    if (range != nullptr) {
        set(*range, 0, 0);
        range->is_taken = false;
    }
}

MappingGuard::MappingGuard() noexcept {
    const std::scoped_lock lock(guards_mutex);
    if (guards++ == 0) {
        page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction handler{};
        handler.sa_sigaction = on_bus_error;
        handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&handler.sa_mask);
        ::sigaction(SIGBUS, &handler, &handler_before);
    }
}

MappingGuard::~MappingGuard() {
    const std::scoped_lock lock(guards_mutex);
    if (--guards == 0) {
        ::sigaction(SIGBUS, &handler_before, nullptr);
    }
}

} // namespace etl::io
