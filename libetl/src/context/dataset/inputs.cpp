#include "dataset/inputs.hpp"

#include "base/task_pool.hpp"
#include "eventlog/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace etl::dataset {

unsigned Options::worker_threads() const noexcept {
    return threads > 0 ? threads : hardware_threads();
}

namespace {

/// Keeps the findings of a conversion, and passes them on.
class ConversionFindings final : public DiagnosticSink {
public:
    ConversionFindings(const FindingSink& to, const std::string& name) : to_(&to), name_(&name) {}

    void report(const Diagnostic& finding) override {
        list_.report(finding);
        if (*to_) {
            (*to_)(finding, *name_);
        }
    }

    const DiagnosticList& list() const noexcept { return list_; }

private:
    const FindingSink* to_;
    const std::string* name_;
    DiagnosticList list_;
};

/// Event logs are read as traces.
void add(std::shared_ptr<const io::InputFile> file, const Options& options, Inputs& to) {
    if (!eventlog::is_event_log(*file)) {
        to.files.push_back({std::move(file)});
        return;
    }
    using Extent = trace::InputProblem::Extent;
    const std::string& name = file->name();
    ConversionFindings findings(options.findings, name);
    auto log = eventlog::convert(*file, {.diagnostics = &findings});
    if (!log) {
        to.add({{name, log.error(), Extent::all}}, options);
        return;
    }
    if (std::ranges::count(findings.list().list(), Severity::warning, &Diagnostic::severity) > 0) {
        to.add({{name, {.code = ErrorCode::malformed, .what = "event log"}, Extent::part}, true},
               options);
    }
    to.files.push_back(
        {std::move(log->trace), std::make_shared<const DiagnosticList>(findings.list())});
}

} // namespace

void Inputs::add(Problem problem, const Options& options) {
    if (options.problems) {
        options.problems(problem);
    }
    problems.push_back(std::move(problem));
}

const DiagnosticList* Inputs::findings_in(const std::string& name) const noexcept {
    const auto found = std::ranges::find_if(
        files, [&](const Input& input) { return input.is_event_log() && input.name() == name; });
    return found == files.end() ? nullptr : found->log_findings.get();
}

Inputs open_inputs(const std::vector<std::string>& paths, const Options& options) {
    trace::Inputs found = trace::open_inputs(
        paths, {.recursion = options.recursive ? io::Recursion::yes : io::Recursion::no,
                .max_unpacked = options.max_unpacked,
                .spooling = options.spooling,
                .opened = options.opened});
    Inputs inputs;
    for (trace::InputProblem& problem : found.problems) {
        inputs.add({std::move(problem)}, options);
    }
    for (auto& file : found.files) {
        add(std::move(file), options, inputs);
    }
    return inputs;
}

Inputs open_inputs(std::shared_ptr<const io::InputFile> file, const Options& options) {
    Inputs inputs;
    add(std::move(file), options, inputs);
    return inputs;
}

namespace {

constexpr std::size_t max_damage_lines = 1000;

} // namespace

void Messages::receive_from(Options& options) {
    options.problems = [this](const Problem& problem) {
        if (!problem.is_in_findings) {
            add(describe(TraceError{problem.error, problem.name}));
        }
    };
    options.findings = [this](const Diagnostic& finding, const std::string& input) {
        add(finding, input);
    };
    options.remarks = [this](const gather::Remark& remark) { add(describe(remark)); };
}

void Messages::add(const Diagnostic& finding, const std::string& input) {
    if (finding.severity == Severity::warning && findings_++ < max_damage_lines) {
        damage_.push_back(input + ":" + describe(finding));
    }
}

std::vector<std::string> Messages::take() {
    std::vector<std::string> lines = std::move(lines_);
    lines.insert(lines.end(), std::move_iterator(damage_.begin()),
                 std::move_iterator(damage_.end()));
    if (findings_ > damage_.size()) {
        lines.push_back(std::to_string(findings_ - damage_.size()) + " more findings");
    }
    return lines;
}

} // namespace etl::dataset
