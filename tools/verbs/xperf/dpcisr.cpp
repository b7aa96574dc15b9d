// -a dpcisr: durations of DPCs and ISRs. docs/xperf.md#dpcisr
#include "verbs/xperf/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace cli::xperf {

namespace {

using etl::analysis::Table;

struct InterruptOptions {
    Range range;
    bool dpcs = false, isrs = false;
    bool summary = false;
    double seconds = 0;              // of -interval
    std::uint64_t bucket_factor = 0; // of -bucket
};

constexpr std::uint64_t usual_factor = 2;

using Counts = std::vector<std::uint64_t>;

/// The histogram of each module, of the rows that are DPCs or ISRs.
std::map<std::string, Counts> histograms_of(const Table& table, std::string_view kind) {
    const auto at = [&](std::string_view column) { return table.find(column).value_or(0); };
    std::map<std::string, Counts> all;
    for (const etl::analysis::Row& row : table.rows) {
        const auto* const its = std::get_if<std::string>(&row.cells[at("kind")]);
        const auto* const module = std::get_if<std::string>(&row.cells[at("module")]);
        const auto* const counts = std::get_if<Counts>(&row.cells[at("histogram")]);
        if (its == nullptr || counts == nullptr || !its->contains(kind)) {
            continue;
        }
        Counts& to = all[module != nullptr ? *module : "Unknown"];
        to.resize(std::max(to.size(), counts->size()));
        std::ranges::transform(*counts, to, to.begin(), std::plus());
    }
    return all;
}

std::uint64_t sum_of(const Counts& counts) {
    std::uint64_t sum = 0;
    std::ranges::for_each(counts, [&](std::uint64_t count) { sum += count; });
    return sum;
}

/// The lines as Windows' xperf prints them.
std::string histogram_text(const Counts& counts, std::uint64_t factor) {
    const std::uint64_t total = sum_of(counts);
    std::string text;
    std::uint64_t least = 0, max = 1;
    for (const std::uint64_t count : counts) {
        text +=
            fmt::format("Elapsed Time, > {:8} usecs AND <= {:8} usecs, {:6}, or {:6.2f}%\n", least,
                        max, count, 100 * static_cast<double>(count) / static_cast<double>(total));
        least = max;
        max = max > ~std::uint64_t{0} / factor ? ~std::uint64_t{0} : max * factor;
    }
    return text + fmt::format("Total, {:6}\n", total);
}

std::string histograms_text(const Part& part, const Table& table) {
    struct Section {
        std::string_view kind, title;
    };

    std::string text;
    for (const auto& [kind, title] :
         {Section{"dpc", "DPC Info"}, Section{"isr", "Interrupt Info"}}) {
        if (!part.kind.empty() && part.kind != kind) {
            continue;
        }
        const auto histograms = histograms_of(table, kind);
        Counts all;
        for (const auto& [module, counts] : histograms) {
            all.resize(std::max(all.size(), counts.size()));
            std::ranges::transform(counts, all, all.begin(), std::plus());
        }
        constexpr std::string_view line = "--------------------------";
        text += fmt::format("{}\n{}\n{}\n\nTotal = {}\n", line, title, line, sum_of(all));
        text += histogram_text(all, part.options.bucket_factor) + '\n';
        for (const auto& [module, counts] : histograms) {
            text += fmt::format("Total = {} for module {}\n{}\n", sum_of(counts), printable(module),
                                histogram_text(counts, part.options.bucket_factor));
        }
    }
    return text;
}

Report interrupt_report(const InterruptOptions& options) {
    const std::string_view kind = options.dpcs == options.isrs ? "" : options.dpcs ? "dpc" : "isr";
    const std::string what = kind == "dpc" ? "DPCs" : kind == "isr" ? "ISRs" : "DPCs and ISRs";
    const bool has_all = !options.summary && options.seconds == 0 && options.bucket_factor == 0;
    Report report{.selection = options.range.selection()};
    if (options.summary || has_all) {
        for (const char* const by : {"module", "routine"}) {
            report.parts.push_back({.title = fmt::format("{} by {}", what, by),
                                    .table = "interrupts",
                                    .by = by,
                                    .hidden = {"histogram"},
                                    .kind = kind});
        }
    }
    if (options.seconds > 0 || has_all) {
        const double seconds = options.seconds > 0 ? options.seconds : 1;
        report.parts.push_back(
            {.title = fmt::format("{} in intervals of about {} s", what, seconds),
             .table = "interrupts",
             .by = "slice",
             .hidden = {"slice", "histogram"},
             .slice_seconds = seconds,
             .kind = kind});
    }
    if (options.bucket_factor > 0 || has_all) {
        report.parts.push_back(
            {.title = fmt::format("Histograms of {} by module", what),
             .table = "interrupts",
             .by = "module",
             .kind = kind,
             .options = {.bucket_factor =
                             options.bucket_factor > 0 ? options.bucket_factor : usual_factor},
             .text = histograms_text});
    }
    return report;
}

void add_bucket(Verb& app, std::uint64_t& factor) {
    app.add_option_function<std::string>(
           "--bucket",
           [&factor](const std::string& word) {
               constexpr std::uint64_t max = 1000;
               factor = usual_factor;
               if (!word.empty() &&
                   (!read_number(word, factor) || factor < usual_factor || factor > max)) {
                   throw UsageError("-bucket", fmt::format("expected 2 to {}; found '{}'", max,
                                                           printable(word)));
               }
           },
           "histograms with limits of 1, N, N*N, ... microseconds (default: 2)")
        ->expected(0, 1)
        ->type_name("N");
}

} // namespace

void add_dpcisr(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("dpcisr", "Print durations of DPCs and ISRs");
    const auto options = std::make_shared<InterruptOptions>();
    app.add_flag("--dpc", options->dpcs, "only DPCs");
    app.add_flag("--isr", options->isrs, "only ISRs");
    app.add_flag("--summary", options->summary, "only by module and by routine");
    add_interval(app, "--interval", options->seconds, "only in intervals of about N seconds");
    add_bucket(app, options->bucket_factor);
    options->range.add_to(app);
    add_report(actions, app, [options] { return interrupt_report(*options); });
}

} // namespace cli::xperf
