// Files that a session with mapped buffers left when its process was killed.
// docs/sessions.md#crash
#pragma once

#include <etl/session.hpp>

#include "repair/repair.hpp"

#include <optional>
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

/// What has become of the files of a killed session.
struct CrashedFiles {
    std::vector<MovedFile> moved; // as move_crashed_files, without what was removed
    std::string repaired;         // a new trace of what they contained; empty: none
    repair::Report report;        // of it
    std::optional<Error> failure; // why there is none; the files are at their new names
};

/// Does what AfterCrash says; nothing with AfterCrash::refuse. With AfterCrash::repair, the pair of
/// FILE.crashed-N and its buffers is repaired as FILE.repaired-N (repair/repair.hpp), and
/// removed if everything in it was recovered and is known to be of one session
/// (Report::is_complete, LiveReport::is_identified). A repair
/// that fails, for example because the disk is full, is no error: the files have been moved.
/// Errors: those of move_crashed_files.
Outcome<CrashedFiles> clear_crashed_files(const std::string& file, AfterCrash how);

} // namespace etl::session
