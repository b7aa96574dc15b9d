// What must happen around fork(), on systems that have it. docs/session-internals.md#fork
#pragma once

namespace etl::host {

/// While it lives it is told of every fork of this process: before it (in the thread that forks),
/// and after it in both processes. Objects are told in the order they were made, in the parent and
/// the child in reverse. Only the thread that forks lives on in the child.
class ForkWatch {
public:
    ForkWatch();
    ForkWatch(const ForkWatch&) = delete;
    ForkWatch& operator=(const ForkWatch&) = delete;

    virtual ~ForkWatch() { leave(); }

    virtual void before_fork() noexcept = 0;
    virtual void in_parent() noexcept = 0;
    virtual void in_child() noexcept = 0;

private:
    void leave() noexcept;
};

} // namespace etl::host
