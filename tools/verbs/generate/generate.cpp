// etl generate: synthetic traces for tests and benchmarks. docs/generate.md
#include "base/task_pool.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/verbs.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/trace_output.hpp"
#include "verbs/generate/captured/capture.hpp"
#include "verbs/generate/damage.hpp"
#include "verbs/generate/generator.hpp"
#include "verbs/generate/manifest.hpp"
#include "verbs/generate/options.hpp"
#include "verbs/generate/workload.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

namespace cli {

namespace {

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
        const auto written = file_->output().write(generate::manifest(options.recipe));
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

template <typename Generator>
void make_events(Generator& generator, ProgressBar::Mode mode) {
    constexpr std::uint64_t batch = 1024;
    ProgressBar bar(mode);
    std::uint64_t next = batch;
    while (generator.next()) {
        if (generator.events() >= next) {
            next = generator.events() + batch;
            bar.show(generator.done(), generator.events());
        }
    }
}

/// --workload and --capture. Writes the truth; false: it cannot, which is printed.
template <typename Story>
bool make_story(const GenerateOptions& options, etl::trace::Writer& writer) {
    Story story(options.recipe, writer);
    make_events(story, options.progress);
    if (options.truth.empty()) {
        return true;
    }
    return write_file(options.truth, story.truth()) == ExitCode::well;
}

/// Prints why the options do not go together.
bool are_consistent(const GenerateOptions& options) {
    const char* const story = options.workload ? "--workload" : options.capture ? "--capture" : "";
    const bool has_story = options.workload || options.capture;
    if (has_story && (options.recipe.width != etl::format::Width::bits64 ||
                      options.recipe.clock != etl::format::ClockType::qpc)) {
        say(fmt::format("{} requires --width 64 and --clock qpc", story));
        return false;
    }
    if (!has_story && !options.truth.empty()) {
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

ExitCode run(GenerateOptions options) {
    generate::Recipe& recipe = options.recipe;
    if (!recipe.events && !recipe.duration) {
        recipe.events = default_events;
    }
    using etl::trace::FileMode;
    const FileMode mode = options.output.file.mode;
    const bool is_one_file = mode != FileMode::new_file && mode != FileMode::append;
    if (!options.damages.empty() && (!is_one_file || is_pipe(options.output.path))) {
        say("--damage requires one regular file, without --mode newfile or append");
        return ExitCode::usage;
    }
    if (!are_consistent(options)) {
        return ExitCode::usage;
    }
    if (!options.truth.empty()) {
        OutputGuard guard;
        guard.writes(options.output.path);
        if (!guard.permits(options.truth, existing_files(options.output.replaces))) {
            return ExitCode::failed;
        }
    }
    ManifestFile manifest;
    if (!is_clear(options.output, OutputGuard()) || !manifest.write(options)) {
        return ExitCode::failed;
    }
    const unsigned threads = options.threads > 0 ? options.threads : etl::hardware_threads();
    auto output = TraceOutput::open(options.output, threads, generate::recording_of(recipe));
    if (!output) {
        return output.error();
    }
    if (!manifest.commit()) {
        return ExitCode::failed;
    }
    if (options.workload || options.capture) {
        const bool done = options.workload
                              ? make_story<generate::Workload>(options, output->writer())
                              : make_story<generate::Capture>(options, output->writer());
        if (!done) {
            return ExitCode::failed;
        }
    } else {
        generate::Generator generator(recipe, output->writer());
        make_events(generator, options.progress);
    }
    const ExitCode exit = output->finish();
    if (options.damages.empty() || exit == ExitCode::failed) {
        return exit;
    }
    const generate::Random random(recipe.seed);
    if (const auto done = generate::do_damage(options.output.path, options.damages, random);
        !done) {
        say(options.output.path, done.error());
        return ExitCode::failed;
    }
    return exit;
}

} // namespace

void add_generate(Verb& etl, ExitCode& exit) {
    Verb& verb =
        *etl.add_subcommand("generate", "Generate a synthetic trace for tests and benchmarks");
    auto options = std::make_shared<GenerateOptions>();
    options->add_to(verb);
    verb.footer(generate_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
