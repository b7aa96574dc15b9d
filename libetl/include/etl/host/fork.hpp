// What must happen around fork(), on systems that have it. docs/session-internals.md#fork
#pragma once

namespace etl::host {

/// From watch() to end_watch() it is told of every fork of this process: before it (in the thread
/// that forks), and after it in both processes. Objects are told in the order in which they began
/// to watch, in the parent and the child in reverse. Only the thread that forks lives on in the
/// child.
class ForkWatch {
public:
    ForkWatch() = default;
    ForkWatch(const ForkWatch&) = delete;
    ForkWatch& operator=(const ForkWatch&) = delete;
    virtual ~ForkWatch() = default;

    virtual void before_fork() noexcept = 0;
    virtual void in_parent() noexcept = 0;
    virtual void in_child() noexcept = 0;

protected:
    /// The last thing in the constructor of a final class: another thread may fork at once.
    void watch();

    /// The first thing in its destructor. Waits for a fork that is under way.
    void end_watch() noexcept;
};

} // namespace etl::host
