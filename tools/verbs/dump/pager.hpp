// Standard output through the user's pager, if input and output are terminals.
// docs/output.md#terminal
#pragma once

#include "base/output.hpp"

#include <memory>

namespace cli {

/// While it exists, the pager handles Ctrl-C. One thread.
class Pager final : public etl::Output {
public:
    /// Starts the program that PAGER names, else less or more. Null if standard input or output is
    /// not a terminal, PAGER is empty or `cat`, or the program does not exist; a missing PAGER
    /// program is reported.
    static std::unique_ptr<Pager> start();
    Pager(const Pager&) = delete;
    Pager& operator=(const Pager&) = delete;
    /// Waits until the user quits it.
    ~Pager() override;

    /// After the user has quit, bytes are dropped. Errors: io_failure.
    etl::Result<void> write(std::string_view bytes) override;

    /// Whether the user has quit.
    bool closed() const noexcept { return closed_; }

private:
    struct Process;

    explicit Pager(std::unique_ptr<Process> process);

    std::unique_ptr<Process> process_;
    bool closed_ = false;
};

} // namespace cli
