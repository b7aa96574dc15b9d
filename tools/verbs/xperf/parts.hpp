// Actions that consist of tables. docs/xperf.md#tables
#pragma once

#include <etl/time.hpp>

#include "analysis/table.hpp"
#include "verbs/xperf/options.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace cli::xperf {

// Tables of the analysis module with the words of xperf. docs/xperf.md#tables

/// Returns the rows as aligned columns separated by commas, after a row of headings. Durations are
/// in microseconds, times in microseconds since `start`. `hidden` columns are left out.
std::string plain_text(const etl::analysis::Table& table, etl::Filetime start,
                       std::span<const std::string_view> hidden);

/// Computes the tables of several reports, in their order, and reads the traces once for all.
/// Prints why it cannot.
std::expected<std::vector<Analysis>, ExitCode> compute(const Options& options,
                                                       const std::vector<Report>& reports);

/// Prints the tables of a report, each after its title.
ExitCode print_report(const Run& run, const Report& report, std::span<const Analysis> tables);

/// Declares an action that prints a report, and then what `more` prints.
void add_report(std::vector<Action>& actions, Verb& app,
                std::function<std::expected<Report, ExitCode>()> report,
                std::function<ExitCode(const Run&)> more = {});

/// Declares an option for the seconds of an interval; 0: not given.
void add_interval(Verb& app, const std::string& name, double& seconds, const std::string& help);

/// Declares an option that adds processes by ID or name.
void add_processes(Verb& app, const std::string& name, const std::string& type,
                   const std::string& help, std::vector<std::string>& to);

inline constexpr const char* without_interrupts = "running times without DPCs and ISRs";

} // namespace cli::xperf
