// An output file for libraries that open paths themselves.
#pragma once

#include <etl/base/result.hpp>
#include <etl/io/find_files.hpp>

#include <memory>
#include <optional>
#include <string>

namespace etl::io {

/// A new, empty file beside its target, with a hidden name that nobody could foresee and that is
/// never an existing file or link. Its rights are those of an AtomicFile. Whoever may write to the
/// directory can still put something else in its place: open it without following links; commit()
/// then fails. Destruction without commit() removes it. Not thread-safe.
class StagedFile {
public:
    /// Errors: not_found (the directory), io_failure.
    static Result<std::unique_ptr<StagedFile>> beside(const std::string& target);
    StagedFile(const StagedFile&) = delete;
    StagedFile& operator=(const StagedFile&) = delete;
    ~StagedFile();

    /// Absolute, and without links.
    const std::string& path() const noexcept { return path_; }

    /// Syncs the file, which must be closed, and moves it to its target, which it replaces. Errors:
    /// io_failure; malformed: something else has its name.
    Result<void> commit();

private:
    struct State;
    explicit StagedFile(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
    std::string path_;
    std::optional<FileId> id_;
};

} // namespace etl::io
