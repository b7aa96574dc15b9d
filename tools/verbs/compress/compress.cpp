// etl compress, etl decompress: compress and decompress traces. docs/compress.md
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "io/find_files.hpp"
#include "outputs/trace_output.hpp"
#include "trace/inputs.hpp"
#include "verbs/compress/repacking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace cli {

namespace {

using etl::io::Container;

constexpr const char* compress_footer = R"(Examples:
  etl compress trace.etl                          write trace.etl.zst, which every verb reads
  etl compress --in-place *.etl                   compress many traces and remove the originals
  etl compress --format xpress --in-place trace.etl   compress the buffers of the .etl, as Windows does
  etl compress trace.etl --format lz4 --level fast -o /backup
Inputs are removed or replaced only with --in-place, when the output is complete and on disk.
Exit codes: 0 success, 1 some traces were not compressed, 2 failure, 64 usage error. See docs/compress.md.)";

constexpr const char* decompress_footer = R"(Examples:
  etl decompress trace.etl.zst                    write trace.etl, byte for byte as it was
  etl decompress --in-place *.etl.zst             decompress many traces and remove the originals
  etl decompress --in-place trace.etl             decompress the buffers of the .etl
  etl decompress trace.etl.lz4 -o - | other-tool
Inputs are removed or replaced only with --in-place, when the output is complete and on disk.
Exit codes: 0 success, 1 some traces were not decompressed, 2 failure, 64 usage error. See docs/compress.md.)";

/// The files of one argument. If there are none, prints why.
std::vector<CompressInput> find_inputs(const std::string& argument) {
    if (argument == "-") {
        say("standard input is not supported; name a file");
        return {};
    }
    auto found = etl::trace::find_inputs(argument, etl::io::Recursion::no);
    if (found) { // event logs in a directory are not traces
        std::erase_if(*found, [&](const std::string& path) {
            return path != argument && etl::to_lower_ascii(path).ends_with(".evtx");
        });
    }
    if (found && found->empty()) {
        found = etl::fail(etl::ErrorCode::not_found, "no traces in this directory");
    }
    if (!found) {
        say(argument, found.error());
        return {};
    }
    std::vector<CompressInput> inputs;
    for (std::string& path : *found) {
        const Named named = path == argument ? Named::itself : Named::by_directory;
        inputs.push_back({std::move(path), named});
    }
    return inputs;
}

/// Whether the extension of the output belongs to another format; unknown extensions belong to
/// none.
bool contradicts(const std::string& output, Form form) {
    if (output.empty() || output == "-" || etl::io::is_directory(output)) {
        return false;
    }
    const Container named = etl::io::container_by_name(output);
    const bool is_unknown =
        named == Container::none && !etl::to_lower_ascii(output).ends_with(".etl");
    return !is_unknown && named != container_of(form);
}

/// Why the options contradict each other; empty if they do not.
std::string why_not(const CompressOptions& options, Form form, std::size_t inputs) {
    if (options.in_place && !options.output.empty()) {
        return "--in-place excludes -o";
    }
    if (inputs > 1 && !options.output.empty() && !etl::io::is_directory(options.output)) {
        return "-o must name a directory for several inputs";
    }
    if (contradicts(options.output, form)) {
        return fmt::format("-o {}: the extension does not match the format; use .etl.zst for zst, "
                           ".etl.lz4 for lz4, and .etl for the others",
                           printable(options.output));
    }
    if (options.output == "-" && etl::io::is_regular_file("/dev/stdout")) {
        return "standard output is a regular file; name it with -o";
    }
    return {};
}

ExitCode run(const CompressOptions& options, Form form) {
    std::vector<CompressInput> inputs;
    EachInput exit;
    OutputGuard guard;
    guard.leaves_rights();
    for (const std::string& argument : options.arguments) {
        std::vector<CompressInput> found = find_inputs(argument);
        if (found.empty()) {
            exit.add(ExitCode::failed);
        }
        for (CompressInput& input : found) {
            guard.reads(input.path);
            inputs.push_back(std::move(input));
        }
    }
    if (const std::string why = why_not(options, form, inputs.size()); !why.empty()) {
        say(why);
        return ExitCode::usage;
    }
    if (!guard.permits_standard_streams()) {
        return ExitCode::failed;
    }
    ProgressBar bar(options.progress);
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(inputs.size(), 1));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const double begin = share * static_cast<double>(i);
        exit.add(repack(options, inputs[i], form, guard, bar, begin, share));
    }
    return exit.exit_code();
}

/// By --format, or the extension of -o.
Form form_of(const CompressOptions& options) {
    if (options.form) {
        return *options.form;
    }
    if (options.output.empty() || options.output == "-" || etl::io::is_directory(options.output)) {
        return Form::zst;
    }
    switch (etl::io::container_by_name(options.output)) {
    case Container::zstd:
        return Form::zst;
    case Container::lz4:
        return Form::lz4;
    case Container::none:
        break;
    }
    return Form::xpress;
}

void add_common(Verb& verb, CompressOptions& options) {
    verb.add_option("FILE", options.arguments, "traces, directories of traces, or globs")
        ->required();
    verb.add_option("-o,--output", options.output,
                    "write to FILE or into a directory; - for a pipe (default: next to the input)")
        ->check([](const std::string& path) {
            return etl::io::is_directory(path) ? std::string() : why_no_output(path);
        })
        ->type_name("FILE");
    verb.add_flag("--in-place", options.in_place,
                  "replace or remove each input when its output is complete and on disk (default: "
                  "keep inputs)");
    verb.add_flag("--force", options.force, "replace existing files, never an input");
    verb.add_option("--threads", options.threads,
                    "number of worker threads (default: logical processors)")
        ->check(in_range(0, 1024))
        ->type_name("N");
    add_progress(verb, options.progress);
}

} // namespace

void add_compress(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("compress", "Compress traces; every verb reads the result");
    auto options = std::make_shared<CompressOptions>();
    add_common(verb, *options);
    add_choice<std::optional<Form>>(
        verb, "--format", options->form,
        {{"zst", Form::zst},
         {"lz4", Form::lz4},
         {"xpress", Form::xpress},
         {"xpress-huffman", Form::xpress_huffman},
         {"lznt1", Form::lznt1}},
        "container: zst or lz4; or inside the .etl: xpress (readable on Windows), xpress-huffman, "
        "or lznt1 (default: by the extension of -o, else zst)",
        "FORMAT");
    add_choice<etl::codec::Level>(verb, "--level", options->level,
                                  {{"fast", etl::codec::Level::fast},
                                   {"normal", etl::codec::Level::normal},
                                   {"small", etl::codec::Level::small}},
                                  "fast, normal, or small (default: normal)", "LEVEL");
    verb.footer(compress_footer);
    verb.callback([options, &exit] { exit = run(*options, form_of(*options)); });
}

void add_decompress(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("decompress", "Decompress traces");
    auto options = std::make_shared<CompressOptions>();
    add_common(verb, *options);
    verb.footer(decompress_footer);
    verb.callback([options, &exit] { exit = run(*options, Form::plain); });
}

} // namespace cli
