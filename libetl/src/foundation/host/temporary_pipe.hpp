// TemporaryPipe: a named pipe of this user, removed with its object. POSIX systems only.
#pragma once

#include "host/descriptor.hpp"

#include <string>

namespace etl::host {

/// Has a reader as long as it exists: what another process writes before it is read waits in it.
class TemporaryPipe {
public:
    /// Creates the pipe, in the directory for temporary files.
    TemporaryPipe();
    TemporaryPipe(const TemporaryPipe&) = delete;
    TemporaryPipe& operator=(const TemporaryPipe&) = delete;
    ~TemporaryPipe();

    const std::string& path() const noexcept { return path_; }

    /// False: it could not be created.
    bool is_open() const noexcept { return static_cast<bool>(reader_); }

private:
    std::string path_;
    Descriptor reader_;
};

} // namespace etl::host
