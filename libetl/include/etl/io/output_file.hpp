// Files to write: standard output, and files that appear under their name only when complete. One thread.
#pragma once

#include <etl/base/output.hpp>
#include <etl/base/result.hpp>

#include <memory>
#include <string>

namespace etl::io {

/// Writes to standard output, binary. A closed pipe is not an error: closed() turns true and further bytes are
/// dropped.
class StandardOutput final : public Output {
public:
    StandardOutput();
    Result<void> write(std::string_view bytes) override;

    bool closed() const noexcept { return closed_; }

private:
    bool closed_ = false;
};

/// Writes to a temporary file beside `path`; commit() puts it under its name in one step (and syncs it);
/// destruction without commit leaves nothing behind.
class AtomicFile final : public Output {
public:
    static Result<std::unique_ptr<AtomicFile>> create(const std::string& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile() override;

    Result<void> write(std::string_view bytes) override;
    Result<void> commit();

private:
    AtomicFile(std::string path, std::string temporary, int handle);

    std::string path_;
    std::string temporary_;
    int handle_;
};

/// What a terminal on standard error offers.
struct Terminal {
    bool interactive = false;
    int columns = 80;
};

Terminal standard_error_terminal() noexcept;
bool standard_output_is_terminal() noexcept;

/// Minutes to add to UTC for local time at `unix_seconds`.
int local_offset_minutes(std::int64_t unix_seconds) noexcept;

} // namespace etl::io
