// Handling of fork(), on systems that have it. docs/session-internals.md#fork
#pragma once

namespace etl::host {

/// From watch() to end_watch(), receives callbacks for every fork of this process: before the fork
/// (on the forking thread), and after it in both processes. Before the fork, objects are called in
/// the order of watch(); afterwards, in reverse order. Only the forking thread exists in the child.
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
    /// Call last in the constructor of a final class: another thread may fork immediately.
    void watch();

    /// Call first in its destructor. Waits for a fork in progress.
    void end_watch() noexcept;
};

} // namespace etl::host
