#include "cli/traces.hpp"

#include <etl/base/task_pool.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cli {

void TraceOptions::add_to(CLI::App& verb) {
    verb.add_option(
            "FILE", arguments,
            "traces: files, packed files, archives, folders, globs, or - for standard input")
        ->required();
    verb.add_flag("--recursive", recursive, "descend into folders below a folder");
    verb.add_option("--max-unpacked", max_unpacked,
                    "how much a packed input may unpack to, unless it is read in place")
        ->transform(CLI::AsSizeValue(false))
        ->type_name("BYTES");
    verb.add_option("--threads", threads, "threads at work (default: as many as the machine runs)")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N");
}

void describe_as_only(CLI::App& verb) {
    verb.get_option("FILE")
        ->description("the trace: a file, packed or in an archive or not, or - for standard input")
        ->expected(1);
    verb.remove_option(verb.get_option("--recursive"));
}

unsigned TraceOptions::worker_threads() const {
    return threads > 0 ? threads : etl::hardware_threads();
}

OpenedFiles open_files(const TraceOptions& options) {
    const auto descend = options.recursive ? etl::io::Descend::yes : etl::io::Descend::no;
    etl::trace::Inputs inputs =
        etl::trace::open_inputs(options.arguments, {descend, options.max_unpacked});
    for (const auto& problem : inputs.problems) {
        say(problem.name, problem.error);
    }
    return {std::move(inputs.files), std::move(inputs.problems)};
}

ExitCode OpenedFiles::exit_code() const noexcept {
    return files.empty() ? ExitCode::failed : problems.empty() ? ExitCode::well : ExitCode::damaged;
}

Traces::Traces(const TraceOptions& options) {
    OpenedFiles opened = open_files(options);
    problems_ = std::move(opened.problems);
    // Readers of many files must not have all the threads each.
    const auto files = static_cast<unsigned>(std::max<std::size_t>(opened.files.size(), 1));
    const unsigned threads_each = std::max(1U, options.worker_threads() / files);
    for (const auto& file : opened.files) {
        const auto number = static_cast<std::uint32_t>(names_.size());
        names_.push_back(file->name());
        auto reader = etl::trace::Reader::open(file, {.order = options.order,
                                                      .threads = threads_each,
                                                      .file = number,
                                                      .diagnostics = &findings_,
                                                      .select = options.select});
        if (!reader) {
            say(file->name(), reader.error());
            problems_.push_back({file->name(), reader.error()});
        } else {
            files_.push_back(file);
            readers_.push_back(std::move(*reader));
        }
    }
}

bool Traces::all_opened() const {
    using Extent = etl::trace::InputProblem::Extent;
    const auto missing =
        std::ranges::count(problems_, Extent::whole, &etl::trace::InputProblem::extent);
    if (missing > 0 && !readers_.empty()) {
        const char* const rest = missing == 1 ? " cannot be read; leave it out to go on without it"
                                              : "s cannot be read; leave them out to go on "
                                                "without them";
        say(fmt::format("nothing was written: {} input{}", missing, rest));
    }
    return missing == 0 && !readers_.empty();
}

ExitCode Traces::exit_code() const noexcept {
    if (readers_.empty()) {
        return ExitCode::failed;
    }
    return problems_.empty() && findings_.warnings() == 0 ? ExitCode::well : ExitCode::damaged;
}

} // namespace cli
