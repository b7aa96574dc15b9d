// etl schema header: writes events as C++ functions, or as the message compiler's macros.
#include "authoring/cpp_header.hpp"
#include "authoring/mc_header.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "inputs/schema_sources.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/schema/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

enum class HeaderStyle : std::uint8_t { cpp, mc };

struct HeaderOptions {
    SourceOptions sources;
    std::vector<std::string> providers;
    HeaderStyle style = HeaderStyle::cpp;
    etl::authoring::CppHeaderOptions cpp;
    etl::authoring::McHeaderOptions mc;
    std::vector<Option*> cpp_options; // that only one style has
    std::vector<Option*> mc_options;
    std::string output;
};

constexpr const char* header_footer = R"(Examples:
  etl schema header coffee.man -o coffee_events.hpp --namespace coffee_events
  etl schema header coffee.man -o coffee.h --style mc
  etl schema header driver.sys -o - | less
Style cpp: one function per event, with the fields as parameters; pass its result to
etl::Writer. See docs/providers.md.
Style mc: macros such as EventRegisterCoffee() and EventWriteBrewed(...), for programs written for
Windows in C or C++. See docs/compat.md.)";

etl::Result<etl::authoring::CppHeader> header_of(const etl::schema::SchemaSet& set,
                                                 const HeaderOptions& options) {
    return options.style == HeaderStyle::mc ? etl::authoring::write_mc_header(set, options.mc)
                                            : etl::authoring::write_cpp_header(set, options.cpp);
}

bool has_right_options(const HeaderOptions& options) {
    const bool is_mc = options.style == HeaderStyle::mc;
    const auto& others = is_mc ? options.cpp_options : options.mc_options;
    const auto wrong =
        std::ranges::find_if(others, [](const Option* option) { return option->count() != 0; });
    if (wrong != others.end()) {
        say(fmt::format("{} requires --style {}", (*wrong)->get_name(), is_mc ? "cpp" : "mc"));
    }
    return wrong == others.end();
}

ExitCode write_header(const HeaderOptions& options) {
    if (!has_right_options(options)) {
        return ExitCode::usage;
    }
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
    const auto header = header_of(set, options);
    if (!header && header.error().code == etl::ErrorCode::invalid_option) {
        const bool is_mc = options.style == HeaderStyle::mc;
        say(fmt::format("{}: '{}' is not a valid {}", is_mc ? "--write-prefix" : "--namespace",
                        printable(is_mc ? options.mc.write_prefix : options.cpp.name_space),
                        is_mc ? "identifier" : "namespace"));
        return ExitCode::usage;
    }
    if (!header) {
        say(options.output, header.error());
        return ExitCode::failed;
    }
    print_notes(header->notes);
    return worst(sources.exit, write_file(options.output, header->text));
}

void add_style_options(Verb& verb, HeaderOptions& options) {
    options.cpp_options.push_back(
        verb.add_option("--namespace", options.cpp.name_space,
                        "cpp: namespace of the code; contains a nested one per "
                        "provider if there are several (default: etw::PROVIDER)")
            ->type_name("NAME"));
    options.mc_options.push_back(
        verb.add_option("--write-prefix", options.mc.write_prefix,
                        "mc: first part of the names of macros that write (mc -p; "
                        "default: EventWrite)")
            ->type_name("NAME"));
    options.mc_options.push_back(
        verb.add_option("--cut-prefix", options.mc.cut_prefix,
                        "mc: omit TEXT at the start of symbols in names of macros "
                        "(mc -P)")
            ->type_name("TEXT"));
    options.mc_options.push_back(verb.add_flag(
        "--kernel", options.mc.kernel, "mc: macros that write take an activity ID first (mc -km)"));
    options.mc_options.push_back(
        verb.add_flag("--callout", options.mc.callout,
                      "mc: call the macro MCGEN_CALLOUT after each write (mc -co)"));
}

} // namespace

void add_schema_header(Verb& schema, ExitCode& exit) {
    Verb& verb = *schema.add_subcommand(
        "header", "Write events as a C or C++ header for programs that log them");
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
    add_choice(verb, "--style", options->style,
               {{"cpp", HeaderStyle::cpp}, {"mc", HeaderStyle::mc}},
               "cpp (functions), or mc (the macros of Windows' message compiler, for C and C++) "
               "(default: cpp)",
               "STYLE");
    verb.add_option("--provider", options->providers, "only these providers: name, glob, or GUID")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->type_name("NAME|GUID");
    options->sources.add_culture(verb);
    options->sources.code_names = true;
    add_style_options(verb, *options);
    verb.footer(header_footer);
    verb.callback([options, &exit] { exit = write_header(*options); });
}

} // namespace cli
