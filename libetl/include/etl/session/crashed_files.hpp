// Files that a session with mapped buffers left when its process was killed.
// docs/sessions.md#crash
#pragma once

#include <etl/session/status.hpp>

#include <string>
#include <vector>

namespace etl::session {

/// A file that has a new name.
struct MovedFile {
    std::string from, to;
};

/// Moves the files of a killed session aside, so that a session can write `file` again: if
/// `file`.buffers exists and no process uses it, `file` becomes `file`.crashed-N, with the first N
/// that is free, and `file`.buffers becomes `file`.crashed-N.buffers, where `etl repair` finds it.
/// For a series (`%d`), all of its files become FILE.crashed-N; the buffers belong to the one that
/// was written last. Nothing is replaced. Returns the files in this order: the one to repair first,
/// its buffers last; empty: no session was killed. Errors: bad_pathname (a session of another
/// process, or of this one, uses the buffers or the file), those of renaming a file: the files
/// moved before it remain moved.
Outcome<std::vector<MovedFile>> move_crashed_files(const std::string& file);

} // namespace etl::session
