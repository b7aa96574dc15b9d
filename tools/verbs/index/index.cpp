// etl index: what reading a trace once shows about its buffers, in a file next to it. docs/parts.md
#include "analysis/index_file.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "cli/verbs.hpp"
#include "gather/index_cache.hpp"
#include "gather/trace_index.hpp"
#include "inputs/traces.hpp"
#include "io/find_files.hpp"
#include "io/inherit_rights.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

struct IndexOptions {
    TraceOptions traces;
    std::uint64_t every = etl::analysis::StateOptions{}.spacing;
    bool in_cache = false;
    bool force = false;
};

constexpr const char* index_footer = R"(Examples:
  etl index trace.etl
  etl index --recursive traces/
  etl index --cache /mnt/readonly/trace.etl
  parallel etl dump --part {}/8 --format jsonl -o {}.jsonl trace.etl ::: 1 2 3 4 5 6 7 8
The index of trace.etl is trace.etl.index. `etl dump` and verbs that print tables use it if it exists: --part reads only
the buffers of its part, --from and --to only those of the window. Only an index made with your key is used: it is made
on first use; ETL_INDEX_KEY names a shared key file. Exit codes: 0 success, 1 damage, or some inputs
could not be opened, 2 failure, 64 usage error. See docs/parts.md.)";

/// Writes an index to a file of its own.
ExitCode write_beside(etl::analysis::MadeIndex made, const etl::trace::IndexKey& key,
                      const std::string& path) {
    Destination file(path);
    if (!file.open()) {
        return ExitCode::failed;
    }
    if (const auto written = etl::analysis::write(std::move(made), key, file.output()); !written) {
        file.report(written.error());
        return ExitCode::failed;
    }
    return file.commit();
}

/// Writes it to the cache.
ExitCode write_to_cache(etl::analysis::MadeIndex made, const etl::trace::IndexKey& key,
                        const std::string& path) {
    const std::string trace = made.name();
    const auto kept =
        etl::gather::cache_index(trace, key, etl::analysis::encode(std::move(made), key));
    if (!kept) {
        say(printable(path.empty() ? trace : path), kept.error());
        return ExitCode::failed;
    }
    return ExitCode::well;
}

/// An index is of one trace alone; what is known about others would stay in memory.
ExitCode write_index(const etl::dataset::Input& input, const etl::trace::IndexKey& key,
                     const IndexOptions& options) {
    auto made = etl::analysis::make_index(input, options.traces.worker_threads(),
                                          {.spacing = options.every});
    if (!made) {
        say(printable(made.error().about), made.error());
        return ExitCode::failed;
    }
    const std::string name = made->name();
    const std::string path = options.in_cache ? etl::gather::cached_index_path(name, key)
                                              : etl::gather::index_path(name);
    const std::uint64_t damage = made->damage;
    const std::string counts =
        fmt::format("indexed {}, {} of them for schemas", plural(made->buffers(), "buffer"),
                    made->schema_buffers());
    const ExitCode written = options.in_cache ? write_to_cache(*std::move(made), key, path)
                                              : write_beside(*std::move(made), key, path);
    if (written != ExitCode::well) {
        return written;
    }
    say(fmt::format("{}: {}", printable(path), counts));
    if (damage > 0) {
        say(fmt::format("warning: {}: damaged ({}); `etl check` lists the damage", printable(name),
                        plural(damage, "finding")));
        return ExitCode::damaged;
    }
    return ExitCode::well;
}

ExitCode index_trace(const etl::dataset::Input& input, bool has_index, const OutputGuard& guard,
                     const IndexOptions& options) {
    const std::string& name = input.name();
    if (!etl::io::is_regular_file(name)) {
        say(fmt::format("{}: not a file, so it has no place for an index; extract or save it first",
                        printable(name)));
        return ExitCode::failed;
    }
    if (name.ends_with(etl::gather::index_path(""))) {
        say(fmt::format("{}: an index, not a trace", printable(name)));
        return ExitCode::failed;
    }
    if (has_index) {
        say(options.in_cache
                ? fmt::format("note: {}: its index is up to date", printable(name))
                : fmt::format("note: {}: up to date", printable(etl::gather::index_path(name))));
        return ExitCode::well;
    }
    if (!options.in_cache &&
        !guard.permits(etl::gather::index_path(name), existing_files(options.force))) {
        return ExitCode::failed;
    }
    const auto key = etl::gather::index_key_or_new();
    if (!key) {
        say(etl::gather::describe_key_error(key.error()));
        return ExitCode::failed;
    }
    etl::io::inherit_rights(std::span(&name, 1)); // each index is that of its own trace
    return write_index(input, *key, options);
}

ExitCode run_index(const IndexOptions& options) {
    const OpenedFiles opened = open_files(options.traces);
    const Traces traces(opened, options.traces, Traces::Findings::reported);
    OutputGuard guard;
    guard.reads(options.traces);
    guard.leaves_rights();
    EachInput exit;
    for (std::size_t i = 0; i < traces.readers().size(); ++i) {
        const auto known = options.force ? nullptr : traces.dataset().indexes()[i];
        const bool has_index =
            known != nullptr &&
            (options.in_cache ? etl::analysis::has_sections(*known) : !known->is_cached);
        exit.add(index_trace(traces.files()[i], has_index, guard, options));
    }
    return worst(exit.exit_code(), traces.exit_code());
}

} // namespace

void add_index(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("index", "Write an index next to each trace, for --part");
    auto options = std::make_shared<IndexOptions>();
    options->traces.add_to(verb);
    verb.add_option("--every", options->every,
                    "bytes of events that a window reads at most besides its own (default: 8MB)")
        ->as_size()
        ->check(in_range(std::uint64_t{1}, std::uint64_t{1} << 40U))
        ->type_name("SIZE");
    verb.add_flag("--cache", options->in_cache,
                  "write to your cache instead: ~/.cache/etl/index, at most 1 GB");
    add_force(verb, options->force);
    verb.footer(index_footer);
    verb.callback([options, &exit] { exit = run_index(*options); });
}

} // namespace cli
