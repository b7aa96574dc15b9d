// etl generate: synthetic traces for tests and benchmarks. docs/generate.md
#include "generate/generate.hpp"

#include "base/limits.hpp"
#include "base/task_pool.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/trace_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cli {

namespace {

using etl::generate::Contents;
using etl::generate::Damage;
using etl::generate::Recipe;

constexpr const char* generate_footer = R"(Examples:
  etl generate -o mixed.etl                                 generate 10000 events of several kinds
  etl generate -o large.etl.zst --events 1M --processors 16 --skew 1
  etl generate -o fast.etl --kinds tracelogging:3,perfinfo --duration 10s --rate 50000
  etl generate -o packets.etl --capture --events 5000 --truth packets.txt
  etl generate -o names.etl --capture dns:3,http,vlan --events 5000
  etl generate -o damaged.etl --damage flip:20,zero-buffer,truncate --seed 7
  etl generate -o trace.etl --kinds event --manifest provider.man && etl dump --schema provider.man trace.etl
The same options produce the same bytes, regardless of --threads. See docs/generate.md.)";

constexpr std::uint64_t default_events = 10'000;

struct GenerateOptions {
    TraceOutputOptions output;
    Recipe recipe;
    std::vector<Damage> damages;
    std::string manifest;
    std::string truth;    // file; empty: none
    unsigned threads = 0; // 0: logical processors
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

template <typename T>
std::optional<T> number(std::string_view text) {
    T value{};
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, value);
    return code == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

[[noreturn]] void refuse(const char* option, const std::string& word, const std::string& what) {
    throw UsageError(option, "'" + printable(word) + "' is not " + what);
}

std::uint64_t read_count(const std::string& word) {
    constexpr std::string_view letters = "KkMmGg";
    std::string_view digits = word;
    std::uint64_t unit = 1;
    if (const std::size_t letter = letters.find(word.empty() ? ' ' : word.back());
        letter != std::string_view::npos) {
        digits.remove_suffix(1);
        for (std::size_t i = 0; i <= letter / 2; ++i) {
            unit *= 1000;
        }
    }
    const auto count = number<std::uint32_t>(digits);
    if (!count) {
        refuse("--events", word, "a number of events (examples: 5000, 20K, 3M)");
    }
    return *count * unit;
}

std::int64_t read_duration(const std::string& word) {
    const auto ticks = parse_duration(word);
    if (!ticks || *ticks <= 0) {
        refuse("--duration", word, "a duration (examples: 500ms, 10s, 2m)");
    }
    return *ticks;
}

etl::Filetime read_start(const std::string& word) {
    using Kind = etl::match::TimePoint::Kind;
    const auto point = etl::match::parse_time_point(word);
    if (!point || (point->kind != Kind::absolute && point->kind != Kind::local)) {
        refuse("--start", word, "a date and time (example: 2024-05-17T04:00:00Z)");
    }
    return point->at;
}

/// `names`: of the kinds. `example`: a word that is accepted.
template <std::size_t N>
std::array<std::uint32_t, N> read_mix(const char* option, const std::string& words,
                                      const std::array<std::string_view, N>& names,
                                      const char* example) {
    std::array<std::uint32_t, N> mix{};
    for (const std::string& word : split_list(words, ',')) {
        const std::size_t colon = word.find(':');
        const std::string name = word.substr(0, colon);
        const auto weight = colon == std::string::npos
                                ? std::optional<std::uint32_t>(1)
                                : number<std::uint32_t>(std::string_view(word).substr(colon + 1));
        if (!weight || *weight > Recipe::max_weight) {
            refuse(option, word, fmt::format("a kind with a weight (example: {})", example));
        }
        const auto* const kind = std::ranges::find(names, name);
        if (name == "all") {
            mix.fill(*weight);
        } else if (kind == names.end()) {
            refuse(option, name, fmt::format("one of all, {}", fmt::join(names, ", ")));
        } else {
            mix[static_cast<std::size_t>(kind - names.begin())] = *weight;
        }
    }
    if (std::ranges::count(mix, 0U) == std::ssize(mix)) {
        refuse(option, words, "a usable mix: all weights are 0");
    }
    return mix;
}

void read_payload(const std::string& word, Recipe& recipe) {
    const std::size_t dots = word.find("..");
    const auto min = number<std::uint32_t>(std::string_view(word).substr(0, dots));
    const auto max = dots == std::string::npos
                         ? min
                         : number<std::uint32_t>(std::string_view(word).substr(dots + 2));
    if (!min || !max || *min > *max || *max > Recipe::payload_limit) {
        refuse(
            "--payload", word,
            fmt::format("a size or range up to {} (examples: 64, 16..128)", Recipe::payload_limit));
    }
    recipe.min_payload = *min;
    recipe.max_payload = *max;
}

std::vector<Damage> read_damages(const std::string& words) {
    std::vector<Damage> damages;
    for (const std::string& word : split_list(words, ',')) {
        const auto damage = etl::generate::parse_damage(word);
        if (!damage) {
            refuse(
                "--damage", word,
                fmt::format(
                    "one of flip:N, truncate, zero-buffer:N, or bad-sizes:N, with N from 1 to {}",
                    Damage::max));
        }
        damages.push_back(*damage);
    }
    return damages;
}

/// An option whose value is parsed by `read`.
template <typename Read>
Option* add_word(Verb& verb, const char* name, const Read& read, const char* help,
                 const char* type) {
    return verb.add_option_function<std::string>(name, read, help)->type_name(type);
}

void add_amounts(Verb& verb, Recipe& recipe) {
    add_word(
        verb, "--events", [&](const std::string& word) { recipe.events = read_count(word); },
        "number of events, or with K, M, or G (default: 10000, or by --duration)", "N");
    add_word(
        verb, "--duration", [&](const std::string& word) { recipe.duration = read_duration(word); },
        "duration of the session, such as 10s", "TIME");
    verb.add_option("--rate", recipe.rate, "events per second, on average (default: 10000)")
        ->check(in_range(Recipe::min_rate, Recipe::max_rate))
        ->type_name("N");
    add_choice<Recipe::Spacing>(
        verb, "--spacing", recipe.spacing,
        {{"exponential", Recipe::Spacing::exponential}, {"fixed", Recipe::Spacing::fixed}},
        "intervals between events: exponential or fixed (default: exponential)", "HOW");
    verb.add_option("--out-of-order", recipe.out_of_order,
                    "fraction of events with timestamps that are too early, 0 to 1 (default: 0)")
        ->check(in_range(0.0, 1.0))
        ->type_name("SHARE");
    verb.add_option("--lost-events", recipe.lost_events,
                    "set the lost-event count in the header (default: 0)")
        ->type_name("N");
    verb.add_option("--lost-buffers", recipe.lost_buffers,
                    "set the lost-buffer count in the header (default: 0)")
        ->type_name("N");
}

std::vector<std::string> values_of_mix(std::span<const std::string_view> names) {
    std::vector<std::string> values(names.begin(), names.end());
    values.emplace_back("all");
    return values;
}

void add_kinds(Verb& verb, GenerateOptions& options) {
    Recipe& recipe = options.recipe;
    Option* const mix = add_word(
        verb, "--kinds",
        [&](const std::string& word) {
            recipe.mix = read_mix("--kinds", word, etl::generate::kind_names, "perfinfo:3");
        },
        "kinds of events with weights, such as tracelogging:5,perfinfo, or all: tracelogging, "
        "event, string, system, compact, perfinfo, stack, full, instance, message, timed, wnode "
        "(default: the mix of a busy machine)",
        "LIST");
    suggest_values(mix, values_of_mix(etl::generate::kind_names));
    verb.add_option("--providers", recipe.providers,
                    "number of providers of each kind that has providers (default: 4)")
        ->check(in_range(1U, Recipe::max_providers))
        ->type_name("N");
    add_word(
        verb, "--payload", [&](const std::string& word) { read_payload(word, recipe); },
        "approximate payload size in bytes, except for kernel events (default: 16..128)",
        "MIN..MAX");
    add_choice<Recipe::Text>(verb, "--text", recipe.text,
                             {{"ascii", Recipe::Text::ascii}, {"unicode", Recipe::Text::unicode}},
                             "characters in strings: ascii or unicode (default: ascii)", "WHICH");
    verb.add_option(
            "--manifest", options.manifest,
            "also write the manifest of the `event` kind to FILE; --force applies to it as well")
        ->check([](const std::string& path) {
            return std::string(path == "-" ? "expected a file name, found '-'" : "");
        })
        ->type_name("FILE");
}

void add_machine(Verb& verb, Recipe& recipe) {
    verb.add_option("--processors", recipe.processors, "number of processors (default: 4)")
        ->check(in_range(1U, etl::limits::processors))
        ->type_name("N");
    verb.add_option("--skew", recipe.skew,
                    "load skew: processor i gets a share of events proportional to 1/i^S (default: "
                    "0, equal load)")
        ->check(in_range(0.0, Recipe::max_skew))
        ->type_name("S");
    using etl::format::ClockType;
    add_choice<ClockType>(verb, "--clock", recipe.clock,
                          {{"qpc", ClockType::qpc},
                           {"system", ClockType::system_time},
                           {"cycles", ClockType::cpu_cycles}},
                          "clock type: qpc, system, or cycles (default: qpc)", "CLOCK");
    using etl::format::Width;
    add_choice<Width>(verb, "--width", recipe.width, {{"32", Width::bits32}, {"64", Width::bits64}},
                      "pointer size in bits: 32 or 64 (default: 64)", "BITS");
    add_word(
        verb, "--start", [&](const std::string& word) { recipe.start = read_start(word); },
        "start time of the session (default: 2024-05-17T04:00:00Z)", "TIME");
}

/// --workload and --capture.
void add_contents(Verb& verb, GenerateOptions& options) {
    Recipe& recipe = options.recipe;
    auto* const workload = verb.add_flag_callback(
        "--workload", [&] { recipe.contents = Contents::workload; },
        "generate a small machine at work instead of kinds: context switches, samples with stacks, "
        "disk reads, garbage collections (docs/generate.md)");
    const auto choose_captures = [&](const std::string& word) {
        recipe.contents = Contents::capture;
        if (!word.empty()) {
            recipe.captures =
                read_mix("--capture", word, etl::generate::capture_kind_names, "vlan:3");
        }
    };
    Option* const captures = verb.add_option_function<std::string>(
        "--capture", choose_captures,
        "generate captured packets instead of kinds of events: kinds of captures with weights, "
        "or all: ndis, fragments, wifi, mobile, switch, ras, pktmon, pktmon-wifi, pktmon-24h2, "
        "vlan, segmentation, ras-users, layers, dns, http (default: the first seven)");
    captures->expected(0, 1)->type_name("LIST")->excludes(workload);
    suggest_values(captures, values_of_mix(etl::generate::capture_kind_names));
    verb.add_option("--truth", options.truth,
                    "also write what --workload or --capture contains to FILE")
        ->type_name("FILE");
}

void add_options(Verb& verb, GenerateOptions& options) {
    options.output.add_to(verb);
    add_amounts(verb, options.recipe);
    add_kinds(verb, options);
    add_machine(verb, options.recipe);
    add_contents(verb, options);
    Option* const damage = add_word(
        verb, "--damage", [&](const std::string& word) { options.damages = read_damages(word); },
        "damage the finished file: flip:N, truncate, zero-buffer:N, bad-sizes:N, or several, such "
        "as flip:20,truncate",
        "LIST");
    suggest_values(damage, {"flip:", "truncate", "zero-buffer:", "bad-sizes:"});
    verb.add_option("--seed", options.recipe.seed, "random seed (default: 1)")->type_name("N");
    verb.add_option("--threads", options.threads,
                    "number of compression threads (default: logical processors)")
        ->check(in_range(0, 1024))
        ->type_name("N");
    add_progress(verb, options.progress);
}

/// The manifest of the trace, if requested. One thread.
class ManifestFile {
public:
    /// Writes it under a temporary name. If that fails, prints why and returns false.
    bool write(const GenerateOptions& options) {
        const std::string& path = options.manifest;
        if (path.empty()) {
            return true;
        }
        OutputGuard guard;
        guard.writes(options.output.path);
        if (!guard.permits(path, existing_files(options.output.replaces))) {
            return false;
        }
        file_.emplace(path);
        if (!file_->open()) {
            return false;
        }
        const auto written = file_->output().write(etl::generate::manifest(options.recipe));
        if (!written) {
            file_->report(written.error());
        }
        return written.has_value();
    }

