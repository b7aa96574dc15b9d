// Protection against the truncation of mapped files.
// docs/decisions/0010-mapped-files-that-shrink.md
#pragma once

namespace etl::io {

/// While a guard exists, unreadable parts of a mapped InputFile (the file was truncated, or the
/// disk failed) read as zeros, and InputFile::intact_size() returns where they begin. Without a
/// guard, the process ends with SIGBUS. The guard installs a process-wide handler for that signal,
/// which passes on signals unrelated to an InputFile. Therefore only programs create guards, as
/// `etl` does; the library never does. No effect on Windows, where a mapped file cannot be
/// truncated. Thread-safe; guards can be nested.
class MappingGuard {
public:
    MappingGuard() noexcept;
    MappingGuard(const MappingGuard&) = delete;
    MappingGuard& operator=(const MappingGuard&) = delete;
    ~MappingGuard();
};

} // namespace etl::io
