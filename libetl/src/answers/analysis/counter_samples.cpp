#include "analysis/counter_samples.hpp"

#include "analysis/tables.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>

namespace etl::analysis {

namespace {

/// KPROFILE_SOURCE of the headers of Windows, without the prefix `Profile`. Higher numbers are
/// those of the processor.
constexpr std::string_view usual_names[] = {"Time",
                                            "AlignmentFixup",
                                            "TotalIssues",
                                            "PipelineDry",
                                            "LoadInstructions",
                                            "PipelineFrozen",
                                            "BranchInstructions",
                                            "TotalNonissues",
                                            "DcacheMisses",
                                            "IcacheMisses",
                                            "CacheMisses",
                                            "BranchMispredictions",
                                            "StoreInstructions",
                                            "FpInstructions",
                                            "IntegerInstructions",
                                            "2Issue",
                                            "3Issue",
                                            "4Issue",
                                            "SpecialInstructions",
                                            "TotalCycles",
                                            "IcacheIssues",
                                            "DcacheAccesses",
                                            "MemoryBarrierCycles",
                                            "LoadLinkedIssues"};

std::string_view usual_name(std::uint32_t source) noexcept {
    return source < std::size(usual_names) ? usual_names[source] : std::string_view();
}

} // namespace

std::string CounterSamples::counter_name(const facts::Facts& facts, std::uint32_t source) {
    if (const std::string_view name = facts.sample_source(source); !name.empty()) {
        return std::string(name);
    }
    std::string text = std::to_string(source);
    if (const std::string_view name = usual_name(source); !name.empty()) {
        text.append(" (").append(name).append(")");
    }
    return text;
}

bool CounterSamples::is_source(const facts::Facts& facts, std::uint32_t number,
                               std::string_view word) {
    std::uint32_t given = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), given);
    if (error == std::errc() && end == word.data() + word.size()) {
        return given == number;
    }
    const std::string_view recorded = facts.sample_source(number);
    return equals_ignoring_case(word, recorded.empty() ? usual_name(number) : recorded) ||
           equals_ignoring_case(word, counter_name(facts, number));
}

bool is_usual_counter(std::string_view name) noexcept {
    return std::ranges::any_of(
        usual_names, [&](std::string_view usual) { return equals_ignoring_case(name, usual); });
}

} // namespace etl::analysis
