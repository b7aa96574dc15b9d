// Files that one process opens and another one writes, over passed descriptors: the rights are
// those of the process that opened them. POSIX systems only; elsewhere every call fails
// (unsupported).
#pragma once

#include "io/writable_file.hpp"

#include <mutex>
#include <string>
#include <vector>

namespace etl::io {

/// A descriptor to be passed. The caller closes it.
struct OpenedForPassing {
    int descriptor = -1;
    bool is_new = false; // the file did not exist before
};

/// Opens a file as disk() does, but keeps its content and does not lock it: the process that writes
/// it does both. Errors: not_found (the directory), io_failure.
Result<OpenedForPassing> open_file_to_pass(const std::string& path);

/// Opens the directory of a file, for files that are opened later. Errors: not_found, io_failure.
Result<OpenedForPassing> open_directory_to_pass(const std::string& path);

/// The files of a writer that opens none by path. A file is opened once; a directory any number of
/// times, for the names in it that are not symbolic links. Files are locked as by disk(). A pipe or
/// a terminal is opened anew (Linux only), and a write to it fails when nothing was read for 1 s; a
/// socket is not supported. open() fails with io_failure (access denied) if nothing was passed for
/// the path. Thread-safe.
class PassedFiles final : public FileFactory {
public:
    PassedFiles() = default;
    ~PassedFiles() override;

    /// Take ownership of the descriptor. `path` is a name only, as the other process knows it.
    void add_file(const std::string& path, OpenedForPassing file);
    void add_directory_of(const std::string& path, int descriptor);
    /// The other process could not open it.
    void add_failure(const std::string& path, const Error& error);

    /// Closes what is not needed to continue with `path`: all but its directory.
    void keep_only(const std::string& path);

    Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) override;
    /// Errors: those of FileFactory; unsupported for a passed file, which the other process
    /// removes.
    Result<void> remove(const std::string& path) override;

private:
    struct Entry {
        std::string path; // of a directory: with the `/` at its end
        bool is_directory = false;
        OpenedForPassing opened; // no descriptor: could not be opened
        Error error;
    };

    Entry* find(const std::string& path);
    void add(Entry entry);

    std::mutex mutex_;
    std::vector<Entry> entries_;
};

} // namespace etl::io
