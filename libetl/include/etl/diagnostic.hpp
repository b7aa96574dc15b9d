// Diagnostics: problems in a file that did not stop reading.
#pragma once

#include <etl/bytes.hpp>
#include <etl/time.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl {

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

} // namespace etl
