#include "captures/options.hpp"

#include "cli/option_values.hpp"

namespace cli {

void CaptureOptions::add_to(Verb& verb) {
    traces.add_to(verb);
    schemas.add_to(verb);
    filters.add_to(verb);
    verb.add_option("--component", choice.components,
                    "keep packets at these components of PktMon or interfaces: IDs, names, "
                    "descriptions, or globs, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("ID|NAME")
        ->group("Packets");
    verb.add_flag("--nic", choice.adapters_only,
                  "keep packets at network adapters: each packet once, without those seen higher "
                  "in the network stack")
        ->group("Packets");
    auto* const only = verb.add_flag_callback(
        "--drops", [this] { choice.drops = etl::packets::Drops::only; },
        "keep dropped packets only");
    auto* const without = verb.add_flag_callback(
        "--no-drops", [this] { choice.drops = etl::packets::Drops::without; },
        "omit dropped packets");
    only->excludes(without)->group("Packets");
    without->group("Packets");
    Option* const file = verb.get_option("FILE")->required(false);
    Option* const following =
        verb.add_flag("--follow", follow, "continue while another program writes the trace");
    verb.add_option(
            "--session", session,
            "instead of FILE, read this session of the machine, in real-time mode, while it "
            "runs")
        ->excludes(file)
        ->excludes(following)
        ->type_name("NAME");
    add_pointer_size(verb, pointer_size);
    add_progress(verb, progress);
    anonymizing->add_to(verb);
}

void CaptureOptions::require_input() const {
    if (traces.arguments.empty() && session.empty()) {
        throw RequiredError("FILE");
    }
}

bool CaptureOptions::permits(const std::string& output, bool force) const {
    OutputGuard guard;
    guard.reads(traces);
    guard.reads(schemas);
    anonymizing->add_key_to(guard);
    if (!guard.permits(output, existing_files(force))) {
        return false;
    }
    guard.writes(output);
    return anonymizing->may_report(guard, existing_files(force));
}

} // namespace cli
