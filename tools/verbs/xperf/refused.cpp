// What only Windows can do, or what is not supported: refused with what to use instead.
#include "verbs/xperf/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cli::xperf {

namespace {

struct Refused {
    const char* name;
    const char* why; // continues a sentence after a semicolon
};

constexpr const char* no_boot = "boot phases are not computed; `etl timeline` and `etl cpu` show "
                                "what happened when";
constexpr const char* no_memory =
    "its events are not summed; `-a dumper` and `etl stats --by event` "
    "show them";

constexpr Refused all_refused[] = {
    {"boot", no_boot},
    {"bootprefetch", no_boot},
    {"diskidlehistogram", "`-a diskio` prints disk times"},
    {"drvdelay", "`-a dpcisr` and `-a diskio` print times by routine and disk"},
    {"heap", no_memory},
    {"memfootprint", no_memory},
    {"pnp", no_memory},
    {"pool", no_memory},
    {"prefetch", no_boot},
    {"registry", no_memory},
    {"screenshots", "traces with screenshots are read with `-a dumper`"},
    {"services", no_memory},
    {"shutdown", no_boot},
    {"spinlock", no_memory},
    {"suspend", no_boot},
    {"symcache", "symbol files are read in place; `etl symbols TRACE` lists them"},
    {"syscall", no_memory},
    {"winsat", no_memory},
    {"wmi", no_memory},
};

constexpr Refused merge_words[] = {
    {"injectonly", "image identities come from the machine that was traced"},
    {"suppresspii", "`etl relog --anonymize` replaces personal data"},
};

} // namespace

void add_refused(Verb& verb) {
    for (const Refused& action : all_refused) {
        Verb& app = *verb.add_subcommand(action.name, fmt::format("Not supported: {}", action.why));
        app.group("");
        app.prefix_command();
        app.callback([action] {
            throw UsageError(fmt::format("-a {}", action.name),
                             fmt::format("not supported; {}", action.why));
        });
    }
    for (const Refused& word : merge_words) {
        refuse_option(verb, std::string("--") + word.name, word.why);
    }
}

std::vector<std::string> refused_actions() {
    std::vector<std::string> names;
    std::ranges::transform(all_refused, std::back_inserter(names), &Refused::name);
    return names;
}

} // namespace cli::xperf
