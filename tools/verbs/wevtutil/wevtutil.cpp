// etl wevtutil: the command line of Windows' wevtutil. docs/from-windows.md
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/verbs.hpp"
#include "cli/windows_words.hpp"
#include "verbs/wevtutil/verbs.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

constexpr const char* wevtutil_footer = R"(Examples:
  etl wevtutil qe trace.etl /lf:true /f:text /c:5 /rd:true     print the newest five events
  etl wevtutil qe trace.etl /q:"*[System[Level<=2]]"           print errors
  etl wevtutil epl Security.evtx failures.evtx /q:"*[System[EventID=4625]]"   copy events
  etl wevtutil ep                              list publishers
  etl wevtutil gp Microsoft-Windows-Kernel-Process /ge:true /gm:true
  etl wevtutil im provider.man                 use a manifest in all later runs
  etl wevtutil el provider.man                 list the logs that a manifest declares
Publishers and logs are those of schema files: built in, installed with im, or named on the command line. Verbs have a
short and a long name (ep, enum-publishers). Exit codes: 0 success, 1 damage, 2 failure, 64 usage error. See
docs/from-windows.md.)";

/// A verb that has a meaning on a Windows machine only.
struct RefusedVerb {
    const char* name;
    const char* long_name;
    const char* reason;
};

constexpr RefusedVerb refused_verbs[] = {
    {"sl", "set-log", "logs are configured on a Windows machine"},
    {"gli", "get-log-info", "logs are kept by a Windows machine; `etl info FILE` describes a file"},
    {"al", "archive-log", "a file that `etl` reads needs no texts of the machine"},
    {"cl", "clear-log", "logs are kept by a Windows machine; nothing here deletes events"},
};

/// An option of all verbs that has a meaning on a Windows machine only.
struct RefusedOption {
    const char* names;
    const char* reason;
};

constexpr const char* no_remote = "other machines are not queried; copy their files here";

constexpr RefusedOption refused_options[] = {
    {"--r,--remote", no_remote},
    {"--u,--username", no_remote},
    {"--p,--password", no_remote},
    {"--a,--authentication", no_remote},
    {"--uni,--unicode", "the output is UTF-8; `iconv -t UTF-16` converts it"},
};

void add_refused_options(Verb& verb) {
    for (const RefusedOption& option : refused_options) {
        const std::string name =
            std::string(option.names).substr(1, std::string(option.names).find(',') - 1);
        verb.add_option_function<std::string>(
                option.names,
                [name, reason = option.reason](const std::string& value) {
                    if (etl::to_lower_ascii(value) != "false") {
                        throw UsageError(name, reason);
                    }
                },
                fmt::format("not supported: {}", option.reason))
            ->before_requirements()
            ->type_name("VALUE")
            ->group("Not supported");
    }
}

void add_refused(Verb& wevtutil, const RefusedVerb& refused, ExitCode& exit) {
    Verb& verb = *wevtutil.add_subcommand(
        refused.name, fmt::format("{}: refused: {}", refused.long_name, refused.reason));
    verb.alias(refused.long_name);
    verb.allow_extras();
    verb.callback([&refused, &exit] {
        say(fmt::format("{}: {}", refused.long_name, refused.reason));
        exit = ExitCode::usage;
    });
}

} // namespace

void add_wevtutil(Verb& etl, ExitCode& exit) {
    Verb& verb = add_windows_tool(etl, "wevtutil",
                                  "Describe publishers and logs (Windows' wevtutil command)");
    verb.require_subcommand(1);
    verb.footer(wevtutil_footer); // verbs inherit it
    add_wevtutil_queries(verb, exit);
    add_wevtutil_exports(verb, exit);
    add_wevtutil_logs(verb, exit);
    add_wevtutil_publishers(verb, exit);
    add_wevtutil_manifests(verb, exit);
    for (Verb* one : verb.verbs()) {
        add_refused_options(*one);
    }
    for (const RefusedVerb& refused : refused_verbs) {
        add_refused(verb, refused, exit);
    }
    for (Verb* one : verb.verbs()) {
        one->group("Verbs");
    }
}

} // namespace cli
