// etl schema header: writes events as C++ functions.
#include <etl/authoring/cpp_header.hpp>

#include "cli/console.hpp"
#include "cli/print.hpp"
#include "inputs/schema_sources.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/schema/verbs.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

struct HeaderOptions {
    SourceOptions sources;
    std::vector<std::string> providers;
    etl::authoring::CppHeaderOptions header;
    std::string output;
};

constexpr const char* header_footer = R"(Examples:
  etl schema header coffee.man -o coffee_events.hpp --namespace coffee_events
  etl schema header driver.sys -o - | less
The header contains one function per event, with the fields as parameters; pass its result to etl::trace::Writer.
See docs/providers.md.)";

ExitCode write_header(const HeaderOptions& options) {
    if (!guard_of(options.sources).permits(options.output, OutputGuard::Existing::replace)) {
        return ExitCode::failed;
    }
    Sources sources = read_sources(options.sources);
    if (sources.exit == ExitCode::failed) {
        return ExitCode::failed;
    }
    etl::schema::SchemaSet set = join(std::move(sources.list));
    select_providers(set, options.providers);
    remove_classes(set);
    if (set.events.empty()) {
        say("no events found that a header can describe");
        return ExitCode::failed;
    }
    const auto header = etl::authoring::write_cpp_header(set, options.header);
    if (!header && header.error().code == etl::ErrorCode::invalid_option) {
        say(fmt::format("--namespace: '{}' is not a valid namespace",
                        printable(options.header.name_space)));
        return ExitCode::usage;
    }
    if (!header) {
        say(options.output, header.error());
        return ExitCode::failed;
    }
    print_notes(header->notes);
    return worst(sources.exit, write_file(options.output, header->text));
}

} // namespace

void add_schema_header(CLI::App& schema, ExitCode& exit) {
    CLI::App& verb =
        *schema.add_subcommand("header", "Write events as a C++ header for programs that log them");
    auto options = std::make_shared<HeaderOptions>();
    verb.add_option("PATH", options->sources.paths,
                    "schema files (manifests, executables, ...), directories, or archives")
        ->required()
        ->type_name("");
    verb.add_option("-o,--output", options->output,
                    "write to FILE, which appears when complete and replaces an existing file, "
                    "never an input; - for standard output")
        ->required()
        ->type_name("FILE");
    verb.add_option("--namespace", options->header.name_space,
                    "namespace of the code; contains a nested one per provider if there are "
                    "several (default: etw::PROVIDER)")
        ->type_name("NAME");
    verb.add_option("--provider", options->providers, "only these providers: name, glob, or GUID")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->type_name("NAME|GUID");
    options->sources.add_culture(verb);
    verb.footer(header_footer);
    verb.callback([options, &exit] { exit = write_header(*options); });
}

} // namespace cli
