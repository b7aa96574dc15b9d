// Output files: standard output, and files that appear under their name only when complete. Not
// thread-safe.
#pragma once

#include <etl/error.hpp>

#include "base/output.hpp"
#include "base/readable_text.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace etl::io {

/// Writes to standard output, binary and unbuffered; on a terminal escaped (VisibleText), since
/// values of a trace may control it. A closed pipe is not an error: closed()
/// becomes true and further bytes are dropped. The program must ignore SIGPIPE
/// (ignore_closed_pipes).
class StandardOutput final : public Output {
public:
    enum class Content : std::uint8_t {
        any,
        for_terminals, // has colors, and values are escaped already
    };

    explicit StandardOutput(Content content = Content::any);
    StandardOutput(const StandardOutput&) = delete;
    StandardOutput& operator=(const StandardOutput&) = delete;
    ~StandardOutput() override;

    /// Errors: io_failure.
    Result<void> write(std::string_view bytes) override;

    /// Returns whether the reader has closed the pipe, even if nothing was written since.
    bool closed() const noexcept;

private:
    Result<void> write_as_is(std::string_view bytes);

    bool closed_ = false;
    std::optional<VisibleText> visible_; // of a terminal
};

/// Ignores SIGPIPE, so that the program continues if the reader of its output exits. Call once in
/// main().
void ignore_closed_pipes() noexcept;

/// Ignores SIGXFSZ, so that writing beyond the file size limit (RLIMIT_FSIZE) is an io_failure
/// instead of ending the program. Call once in main().
void ignore_file_size_signal() noexcept;

/// Writes to a temporary file next to `path`, like AtomicFiles (see writable_file.hpp for the
/// attributes that a replaced file keeps). commit() syncs it and moves it to its name atomically;
/// destruction without commit() removes it. A `path` that is a device or pipe is written directly.
class AtomicFile final : public Output {
public:
    /// Errors: not_found (the directory), io_failure.
    static Result<std::unique_ptr<AtomicFile>> create(const std::string& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile() override;

    /// Errors: io_failure.
    Result<void> write(std::string_view bytes) override;
    /// Completes the file; nothing may be written afterwards. Errors: io_failure; the first failure
    /// of write, if any, in which case no file appears.
    Result<void> commit();

private:
    struct State;
    explicit AtomicFile(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

/// Properties of a terminal on a standard stream.
struct Terminal {
    bool interactive = false;
    int columns = 80;
};

Terminal standard_error_terminal() noexcept;
Terminal standard_output_terminal() noexcept;
bool standard_input_is_terminal() noexcept;
bool standard_output_is_terminal() noexcept;

/// Returns the offset of local time from UTC in minutes at `unix_seconds`; 0 if unknown.
int local_offset_minutes(std::int64_t unix_seconds) noexcept;

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