    /// Moves it to its final name.
    bool commit() { return !file_ || file_->commit() == ExitCode::well; }

private:
    std::optional<Destination> file_;
};

/// Prints why the options do not go together.
bool are_consistent(const GenerateOptions& options) {
    const Contents contents = options.recipe.contents;
    if (const auto valid = etl::generate::check(options.recipe); !valid) {
        say(valid.error().code == etl::ErrorCode::unsupported
                ? fmt::format("{} requires --width 64 and --clock qpc",
                              contents == Contents::workload ? "--workload" : "--capture")
                : describe(valid.error()));
        return false;
    }
    if (contents == Contents::kinds && !options.truth.empty()) {
        say("--truth requires --workload or --capture");
        return false;
    }
    return true;
}

bool is_pipe(const std::string& path) {
    std::error_code ignored;
    return path == "-" ||
           (std::filesystem::exists(path, ignored) && !etl::io::is_regular_file(path));
}

/// Whether one regular file is written, which damage requires.
bool is_one_file(const TraceOutputOptions& output) {
    using etl::trace::FileMode;
    const FileMode mode = output.file.mode;
    return mode != FileMode::new_file && mode != FileMode::append && !is_pipe(output.path);
}

/// Whether the file of --truth may be written. If not, prints why.
bool is_truth_clear(const GenerateOptions& options) {
    OutputGuard guard;
    guard.writes(options.output.path);
    return options.truth.empty() ||
           guard.permits(options.truth, existing_files(options.output.replaces));
}

/// Writes the events, and the truth. False: it cannot, which is printed.
bool write_events(const GenerateOptions& options, etl::trace::Writer& writer) {
    ProgressBar bar(options.progress);
    const auto report = etl::generate::write(
        options.recipe, writer, [&](double done, std::uint64_t events) { bar.show(done, events); });
    if (!report) {
        say(describe(report.error()));
        return false;
    }
    return options.truth.empty() || write_file(options.truth, report->truth) == ExitCode::well;
}

ExitCode run(GenerateOptions options) {
    Recipe& recipe = options.recipe;
    if (!recipe.events && !recipe.duration) {
        recipe.events = default_events;
    }
    if (!options.damages.empty() && !is_one_file(options.output)) {
        say("--damage requires one regular file, without --mode newfile or append");
        return ExitCode::usage;
    }
    if (!are_consistent(options)) {
        return ExitCode::usage;
    }
    ManifestFile manifest;
    if (!is_truth_clear(options) || !is_clear(options.output, OutputGuard()) ||
        !manifest.write(options)) {
        return ExitCode::failed;
    }
    const unsigned threads = options.threads > 0 ? options.threads : etl::hardware_threads();
    auto output = TraceOutput::open(options.output, threads, etl::generate::recording_of(recipe));
    if (!output) {
        return output.error();
    }
    if (!manifest.commit() || !write_events(options, output->writer())) {
        return ExitCode::failed;
    }
    const ExitCode exit = output->finish();
    if (options.damages.empty() || exit == ExitCode::failed) {
        return exit;
    }
    const std::string& path = options.output.path;
    if (const auto done = etl::generate::do_damage(path, options.damages, recipe.seed); !done) {
        say(path, done.error());
        return ExitCode::failed;
    }
    return exit;
}

} // namespace

void add_generate(Verb& etl, ExitCode& exit) {
    Verb& verb =
        *etl.add_subcommand("generate", "Generate a synthetic trace for tests and benchmarks");
    auto options = std::make_shared<GenerateOptions>();
    add_options(verb, *options);
    verb.footer(generate_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
