// logman query providers.
#include <etl/session.hpp>

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "inputs/schema_sources.hpp"
#include "verbs/logman/logman.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace cli::logman {

namespace {

using etl::session::ProviderState;
using Names = etl::schema::ProviderNames;

std::string rule() {
    return std::string(79, '-') + '\n';
}

void append_provider(std::string& to, std::string_view name, const etl::Guid& guid) {
    to += fmt::format("{:<40} {}\n", printable(name), etl::session::logman_guid(guid));
}

std::string provider_heading() {
    return fmt::format("\n{:<40} GUID\n", "Provider") + rule();
}

void append_keywords(std::string& to, const Names& names) {
    to += fmt::format("\n{:<19} {:<20} Description\n", "Value", "Keyword") + rule();
    for (const auto& [mask, name] : names.keywords) {
        to += fmt::format("0x{:016x}  {}\n", mask, printable(name));
    }
}

void append_levels(std::string& to, const Names& names) {
    constexpr std::array<std::string_view, 5> predefined{"win:Critical", "win:Error", "win:Warning",
                                                         "win:Informational", "win:Verbose"};
    to += fmt::format("\n{:<19} {:<20} Description\n", "Value", "Level") + rule();
    for (std::size_t i = 0; i < predefined.size(); ++i) {
        const auto level = static_cast<std::uint8_t>(i + 1);
        to += fmt::format("0x{:02x}                {:<20} {}\n", level, predefined.at(i),
                          names.level_name(level));
    }
    for (const auto& [level, text] : names.levels) {
        if (level > predefined.size()) {
            to += fmt::format("0x{:02x}                {}\n", level, printable(text));
        }
    }
}

void append_processes(std::string& to, const std::vector<ProviderState>& registered,
                      const etl::Guid& guid) {
    std::set<std::uint32_t> ids;
    for (const ProviderState& provider : registered) {
        for (const auto& instance : provider.instances) {
            if (provider.guid == guid && provider.is_registered) {
                ids.insert(instance.process_id);
            }
        }
    }
    to += fmt::format("\n{:<19} Image\n", "PID") + rule();
    for (const std::uint32_t id : ids) {
        to += fmt::format("0x{:08x}\n", id);
    }
}

bool is_in_process(const ProviderState& provider, std::uint32_t process) {
    return provider.is_registered &&
           std::ranges::any_of(provider.instances, [&](const ProviderState::Instance& instance) {
               return instance.process_id == process;
           });
}

/// A provider, from its schema, and from the programs that have registered it.
struct Known {
    std::string name;
    etl::Guid guid;
    const Names* names = nullptr;
};

std::vector<Known> known_providers(const DescribedProviders& described,
                                   const std::vector<ProviderState>& registered) {
    std::vector<Known> list;
    std::set<etl::Guid> seen;
    for (const auto& names : described) {
        list.push_back({names->name, names->guid, names.get()});
        seen.insert(names->guid);
    }
    for (const ProviderState& provider : registered) {
        if (provider.is_registered && !provider.is_group && seen.insert(provider.guid).second) {
            list.push_back({provider.name, provider.guid});
        }
    }
    std::ranges::sort(list, {}, [](const Known& one) {
        return std::pair(etl::to_lower_ascii(one.name), one.guid);
    });
    return list;
}

bool is_named(const Known& known, const std::string& wanted) {
    const auto guid = etl::parse_guid(wanted);
    return guid ? known.guid == *guid : etl::equals_ignoring_case(known.name, wanted);
}

ExitCode print_one(const std::vector<Known>& list, const std::vector<ProviderState>& registered,
                   const std::string& wanted) {
    const auto found =
        std::ranges::find_if(list, [&](const Known& known) { return is_named(known, wanted); });
    if (found == list.end()) {
        say(fmt::format("no schema describes the provider '{}', and no program has registered it; "
                        "`logman query providers` lists the providers",
                        printable(wanted)));
        return ExitCode::failed;
    }
    std::string text = provider_heading();
    append_provider(text, found->name, found->guid);
    if (found->names != nullptr) {
        append_keywords(text, *found->names);
        append_levels(text, *found->names);
    }
    append_processes(text, registered, found->guid);
    return print(text + completed);
}

} // namespace

ExitCode print_providers(const CommandLine& line) {
    // Schemas are there without a host. Programs that wait for one link to it.
    auto host = etl::machine::Controller::connect();
    auto states = host ? host->providers() : std::vector<ProviderState>();
    const std::vector<ProviderState> registered = states.value_or(std::vector<ProviderState>());
    const DescribedProviders described = read_described_providers();
    const std::vector<Known> list = known_providers(described, registered);
    if (line.words.size() > 1) {
        return print_one(list, registered, line.words[1]);
    }
    std::string text = provider_heading();
    for (const Known& known : list) {
        const auto state = std::ranges::find(registered, known.guid, &ProviderState::guid);
        if (line.process == 0 ||
            (state != registered.end() && is_in_process(*state, line.process))) {
            append_provider(text, known.name.empty() ? etl::to_string(known.guid) : known.name,
                            known.guid);
        }
    }
    return print(text + completed);
}

} // namespace cli::logman
