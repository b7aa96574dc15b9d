#include "host/fork.hpp"
#include "host/process_facts.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <pthread.h>
#include <ranges>
#include <vector>

namespace etl::host {

namespace {

/// Those who are told. The lock is held over a fork, so that nobody comes or goes meanwhile. Never
/// destroyed: threads may fork while the program ends.
struct Watches {
    std::mutex mutex;
    std::vector<ForkWatch*> list;
};

Watches& watches() noexcept {
    alignas(Watches) static std::byte room[sizeof(Watches)];
    static Watches& made = *new (room) Watches;
    return made;
}

void before_fork() noexcept {
    watches().mutex.lock();
    for (ForkWatch* const watch : watches().list) {
        watch->before_fork();
    }
}

void in_parent() noexcept {
    for (ForkWatch* const watch : std::views::reverse(watches().list)) {
        watch->in_parent();
    }
    watches().mutex.unlock();
}

void in_child() noexcept {
    forget_kept();
    for (ForkWatch* const watch : std::views::reverse(watches().list)) {
        watch->in_child();
    }
    watches().mutex.unlock();
}

} // namespace

void install_fork_handlers() noexcept {
    static const int installed = ::pthread_atfork(before_fork, in_parent, in_child);
    static_cast<void>(installed);
}

void ForkWatch::watch() {
    install_fork_handlers();
    const std::lock_guard lock(watches().mutex);
    watches().list.push_back(this);
}

void ForkWatch::end_watch() noexcept {
    const std::lock_guard lock(watches().mutex);
    std::erase(watches().list, this);
}

} // namespace etl::host
