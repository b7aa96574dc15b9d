// -a dumper, and the actions that print some of its lines.
#include "dumper/limits.hpp"
#include "flow/context.hpp"
#include "format/records.hpp"
#include "verbs/xperf/parts.hpp"
#include "verbs/xperf/passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace cli::xperf {

namespace {

using namespace etl::literals;

struct DumperOptions {
    Range range;
    std::vector<std::string> providers;
    bool has_raw_data = false, excludes_interrupts = false;
};

std::vector<etl::Guid> parse_providers(const std::vector<std::string>& words) {
    std::vector<etl::Guid> guids;
    for (const std::string& word : words) {
        const auto guid = etl::parse_guid(word);
        if (!guid) {
            throw UsageError("-provider", "'" + printable(word) +
                                              "' is not a GUID "
                                              "({315a8872-923e-4ea2-9889-33cd4754bf64})");
        }
        guids.push_back(*guid);
    }
    return guids;
}

constexpr std::uint16_t thread_hooks[] = {0x0501, 0x0502, 0x0503, 0x0504};
constexpr std::uint16_t memory_hooks[] = {0x0262, 0x0263};
constexpr std::uint16_t interval_hooks[] = {0x0F48, 0x0F49, 0x0F4A};
constexpr std::uint16_t disk_hooks[] = {0x010A, 0x010B, 0x010E};
constexpr std::uint16_t file_name_hooks[] = {0x0400, 0x0420, 0x0423, 0x0424};
constexpr std::uint16_t mark_hooks[] = {0x0F22};
constexpr etl::Guid win32k = "8c416c79-d49b-4f01-a467-e56d3aa8234c"_guid;

using Hooks = std::span<const std::uint16_t>;

bool has_hook_of(const etl::flow::Event& event, Hooks hooks) {
    const auto hook = etl::flow::kernel_hook_of(event);
    return hook && std::ranges::find(hooks, *hook) != hooks.end();
}

/// FocusedProcessChange.
bool is_focus_change(const etl::flow::Event& event) {
    constexpr std::uint16_t id = 27;
    return etl::format::is_event(event.kind) &&
           etl::flow::stored<etl::format::event_record::provider_id>(event) == win32k &&
           etl::flow::stored<etl::format::event_record::id>(event) == id;
}

ExitCode list_hooks(const Run& run, const Range& range, Hooks hooks) {
    return dump(run, {.from = range.from(), .to = range.to(), .wants = [hooks](const auto& event) {
                          return has_hook_of(event, hooks);
                      }});
}

/// An action that prints lines of the dumper.
Verb& add_list(Verb& verb, std::vector<Action>& actions, const std::string& name,
               const std::string& help, std::function<bool(const etl::flow::Event&)> wants) {
    Verb& app = *verb.add_subcommand(name, help);
    const auto range = std::make_shared<Range>();
    range->add_to(app);
    actions.push_back({&app, [range, wants = std::move(wants)](const Run& run, auto&&...) {
                           return dump(run,
                                       {.from = range->from(), .to = range->to(), .wants = wants});
                       }});
    return app;
}

void add_marks(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("marks", "Print marks");
    const auto range = std::make_shared<Range>();
    const auto summary = std::make_shared<bool>(false);
    app.add_flag("--summary", *summary, "only times and texts");
    range->add_to(app);
    add_report(
        actions, app,
        [range, summary] {
            return *summary ? Report{.parts = {{.title = "Marks", .table = "marks"}},
                                     .selection = range->selection()}
                            : Report();
        },
        [range, summary](const Run& run) {
            return *summary ? ExitCode::well : list_hooks(run, *range, mark_hooks);
        });
}

} // namespace

void refuse_option(Verb& action, const std::string& name, const std::string& why) {
    action
        .add_flag_callback(
            name, [name, why] { throw UsageError(name.substr(1), "not supported: " + why); },
            "not supported: " + why)
        ->group("Not supported");
}

void add_dumper(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("dumper", "Print all events as text (the default action)");
    const auto options = std::make_shared<DumperOptions>();
    options->range.add_to(app);
    app.add_option("--provider", options->providers,
                   "only events of these providers or kernel classes")
        ->type_name("{GUID}...");
    app.add_flag("--add_rawdata", options->has_raw_data,
                 "before each event, print `# CPU # raw timestamp # nanoseconds`");
    refuse_option(app, "--add_pgodata", "traces contain no profile-guided optimization data");
    refuse_option(app, "--add_inline", "`etl symbols` lists inlined functions of addresses");
    app.add_flag("--stacktimeshifting")
        ->description("accepted: stacks always follow the event with their timestamp");
    app.add_flag("--exc_dpcisr", options->excludes_interrupts,
                 "InSwitchTime without DPCs and ISRs");
    actions.push_back({&app, [options](const Run& run, auto&&...) {
                           return dump(run, {.from = options->range.from(),
                                             .to = options->range.to(),
                                             .providers = parse_providers(options->providers),
                                             .has_raw_data = options->has_raw_data,
                                             .excludes_interrupts = options->excludes_interrupts});
                       }});
}

void add_lists(Verb& verb, std::vector<Action>& actions) {
    add_list(verb, actions, "filename", "Print the names of file objects",
             [](const auto& event) { return has_hook_of(event, file_name_hooks); });
    add_list(verb, actions, "focuschange", "Print changes of the process in the foreground",
             is_focus_change);
    add_marks(verb, actions);
}

ExitCode list_threads(const Run& run, const Range& range) {
    return list_hooks(run, range, thread_hooks);
}

ExitCode list_memory_ranges(const Run& run, const Range& range) {
    return list_hooks(run, range, memory_hooks);
}

ExitCode list_sampling_intervals(const Run& run, const Range& range) {
    return list_hooks(run, range, interval_hooks);
}

ExitCode list_disk_requests(const Run& run, const Range& range) {
    return list_hooks(run, range, disk_hooks);
}

} // namespace cli::xperf
