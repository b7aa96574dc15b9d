#include "verbs/wevtutil/log_file.hpp"

#include "cli/console.hpp"
#include "io/find_files.hpp"

#include <fmt/format.h>

namespace cli {

void add_log_file(Verb& verb, LogFileOptions& options) {
    verb.add_option_function<std::string>(
            "FILE", [&options](const std::string& file) { options.traces.arguments = {file}; },
            "trace or event log (.evtx)")
        ->required();
    verb.add_flag("--lf,--logfile", options.is_file, "true: FILE is a file, not a log");
    verb.add_option("--q,--query", options.filters.xpaths, "XPath query (docs/filters.md)")
        ->allow_extra_args(false)
        ->type_name("QUERY")
        ->check([&options](const std::string& query) {
            return options.filters.problem_of_xpath(query);
        });
    verb.add_option("--sq,--structuredquery", "refused: structured queries")
        ->type_name("VALUE")
        ->check([](const std::string&) {
            return std::string("structured queries are not supported; use /q with the XPath of "
                               "their Select");
        });
    verb.add_option("--computer", options.computer,
                    "computer of all events (default: as recorded; traces do not record it; not in "
                    "wevtutil)")
        ->type_name("NAME");
    verb.add_option("--schema", options.schemas.paths,
                    "schema file, as for `etl dump`; repeatable (not in wevtutil)")
        ->allow_extra_args(false)
        ->type_name("PATH");
}

bool is_log_file(const LogFileOptions& options) {
    const std::string& name = options.traces.arguments.front();
    if (options.is_file || etl::io::is_regular_file(name)) {
        return true;
    }
    say(fmt::format("{}: logs of Windows are not here; name a .evtx or .etl file and /lf:true",
                    printable(name)));
    return false;
}

} // namespace cli
