// Files to write: standard output, and files that appear under their name only when complete. One
// thread.
#pragma once

#include <etl/base/output.hpp>
#include <etl/base/result.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace etl::io {

/// Writes to standard output, binary and unbuffered. A closed pipe is not an error: closed() turns
/// true and further bytes are dropped. The program must ignore SIGPIPE (ignore_closed_pipes).
class StandardOutput final : public Output {
public:
    StandardOutput();
    /// Errors: io_failure.
    Result<void> write(std::string_view bytes) override;

    /// Whether the reader of the pipe is gone, even if nothing was written since.
    bool closed() const noexcept;

private:
    bool closed_ = false;
};

/// Makes the program live on when the reader of its output goes away. For main(), once.
void ignore_closed_pipes() noexcept;

/// Makes writing beyond the limit that the system sets for files (RLIMIT_FSIZE) an io_failure
/// instead of the program's end. For main(), once.
void ignore_file_size_signal() noexcept;

/// Writes to a temporary file beside `path`, as AtomicFiles do (writable_file.hpp says what a file
/// that is replaced keeps); commit() puts it under its name in one step (and syncs it); destruction
/// without commit leaves nothing behind. A `path` that is a device or a pipe is written to
/// directly.
class AtomicFile final : public Output {
public:
    /// Errors: not_found (the folder), io_failure.
    static Result<std::unique_ptr<AtomicFile>> create(const std::string& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile() override;

    /// Errors: io_failure.
    Result<void> write(std::string_view bytes) override;
    /// Nothing may be written after it. Errors: io_failure; the first failure of write, if there
    /// was one, and then nothing appears.
    Result<void> commit();

private:
    struct State;
    explicit AtomicFile(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

/// What a terminal on a standard stream offers.
struct Terminal {
    bool interactive = false;
    int columns = 80;
};

Terminal standard_error_terminal() noexcept;
Terminal standard_output_terminal() noexcept;
bool standard_input_is_terminal() noexcept;
bool standard_output_is_terminal() noexcept;

/// Minutes to add to UTC for local time at `unix_seconds`; 0 when the system does not know.
int local_offset_minutes(std::int64_t unix_seconds) noexcept;

} // namespace etl::io
