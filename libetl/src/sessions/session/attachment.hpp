// Attachment: makes the registrations of a runtime visible to the sessions of the machine, which
// other processes control (docs/machine-sessions.md).
//     etl::session::Runtime runtime;
//     const auto attached = etl::session::attach(runtime); // keep it: it is the link
#pragma once

#include "session/runtime.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace etl::session {

struct AttachOptions {
    /// Directory of the host; empty: as described in docs/machine-sessions.md#places.
    std::string directory{};
    /// Maximum time to wait for an answer of a host that runs: to the connection and to
    /// registrations, so that the first event after them is recorded. It answers within
    /// microseconds unless the machine is very busy. A host that lets the time pass is not waited
    /// for again until it has answered.
    std::chrono::milliseconds wait{3000};
    /// Attaches the children of a fork, too, each with a thread of its own. Otherwise they are not
    /// attached.
    bool with_children = false;
};

/// From construction to destruction, machine sessions can enable the providers of the runtime, also
/// if their host starts later, or ends and starts again. Has one thread, which waits. The runtime
/// must outlive it.
class [[nodiscard]] Attachment {
public:
    class State;

    explicit Attachment(std::unique_ptr<State> state) noexcept;
    Attachment(Attachment&&) noexcept;
    Attachment& operator=(Attachment&&) noexcept;
    /// Removes the registrations from all machine sessions.
    ~Attachment();

    /// Returns whether a host knows the registrations now.
    bool is_linked() const noexcept;

    /// Returns why the host that runs does not serve this process; nothing if it does, or if none
    /// runs: not_supported (another version of the library), no_system_resources (too many programs
    /// of the user), access_denied (the host of another user), timeout (it does not answer). Except
    /// for the version, the process tries again, at most every 5 s.
    std::optional<Failure> refusal() const;

private:
    std::unique_ptr<State> state_;
};

/// Attaches a runtime; one attachment per runtime. Errors: not_supported (no machine sessions on
/// this system, or ETL_HOST is `none`), access_denied (the directory cannot be created, or belongs
/// to another user). Keep the result: machine sessions record the process as long as it lives.
[[nodiscard]] Outcome<Attachment> attach(Runtime& runtime, const AttachOptions& options = {});

} // namespace etl::session
