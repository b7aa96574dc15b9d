// What was odd about a trace: to whom it is reported, and how much of it was damage.
#pragma once

#include "trace/reader.hpp"

#include <vector>

namespace etl::trace {

/// One thread.
class TraceFindings {
public:
    explicit TraceFindings(const ReaderOptions& options) noexcept
        : file_(options.file), sink_(options.diagnostics) {}

    void report(Diagnostic finding) {
        finding.file = file_;
        damage_ += finding.severity == Severity::warning ? 1U : 0U;
        if (sink_ != nullptr) {
            sink_->report(finding);
        }
    }

    /// Takes them away.
    void report_all(std::vector<Diagnostic>& findings) {
        for (const Diagnostic& finding : findings) {
            report(finding);
        }
        findings.clear();
    }

    /// Findings of Severity::warning so far.
    std::uint64_t damage() const noexcept { return damage_; }

private:
    std::uint32_t file_;
    DiagnosticSink* sink_; // null: findings are only counted
    std::uint64_t damage_ = 0;
};

} // namespace etl::trace
