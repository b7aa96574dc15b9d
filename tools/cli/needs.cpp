#include "cli/needs.hpp"

#include "cli/console.hpp"
#include "cli/provider_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace cli {

namespace {

using etl::decode::NeededSchema;
using etl::decode::Undecoded;

constexpr std::size_t named_providers = 3; // in one line

std::string_view plural_of(NeededSchema needed) noexcept {
    switch (needed) {
    case NeededSchema::manifest:
        return "manifests";
    case NeededSchema::mof:
        return "MOF classes";
    case NeededSchema::tmf:
        return "TMF or PDB files";
    case NeededSchema::nothing:
        break;
    }
    return {};
}

std::string name_of(const Need& need) {
    if (need.provider == etl::Guid{} && need.name.empty()) {
        return "no provider";
    }
    const std::string name = need.name.empty() ? etl::to_string(need.provider) : need.name;
    return need.needed == NeededSchema::tmf ? "WPP messages " + name : name;
}

/// `: 800 of Tea-House, 12 of 3 more providers`
std::string shares(const std::vector<Need>& needs, std::uint64_t others) {
    std::vector<std::string> parts;
    std::uint64_t rest = others;
    for (std::size_t i = 0; i < needs.size(); ++i) {
        if (i < named_providers) {
            parts.push_back(fmt::format("{} of {}", needs[i].events, name_of(needs[i])));
        } else {
            rest += needs[i].events;
        }
    }
    if (rest > 0) {
        const std::size_t more = needs.size() - std::min(needs.size(), named_providers);
        parts.push_back(more > 0 ? fmt::format("{} of {}", rest, plural(more, "more provider"))
                                 : fmt::format("{} of other kinds", rest));
    }
    return fmt::format(": {}", fmt::join(parts, ", "));
}

std::string remedy(const std::vector<Need>& needs) {
    std::vector<std::string_view> wanted;
    for (const NeededSchema one : {NeededSchema::manifest, NeededSchema::mof, NeededSchema::tmf}) {
        if (std::ranges::find(needs, one, &Need::needed) != needs.end()) {
            wanted.push_back(plural_of(one));
        }
    }
    return wanted.empty() ? std::string("no schema exists for these records")
                          : fmt::format("missing: {} (`etl info --needs` lists them; use --schema)",
                                        fmt::join(wanted, ", "));
}

} // namespace

std::vector<Need> needs_of(const Undecoded& undecoded) {
    std::map<std::tuple<NeededSchema, etl::Guid>, Need> grouped;
    for (const auto& kind : undecoded.kinds()) {
        const auto& [identity, events] = kind;
        Need& need = grouped[{identity.needed, identity.provider}];
        need.needed = identity.needed;
        need.provider = identity.provider;
        need.events += events.events;
        need.kinds.push_back(&kind);
        if (need.name.empty()) {
            need.name = label_of(identity.provider, events.provider);
        }
    }
    std::vector<Need> needs;
    for (auto& [key, need] : grouped) {
        needs.push_back(std::move(need));
    }
    std::ranges::stable_sort(needs, std::ranges::greater{}, &Need::events);
    return needs;
}

void report_undecoded(const Undecoded& undecoded, std::string_view effect) {
    const std::uint64_t total = undecoded.total();
    if (total == 0) {
        return;
    }
    const std::vector<Need> needs = needs_of(undecoded);
    const bool is_one = needs.size() == 1 && undecoded.others() == 0;
    say(printable(fmt::format("note: {}{} not decoded{}{}{}; {}", plural(total, "event"),
                              (is_one ? " of " + name_of(needs.front()) : std::string()) +
                                  (total == 1 ? " was" : " were"),
                              effect.empty() ? "" : ", ", effect,
                              is_one ? "" : shares(needs, undecoded.others()), remedy(needs))));
}

void report_misfits(const etl::decode::Misfits& misfits) {
    if (misfits.total() == 0) {
        return;
    }
    std::vector<Need> needs;
    for (const auto& [provider, events] : misfits.providers()) {
        needs.push_back({.provider = provider,
                         .name = label_of(provider, events.provider),
                         .events = events.events,
                         .kinds = {}});
    }
    std::ranges::stable_sort(needs, std::ranges::greater{}, &Need::events);
    std::uint64_t named = 0;
    for (const Need& need : needs) {
        named += need.events;
    }
    const bool is_one = needs.size() == 1 && named == misfits.total();
    say(printable(fmt::format(
        "note: {}{} not match the built-in schema{}{}; see decode_note, or use --schema to add the "
        "right version",
        plural(misfits.total(), "event"),
        (is_one ? " of " + name_of(needs.front()) : std::string()) +
            (misfits.total() == 1 ? " does" : " do"),
        misfits.total() == 1 ? "" : "s", is_one ? "" : shares(needs, misfits.total() - named))));
}

void report_unused(const etl::catalog::Catalog& files, const etl::sink::Tally& tally) {
    const auto is_used = [&](const etl::schema::EventSchema& schema) {
        return tally.used().contains(etl::sink::used_schema(schema));
    };
    for (const std::string& path : files.unused_paths(is_used)) {
        say(fmt::format("warning: --schema {}: describes no event of this trace; `etl schema list` "
                        "lists its providers",
                        printable(path)));
    }
}

} // namespace cli
