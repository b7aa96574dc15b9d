// The files that a person names, opened as traces: event logs are converted. docs/reading.md
#pragma once

#include <etl/diagnostic.hpp>

#include "dataset/options.hpp"
#include "trace/inputs.hpp"

#include <memory>
#include <string>
#include <vector>

namespace etl::dataset {

/// A file that is read as a trace.
struct Input {
    std::shared_ptr<const io::InputFile> file; // never null; of an event log: the trace it became
    /// What the conversion of an event log found; null: the file is no event log.
    std::shared_ptr<const DiagnosticList> log_findings{};

    const std::string& name() const noexcept { return file->name(); }

    bool is_event_log() const noexcept { return log_findings != nullptr; }
};

/// An input that cannot be read, or only in part.
struct Problem : trace::InputProblem {
    /// The findings of its conversion say what is wrong with an event log.
    bool is_in_findings = false;
};

/// Files that are open. Copies share them.
struct Inputs {
    std::vector<Input> files; // in the order given; files in a directory are sorted by name
    std::vector<Problem> problems{};

    /// Adds a problem, and passes it on to Options::problems.
    void add(Problem problem, const Options& options);

    /// The findings of the conversion of the event log with this name; null: it is none.
    const DiagnosticList* findings_in(const std::string& name) const noexcept;
};

/// Opens everything that `paths` refer to, as trace::open_inputs() does, and converts event logs.
/// Calls Options::spooling, problems, and findings.
Inputs open_inputs(const std::vector<std::string>& paths, const Options& options = {});

/// The same for a mapped or in-memory file.
Inputs open_inputs(std::shared_ptr<const io::InputFile> file, const Options& options = {});

} // namespace etl::dataset
