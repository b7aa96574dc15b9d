// The input of `etl split`, opened once per pass.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "inputs/traces.hpp"
#include "trace/reader.hpp"

#include <fmt/format.h>

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace cli {

/// One thread.
class SplitInput {
public:
    /// Prints an error if there is not exactly one trace.
    static std::expected<std::unique_ptr<SplitInput>, ExitCode> open(const TraceOptions& options) {
        OpenedFiles opened = open_files(options);
        if (opened.files.size() > 1) {
            say(fmt::format("expected one trace, found {}; use `etl merge` first",
                            opened.files.size()));
            return std::unexpected(ExitCode::usage);
        }
        if (opened.files.empty()) {
            return std::unexpected(ExitCode::failed);
        }
        auto input = std::make_unique<SplitInput>();
        input->opening_ = opened.exit_code();
        input->opened_ = opened;
        input->file_ = std::move(opened.files.front());
        input->names_ = {input->file_->name()};
        input->threads_ = options.worker_threads();
        return input;
    }

    /// Findings are reported in one pass only.
    enum class Findings : std::uint8_t { reported, silent };

    etl::Result<std::unique_ptr<etl::trace::Reader>> reader(Findings findings) {
        etl::DiagnosticSink* const sink = findings == Findings::reported ? &findings_ : nullptr;
        return etl::trace::Reader::open(
            file_, {.is_single_pass = true, .threads = threads_, .diagnostics = sink});
    }

    /// The trace in the form used by verbs with several traces.
    std::unique_ptr<Traces> traces(const TraceOptions& options) const {
        return std::make_unique<Traces>(opened_, options, Traces::Findings::silent);
    }

    const std::string& name() const noexcept { return file_->name(); }

    ExitCode exit_code() const noexcept {
        return worst(opening_, findings_.warnings() > 0 ? ExitCode::damaged : ExitCode::well);
    }

private:
    OpenedFiles opened_;
    std::shared_ptr<const etl::io::InputFile> file_;
    std::vector<std::string> names_;
    FindingPrinter findings_{names_};
    unsigned threads_ = 1;
    ExitCode opening_ = ExitCode::well;
};

} // namespace cli
