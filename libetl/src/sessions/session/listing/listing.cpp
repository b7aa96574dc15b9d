#include "session/listing.hpp"

#include "base/text.hpp"
#include "session/listing/logger_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace etl::session {

namespace {

bool name_before(std::string_view a, std::string_view b) {
    const std::string one = to_lower_ascii(a);
    const std::string two = to_lower_ascii(b);
    return one != two ? one < two : a < b;
}

constexpr std::string_view done = "\nThe command completed successfully.\n";

} // namespace

void append_sessions(std::string& to, std::span<const SessionState> sessions,
                     const NameLookup& name_of, ListingStyle form,
                     const KeywordLookup& keywords_of) {
    std::string_view between;
    for (const SessionState& session : sessions) {
        to.append(between);
        between = "\n";
        switch (form) {
        case ListingStyle::xperf:
        case ListingStyle::xperf_hex:
            append_as_xperf(to, session, name_of, form == ListingStyle::xperf_hex);
            break;
        case ListingStyle::tracelog:
            append_as_tracelog(to, session, name_of);
            break;
        case ListingStyle::logman:
            append_as_logman(to, session, name_of, keywords_of);
            break;
        }
    }
    if (form == ListingStyle::logman) {
        to.append(done);
    }
}

void append_session_table(std::string& to, std::span<const SessionState> sessions) {
    const auto line = [&](std::string_view name, std::string_view type, std::string_view status) {
        fmt::format_to(std::back_inserter(to), "{:<39} {:<29} {}\n", name, type, status);
    };
    line("Data Collector Set", "Type", "Status");
    to.append(std::string(79, '-') + '\n');
    for (const SessionState& session : sessions) {
        line(session.options.name, "Trace", "Running");
    }
    to.append(done);
}

void append_registered(std::string& to, std::span<const ProviderState> providers,
                       const NameLookup& name_of) {
    std::vector<std::string> names;
    std::vector<std::string> guids;
    for (const ProviderState& provider : providers) {
        if (!provider.is_registered || provider.is_group) {
            continue;
        }
        std::string name = name_or_empty(name_of, provider.guid);
        (name.empty() ? guids : names)
            .push_back(name.empty() ? to_string(provider.guid) : std::move(name));
    }
    std::ranges::sort(names, name_before);
    std::ranges::sort(guids);
    for (const auto* const list : {&names, &guids}) {
        for (const std::string& one : *list) {
            to.append(one).push_back('\n');
        }
    }
}

void append_installed(std::string& to, std::span<const InstalledProvider> providers) {
    std::vector<const InstalledProvider*> sorted;
    for (const InstalledProvider& provider : providers) {
        sorted.push_back(&provider);
    }
    std::ranges::sort(sorted, [](const InstalledProvider* a, const InstalledProvider* b) {
        return a->name != b->name ? name_before(a->name, b->name) : a->guid < b->guid;
    });
    for (const InstalledProvider* provider : sorted) {
        append_guid(to, provider->guid);
        to.append(" : ").append(provider->name).push_back('\n');
    }
}

void append_kernel_flags(std::string& to) {
    to.append("Kernel Flags:\n");
    for (const KernelFlag& flag : kernel_flags()) {
        fmt::format_to(std::back_inserter(to), "{:7}{:<15}: {}\n", "", flag.name, flag.what);
    }
}

void append_kernel_groups(std::string& to) {
    to.append("Kernel Groups:\n");
    for (const KernelGroup& group : kernel_groups()) {
        fmt::format_to(std::back_inserter(to), "{:7}{:<15}: {}\n", "", group.name, group.flags);
    }
}

} // namespace etl::session
