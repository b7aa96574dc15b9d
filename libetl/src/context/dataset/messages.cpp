#include "dataset/messages.hpp"

#include "dataset/inputs.hpp"

#include <iterator>
#include <utility>

namespace etl::dataset {

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
