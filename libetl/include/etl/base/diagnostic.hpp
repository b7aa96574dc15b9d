// Diagnostics: what was wrong with a file although reading went on.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/time.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etl {

enum class Severity : std::uint8_t {
    note,    // worth knowing, nothing is lost
    warning, // the structure is damaged; something was lost or skipped
};

/// Two wall times that do not follow each other as they should.
struct TimeStep {
    Filetime from, to;
};

/// One finding. `what` points at a string literal and names the thing; the numbers say where.
struct Diagnostic {
    Severity severity = Severity::warning;
    const char* what = "";
    FileOffset where{};                    // of the buffer or of the bytes skipped
    std::optional<std::uint64_t> buffer{}; // number of the buffer in the file
    std::optional<std::uint32_t> offset{}; // inside the uncompressed buffer
    std::uint64_t bytes_skipped = 0;
    std::uint32_t file = 0;             // which of the inputs
    std::optional<FileOffset> packed{}; // in a packed file: where the bytes with `where` lie packed
    std::optional<TimeStep> step{};     // of the clock that recorded
};

/// Receives findings as reading goes on. Called from the thread that reads, in a fixed order.
class DiagnosticSink {
public:
    virtual ~DiagnosticSink() = default;
    virtual void report(const Diagnostic& diagnostic) = 0;
};

/// Keeps what it is told.
class DiagnosticList final : public DiagnosticSink {
public:
    void report(const Diagnostic& diagnostic) override { list_.push_back(diagnostic); }

    const std::vector<Diagnostic>& list() const noexcept { return list_; }

private:
    std::vector<Diagnostic> list_;
};

/// "0x10000: warning: buffer 1: record at 0x80: ... (65408 bytes skipped)"; no file name, no
/// newline.
std::string describe(const Diagnostic& diagnostic);

} // namespace etl
