// Standard output through the user's pager, when a person sits at both ends.
// docs/output.md#terminal
#pragma once

#include <etl/base/output.hpp>

#include <memory>

namespace cli {

/// While there is one, Ctrl-C is the pager's business. One thread.
class Pager final : public etl::Output {
public:
    /// Starts what PAGER names, else less or more. Null: standard input or output is no terminal,
    /// PAGER is empty or `cat`, or there is no such program, which is said if PAGER names it.
    static std::unique_ptr<Pager> start();
    Pager(const Pager&) = delete;
    Pager& operator=(const Pager&) = delete;
    /// Waits until the user has left it.
    ~Pager() override;

    /// After the user has left, bytes are dropped. Errors: io_failure.
    etl::Result<void> write(std::string_view bytes) override;

    /// The user has left.
    bool closed() const noexcept { return closed_; }

private:
    struct Process;

    explicit Pager(std::unique_ptr<Process> process);

    std::unique_ptr<Process> process_;
    bool closed_ = false;
};

} // namespace cli
