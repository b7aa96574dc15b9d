// What becomes of a program that reads a mapped file while somebody truncates it.
// docs/decisions/0010-mapped-files-that-shrink.md
#pragma once

namespace etl::io {

/// While one exists, parts of a mapped InputFile that the system can no longer read (the file was
/// truncated, the disk failed) read as zeros, and InputFile::intact_size() says where they begin.
/// Without one, the system ends the process with SIGBUS. It installs a handler for that signal in
/// the whole process, which passes on what does not concern an InputFile: so only a program may
/// decide to have one, as `etl` does; the library never makes one. On Windows, where a mapped file
/// cannot be truncated, it does nothing. Any thread may make one; they nest.
class MappingGuard {
public:
    MappingGuard() noexcept;
    MappingGuard(const MappingGuard&) = delete;
    MappingGuard& operator=(const MappingGuard&) = delete;
    ~MappingGuard();
};

} // namespace etl::io
