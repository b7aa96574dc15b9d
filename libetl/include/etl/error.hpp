// What ends work early, or is wrong with a file: errors, which are small values returned by calls;
// diagnostics, problems in a file that did not stop reading; and requests to stop.
#pragma once

#include <etl/bytes.hpp>
#include <etl/time.hpp>

#include <atomic>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl {

enum class ErrorCode : std::uint8_t {
    none,
    truncated,      // fewer bytes than a structure needs
    malformed,      // the bytes contradict the format
    limit,          // more than the library, the format, or the machine allows
    not_a_trace,    // the file is something else
    empty_file,     // the file is empty
    not_found,      // no such file, directory, or name
    io_failure,     // the operating system reported an error; see os_code
    unsupported,    // valid, but not supported
    invalid_option, // invalid argument or combination of options
    stopped,        // ended early, as it was asked to
};

/// An error and its location. Trivially copyable; `what` is a string literal.
struct Error {
    ErrorCode code = ErrorCode::none;
    const char* what = "";  // static text: the thing that failed
    FileOffset where{};     // offset in the file, or in the decompressed bytes
    std::uint64_t need = 0; // bytes needed, or the limit; 0 if not applicable
    std::uint64_t have = 0; // bytes available, or the value found
    int os_code = 0;        // errno or GetLastError, for io_failure
};

template <typename T>
using Result = std::expected<T, Error>;

/// Returns "truncated: buffer header at 0x48: needs 72 bytes, 10 left". One line, no newline.
std::string describe(const Error& error);

/// Returns the fixed English text of a code.
std::string_view name(ErrorCode code) noexcept;

/// An error and its subject: a path or the name of an option; empty: the work as a whole.
struct TraceError : Error {
    std::string about{};
    std::string detail{}; // message used instead of the code's text; may be empty
};

/// Returns "trace.etl: not found: ...". An error in an expression takes several lines.
std::string describe(const TraceError& error);

/// Creates an Error to return from a function with a Result.
inline std::unexpected<Error> fail(ErrorCode code, const char* what, FileOffset where = {},
                                   std::uint64_t need = 0, std::uint64_t have = 0) {
    return std::unexpected(Error{code, what, where, need, have, 0});
}

// Diagnostics.

enum class Severity : std::uint8_t {
    note,    // informational; nothing is lost
    warning, // the structure is damaged; something was lost or skipped
};

/// A backward step between two wall times.
struct TimeStep {
    Filetime from, to;
};

/// Buffers that are missing.
struct MissingNumbers {
    std::uint64_t count = 0;
    std::optional<std::int64_t> first{};      // sequence number of the first; none: unknown
    std::optional<std::uint16_t> processor{}; // none: unknown
};

/// One finding. `what` is a string literal that describes it; the numbers locate it.
struct Diagnostic {
    Severity severity = Severity::warning;
    const char* what = "";
    FileOffset where{};                    // offset of the buffer or of the skipped bytes
    std::optional<std::uint64_t> buffer{}; // number of the buffer in the file
    std::optional<std::uint32_t> offset{}; // offset in the decompressed buffer
    std::uint64_t bytes_skipped = 0;
    std::uint32_t file = 0;                  // input number
    std::optional<FileOffset> packed{};      // in a compressed file: offset of the compressed bytes
    std::optional<TimeStep> step{};          // step of the recording clock
    std::optional<MissingNumbers> missing{}; // buffers that the finding is about
};

/// Receives findings during reading. Called on the reading thread, in a fixed order.
class DiagnosticSink {
public:
    virtual ~DiagnosticSink() = default;
    virtual void report(const Diagnostic& diagnostic) = 0;
};

/// Stores reported diagnostics.
class DiagnosticList final : public DiagnosticSink {
public:
    void report(const Diagnostic& diagnostic) override { list_.push_back(diagnostic); }

    const std::vector<Diagnostic>& list() const noexcept { return list_; }

private:
    std::vector<Diagnostic> list_;
};

/// Returns "0x10000: warning: buffer 1: record at 0x80: ... (65408 bytes skipped)", without file
/// name and newline.
std::string describe(const Diagnostic& diagnostic);

// Findings about records that an event log lacks: Diagnostic::missing counts records there, and the
// first number is the ID of a record.

/// How the texts of these findings begin.
inline constexpr std::string_view missing_records = "missing records";

/// Returns whether Diagnostic::missing counts records of an event log, not buffers of a trace.
inline bool is_about_records(const Diagnostic& finding) noexcept {
    return std::string_view(finding.what).starts_with(missing_records);
}

// Stop: asks work on another thread to end early.

/// A request that work ends early, which the work looks for often. Stays where it is: the work
/// refers to it. Thread-safe.
class Stop {
public:
    Stop() noexcept = default;
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;
    ~Stop() = default;

    void request() noexcept { is_requested_.store(true, std::memory_order_relaxed); }

    bool is_requested() const noexcept { return is_requested_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> is_requested_ = false;
};

} // namespace etl
