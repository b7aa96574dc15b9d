// OpenedFile: the file that a request names, opened by the controller and passed to the host, which
// opens none by path. docs/machine-sessions-internals.md#files
#pragma once

#include "host/descriptor.hpp"
#include "io/passed_files.hpp"
#include "machine/protocol/requests.hpp"

#include <string>

namespace etl::machine {

/// Returns an absolute path; the empty one stays empty.
std::string absolute(const std::string& file);

/// Returns whether a session with this mode opens the file of the request if it executes it. For
/// both sides.
bool needs_file(const Request& request, std::uint32_t mode);

// The controller.

class OpenedFile {
public:
    /// None.
    OpenedFile() = default;

    /// Opens the file, or for a series its directory. A failure is passed to the host, which checks
    /// other things first.
    static OpenedFile open(const std::string& path, bool is_series);

    void describe_in(Request& request) const;

    /// -1: none.
    int descriptor() const noexcept { return descriptor_.number(); }

    /// The host has refused the request: closes the file, and removes one that open() created
    /// unless another session has opened it since.
    void remove_if_new();

private:
    std::string path_;
    host::Descriptor descriptor_;
    Passing passing_ = Passing::nothing;
    Error error_;
};

// The host.

/// Adds what a controller passed for the file `path`.
void add_passed(io::PassedFiles& to, const std::string& path, const Request& request,
                host::Descriptor descriptor);

} // namespace etl::machine
