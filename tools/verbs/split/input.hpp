// The input of `etl split`, opened once per pass.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "inputs/traces.hpp"

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
        auto input = std::make_unique<SplitInput>();
        input->traces_ = std::make_unique<Traces>(opened, options, Traces::Findings::silent);
        if (input->traces().readers().empty()) {
            return std::unexpected(ExitCode::failed);
        }
        return input;
    }

    /// Findings are reported in one pass only.
    enum class Findings : std::uint8_t { reported, silent };

    /// Must not outlive this.
    etl::Result<std::unique_ptr<etl::trace::Reader>> reader(Findings findings) {
        etl::dataset::FindingSink sink;
        if (findings == Findings::reported) {
            sink = [this](const auto& finding, const std::string& name) {
                findings_.print(finding, name);
            };
        }
        auto pass = traces_->dataset().again({}, std::move(sink));
        if (!pass) {
            return std::unexpected(pass.error());
        }
        passes_.push_back(*std::move(pass));
        return passes_.back().release(0);
    }

    /// For what is to be known before the passes.
    const Traces& traces() const noexcept { return *traces_; }

    const std::string& name() const noexcept { return traces_->files().front().name(); }

    ExitCode exit_code() const noexcept {
        return worst(traces_->exit_code(),
                     findings_.warnings() > 0 ? ExitCode::damaged : ExitCode::well);
    }

private:
    FindingPrinter findings_;
    std::unique_ptr<Traces> traces_;
    std::vector<etl::dataset::Dataset> passes_; // whose readers were given away
};

} // namespace cli
