// xperf -loggers, -providers.
#include <etl/session.hpp>

#include "base/text.hpp"
#include "cli/print.hpp"
#include "session/kernel_flags.hpp"
#include "verbs/xperf/sessions/sessions.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace cli::xperf {

namespace {

std::vector<etl::session::InstalledProvider> installed_providers() {
    std::vector<etl::session::InstalledProvider> list;
    for (const auto& names : read_described_providers()) {
        list.push_back({printable(names->name), names->guid});
    }
    return list;
}

/// Registered providers by name, if a program or a schema has given them one.
bool append_registered(std::string& text) {
    auto host = connect_to_host();
    if (!host) {
        return false;
    }
    const auto providers = host->providers();
    if (!providers) {
        say_failure("machine sessions", providers.error());
        return false;
    }
    etl::session::append_registered(text, *providers, names_of(*host));
    return true;
}

} // namespace

ExitCode list_loggers(const std::vector<std::string>& names) {
    auto host = connect_to_host();
    if (!host) {
        return ExitCode::failed;
    }
    std::vector<etl::session::SessionState> states;
    ExitCode exit = ExitCode::well;
    for (const std::string& name : names) {
        auto state = host->query(name);
        exit = state ? exit : say_failure(name, state.error());
        if (state) {
            states.push_back(*std::move(state));
        }
    }
    if (names.empty()) {
        auto all = host->sessions();
        if (!all) {
            return say_failure("machine sessions", all.error());
        }
        states = *std::move(all);
        if (states.empty()) {
            say("no sessions; `-start NAME -on PROVIDER -f FILE` starts one");
        }
    }
    std::string text;
    etl::session::append_sessions(text, states, names_of(*host));
    return worst(exit, print(text));
}

std::vector<List> lists_named(const OptionValues& values) {
    using enum List;
    static const std::map<std::string, std::vector<List>> known{
        {"installed", {installed}}, {"i", {installed}},       {"registered", {registered}},
        {"r", {registered}},        {"kernelflags", {flags}}, {"kf", {flags}},
        {"kernelgroups", {groups}}, {"kg", {groups}},         {"kernel", {flags, groups}},
        {"k", {flags, groups}}};
    std::vector<List> lists;
    for (const std::string& word : values.texts()) {
        const auto found = known.find(etl::to_lower_ascii(word));
        if (found == known.end()) {
            values.refuse("expected Installed (I), Registered (R), KernelFlags (KF), KernelGroups "
                          "(KG), or Kernel (K); found '" +
                          printable(word) + "'");
        }
        std::ranges::copy(found->second, std::back_inserter(lists));
    }
    return lists.empty() ? std::vector<List>{installed, registered, flags, groups} : lists;
}

ExitCode list_providers(const std::vector<List>& lists) {
    std::string text;
    for (const List list : lists) {
        text += text.empty() ? "" : "\n";
        switch (list) {
        case List::installed:
            etl::session::append_installed(text, installed_providers());
            break;
        case List::registered:
            if (!append_registered(text)) {
                return ExitCode::failed;
            }
            break;
        case List::flags:
            etl::session::append_kernel_flags(text);
            break;
        case List::groups:
            etl::session::append_kernel_groups(text);
            break;
        }
    }
    return print(text);
}

} // namespace cli::xperf
