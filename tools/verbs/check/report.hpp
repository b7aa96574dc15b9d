// What `etl check` prints about one file. docs/info-and-check.md
#pragma once

#include <etl/error.hpp>

#include "base/output.hpp"
#include "cli/option_values.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

/// Prints findings as they arrive, in bounded memory. Call finish() or fail() at the end. One
/// thread.
class CheckReport final : public etl::DiagnosticSink {
public:
    enum class Form : unsigned char { text, json };

    /// Limit of buffered text, apart from one finding.
    static constexpr std::size_t max_block = 64U << 10U;

    /// `name` is that of the file; `output` must outlive the report.
    CheckReport(const std::string& name, Form form, etl::Output& output,
                BigNumbers big_numbers = BigNumbers::number);

    void report(const etl::Diagnostic& finding) override;

    /// Number of findings so far.
    std::uint64_t findings() const noexcept { return findings_; }

    /// Ends the report of a file that was read. Errors: the first failure of the output.
    etl::Result<void> finish(std::uint64_t buffers, std::uint64_t warnings);

    /// The complete report of a file that cannot be opened. Errors: the first failure of the
    /// output.
    etl::Result<void> fail(const etl::Error& error);

private:
    void begin_json();
    void flush_if(bool is_due);

    std::string name_; // as it is printed
    Form form_;
    BigNumbers big_numbers_; // JSON
    etl::Output* output_;
    etl::Result<void> outcome_;
    std::string pending_;
    std::uint64_t findings_ = 0;
    std::uint64_t missing_ = 0; // warnings about buffers that are not in the file
};

} // namespace cli
