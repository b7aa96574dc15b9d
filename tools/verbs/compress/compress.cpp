// etl compress, etl decompress: traces into a packed form and back. docs/compress.md
#include <etl/base/text.hpp>
#include <etl/io/find_files.hpp>
#include <etl/trace/inputs.hpp>

#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "cli/trace_output.hpp"
#include "cli/verbs.hpp"
#include "verbs/compress/repacking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace cli {

namespace {

using etl::io::Container;

constexpr const char* compress_footer = R"(Examples:
  etl compress trace.etl                          makes trace.etl.zst, which any verb reads as it is
  etl compress --in-place *.etl                   the same of many; what was packed is removed
  etl compress --to xpress --in-place trace.etl   inside the .etl, as Windows does and reads it
  etl compress trace.etl --to lz4 --level fast -o /backup
An input is removed or replaced only with --in-place, when its packed form is complete and on the disk.
Exit codes: 0, 1 (some traces could not be packed; the others are), 2 (none could), 64 (usage). See docs/compress.md.)";

constexpr const char* decompress_footer = R"(Examples:
  etl decompress trace.etl.zst                    makes trace.etl, byte for byte what was packed
  etl decompress --in-place *.etl.zst             the same of many; the packed files are removed
  etl decompress --in-place trace.etl             of a trace that is compressed inside
  etl decompress trace.etl.lz4 -o - | other-tool
An input is removed or replaced only with --in-place, when the output is complete and on the disk.
Exit codes: 0, 1 (some traces could not be unpacked; the others are), 2 (none could), 64 (usage). See docs/compress.md.)";

/// The files that one argument means; none, and the reason is printed.
std::vector<CompressInput> find_inputs(const std::string& argument) {
    if (argument == "-") {
        say("standard input cannot be packed or unpacked here: name a file");
        return {};
    }
    auto found = etl::trace::find_inputs(argument, etl::io::Recursion::no);
    if (found && found->empty()) {
        found = etl::fail(etl::ErrorCode::not_found, "no trace in this folder");
    }
    if (!found) {
        say(argument, found.error());
        return {};
    }
    std::vector<CompressInput> inputs;
    for (std::string& path : *found) {
        const Named named = path == argument ? Named::itself : Named::by_folder;
        inputs.push_back({std::move(path), named});
    }
    return inputs;
}

/// Whether the name of a file says another form; names without an ending that is known say none.
bool contradicts(const std::string& output, Form form) {
    if (output.empty() || output == "-" || etl::io::is_directory(output)) {
        return false;
    }
    const Container named = etl::io::container_by_name(output);
    const bool says_none =
        named == Container::none && !etl::to_lower_ascii(output).ends_with(".etl");
    return !says_none && named != container_of(form);
}

/// What contradicts what; empty: nothing.
std::string why_not(const CompressOptions& options, Form form, std::size_t inputs) {
    if (options.in_place && !options.output.empty()) {
        return "--in-place and -o at once";
    }
    if (inputs > 1 && !options.output.empty() && !etl::io::is_directory(options.output)) {
        return "of several traces -o names a folder";
    }
    if (contradicts(options.output, form)) {
        return fmt::format("'{}' is no name for that form: .etl.zst is zst, .etl.lz4 is lz4, .etl "
                           "all others",
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

/// By --to, or the ending of what -o names.
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

void add_common(CLI::App& verb, CompressOptions& options) {
    verb.add_option("FILE", options.arguments, "traces, folders of traces, or globs")->required();
    verb.add_option("-o,--output", options.output,
                    "write to FILE, or into a folder; - for a pipe (default: beside the input)")
        ->check(CLI::Validator(
            [](const std::string& path) {
                return etl::io::is_directory(path) ? std::string() : why_no_output(path);
            },
            ""))
        ->type_name("FILE");
    verb.add_flag("--in-place", options.in_place,
                  "replace the input, or remove it, when the output is complete and on the "
                  "disk (default: inputs stay)");
    verb.add_flag("--force", options.force, "replace existing files, never an input");
    verb.add_option("--threads", options.threads,
                    "threads that pack (default: as many as the machine runs)")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N");
    add_progress(verb, options.progress);
}

} // namespace

void add_compress(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand("compress", "Pack traces, so that they stay readable");
    auto options = std::make_shared<CompressOptions>();
    add_common(verb, *options);
    verb.add_option_function<std::string>(
            "--to",
            [options](const std::string& word) {
                const std::map<std::string, Form> forms = {{"zst", Form::zst},
                                                           {"lz4", Form::lz4},
                                                           {"xpress", Form::xpress},
                                                           {"xpress-huffman", Form::xpress_huffman},
                                                           {"lznt1", Form::lznt1}};
                const auto found = forms.find(etl::to_lower_ascii(word));
                if (found == forms.end()) {
                    throw CLI::ValidationError("--to", "'" + printable(word) + "' is no form");
                }
                options->form = found->second;
            },
            "zst or lz4 (a file around the trace), or xpress, xpress-huffman or lznt1 (inside the "
            ".etl; Windows reads xpress) (default: by the name of -o, else zst)")
        ->type_name("FORM");
    add_choice<etl::codec::Level>(verb, "--level", options->level,
                                  {{"fast", etl::codec::Level::fast},
                                   {"normal", etl::codec::Level::normal},
                                   {"small", etl::codec::Level::small}},
                                  "fast, normal or small (default: normal)", "LEVEL");
    verb.footer(compress_footer);
    verb.callback([options, &exit] { exit = run(*options, form_of(*options)); });
}

void add_decompress(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand("decompress", "Unpack traces");
    auto options = std::make_shared<CompressOptions>();
    add_common(verb, *options);
    verb.footer(decompress_footer);
    verb.callback([options, &exit] { exit = run(*options, Form::plain); });
}

} // namespace cli
