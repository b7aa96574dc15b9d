// Where a verb writes: standard output, or a file that appears when complete. One thread.
#pragma once

#include "cli/exit_code.hpp"
#include "io/output_file.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace cli {

/// `-` is standard output. Without commit() or finish(), no file appears. Ask an OutputGuard first.
class Destination {
public:
    explicit Destination(std::string path) : path_(std::move(path)) {}

    /// Prints why a file cannot be written; false then.
    bool open();

    etl::Output& output() noexcept {
        return file_ ? static_cast<etl::Output&>(*file_) : standard_output_;
    }

    /// Whether the reader of standard output is gone.
    bool is_closed() const noexcept { return file_ == nullptr && standard_output_.closed(); }

    /// Prints an error of output().
    void report(const etl::Error& error) const;

    /// Completes the file. Prints why that fails.
    ExitCode commit();

    /// Completes the file after work that ended with `exit`, unless that failed. Returns `exit`, or
    /// failed if the file cannot be completed.
    ExitCode finish(ExitCode exit);

private:
    std::string path_;
    std::unique_ptr<etl::io::AtomicFile> file_; // null: standard output
    etl::io::StandardOutput standard_output_;
};

// Output of text that is complete in memory. One thread.

/// Writes to standard output. A closed pipe is a success.
ExitCode print(std::string_view text);

/// Writes a file that appears when complete; `-` is standard output. Prints errors. Ask an
/// OutputGuard first.
ExitCode write_file(const std::string& path, std::string_view text);

} // namespace cli
