// An output file for libraries that open paths themselves.
#pragma once

#include <etl/error.hpp>

#include <memory>
#include <string>

namespace etl::io {

/// A new, empty file beside its target, with an unpredictable hidden name that is never an existing
/// file or link. Its rights are those of an AtomicFile. A user who can write to the directory can
/// replace it: open it without following links, and do not create it; commit() then fails.
/// Destruction without commit() removes it. Not thread-safe.
class StagedFile {
public:
    /// Errors: not_found (the directory), io_failure; invalid_option: the target is a directory,
    /// device, or pipe.
    static Result<std::unique_ptr<StagedFile>> beside(const std::string& target);
    StagedFile(const StagedFile&) = delete;
    StagedFile& operator=(const StagedFile&) = delete;
    ~StagedFile();

    /// Absolute, and without links.
    const std::string& path() const noexcept { return path_; }

    /// Syncs the file, which the library must have closed, and moves it to its target, which it
    /// replaces. Errors: io_failure; malformed: something else has its name.
    Result<void> commit();

private:
    struct State;
    explicit StagedFile(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
    std::string path_;
};

} // namespace etl::io
