#include "cli/traces.hpp"

#include <etl/base/task_pool.hpp>

#include <algorithm>

namespace cli {

void TraceOptions::add_to(CLI::App& verb) {
    verb.add_option(
            "FILE", arguments,
            "traces: files, packed files, archives, folders, globs, or - for standard input")
        ->required();
    verb.add_flag("--recursive", recursive, "descend into folders below a folder");
    verb.add_option("--max-unpacked", max_unpacked, "how much a packed input may unpack to")
        ->transform(CLI::AsSizeValue(false))
        ->type_name("BYTES");
    verb.add_option("--threads", threads, "threads at work (default: as many as the machine runs)")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N");
}

unsigned TraceOptions::worker_threads() const {
    return threads > 0 ? threads : etl::hardware_threads();
}

Traces::Traces(const TraceOptions& options) {
    const auto descend = options.recursive ? etl::io::Descend::yes : etl::io::Descend::no;
    const etl::trace::Inputs inputs =
        etl::trace::open_inputs(options.arguments, {descend, options.max_unpacked});
    for (const auto& problem : inputs.problems) {
        say(problem.name, problem.error);
        (problem.extent == etl::trace::InputProblem::Extent::part ? damaged_ : failed_) = true;
    }
    // Readers of many files must not have all the threads each.
    const auto files = static_cast<unsigned>(std::max<std::size_t>(inputs.files.size(), 1));
    const unsigned threads_each = std::max(1U, options.worker_threads() / files);
    for (const auto& file : inputs.files) {
        const auto number = static_cast<std::uint32_t>(names_.size());
        names_.push_back(file->name());
        auto reader = etl::trace::Reader::open(file, {.order = options.order,
                                                      .threads = threads_each,
                                                      .file = number,
                                                      .diagnostics = &findings_});
        if (!reader) {
            say(file->name(), reader.error());
            failed_ = true;
        } else {
            readers_.push_back(std::move(*reader));
        }
    }
}

ExitCode Traces::exit_code() const noexcept {
    if (failed_ || readers_.empty()) {
        return ExitCode::failed;
    }
    return damaged_ || findings_.warnings() > 0 ? ExitCode::damaged : ExitCode::well;
}

} // namespace cli
