#include "cli/anonymize_report.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace cli {

using etl::anonymize::Report;

namespace {

template <typename List, typename Entry>
std::string json_list(const List& list, Entry entry) {
    std::string text = "[";
    for (const auto& one : list) {
        text += text.size() > 1 ? ",\n  " : "\n  ";
        text += entry(one);
    }
    return text + "]";
}

} // namespace

std::string to_json(const Report& report) {
    JsonObject whole;
    whole.number("events", report.events);
    whole.number("changed", report.changed);
    whole.number("undecodable", report.undecodable);
    whole.number("dropped", report.dropped);
    JsonObject values;
    for (std::size_t kind = 0; kind < etl::anonymize::kind_count; ++kind) {
        values.number(etl::anonymize::name(static_cast<etl::anonymize::Kind>(kind)),
                      report.values[kind]);
    }
    whole.raw("values", values.take());
    whole.raw("fields", json_list(report.fields, [](const Report::Field& field) {
                  JsonObject one;
                  one.text("provider", field.provider);
                  one.text("event", field.event);
                  one.text("field", field.field);
                  one.text("kind", etl::anonymize::name(field.kind));
                  one.number("values", field.values);
                  return one.take();
              }));
    whole.raw("binary", json_list(report.binary, [](const Report::Binary& field) {
                  JsonObject one;
                  one.text("provider", field.provider);
                  one.text("event", field.event);
                  one.text("field", field.field);
                  one.number("values", field.values);
                  return one.take();
              }));
    whole.raw("unredacted", json_list(report.unredacted, [](const auto& field) {
                  JsonObject one;
                  one.text("field", field.first);
                  one.number("values", field.second);
                  return one.take();
              }));
    whole.raw("unseen", json_list(report.unchecked, [](const auto& provider) {
                  JsonObject one;
                  one.text("provider", provider.first);
                  one.number("undecodable", provider.second.undecodable);
                  one.number("packed", provider.second.packed);
                  one.number("trailing", provider.second.trailing);
                  return one.take();
              }));
    return whole.take() + "\n";
}

std::string events_in_words(std::uint64_t events) {
    return fmt::format("{} event{}", events, events == 1 ? "" : "s");
}

std::string undecodable_providers(const Report& report) {
    constexpr std::size_t shown_providers = 5;
    std::vector<std::pair<std::uint64_t, std::string>> providers;
    for (const auto& [name, unseen] : report.unchecked) {
        if (unseen.undecodable + unseen.packed > 0) {
            providers.emplace_back(unseen.undecodable + unseen.packed, name);
        }
    }
    std::ranges::sort(providers, std::greater<>());
    std::string text;
    for (const auto& [events, name] :
         std::span(providers).first(std::min(shown_providers, providers.size()))) {
        text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", events, printable(name));
    }
    return text + (providers.size() > shown_providers ? ", ..." : "");
}

void tell_changes(const Report& report) {
    std::string line = fmt::format("changed {} of {} events", report.changed, report.events);
    const char* before = ": ";
    for (std::size_t kind = 0; kind < etl::anonymize::kind_count; ++kind) {
        if (report.values[kind] > 0) {
            line += fmt::format("{}{} {}", before, report.values[kind],
                                etl::anonymize::name(static_cast<etl::anonymize::Kind>(kind)));
            before = ", ";
        }
    }
    say(line);
}

void tell_unseen(const Report& report) {
    if (report.undecodable > 0) {
        const bool dropped = report.dropped > 0;
        say(fmt::format("{}: {} could not be decoded and {}: {}", dropped ? "note" : "warning",
                        events_in_words(report.undecodable),
                        dropped ? report.dropped == 1 ? "was dropped" : "were dropped"
                                : "may hold anything (--drop-undecodable)",
                        undecodable_providers(report)));
    }
    if (!report.binary.empty()) {
        const Report::Binary& most = *std::ranges::max_element(
            report.binary, {}, [](const Report::Binary& field) { return field.values; });
        say(fmt::format("note: {} binary field{} wiped, for example {}/{}/{}", report.binary.size(),
                        report.binary.size() == 1 ? " was" : "s were", printable(most.provider),
                        printable(most.event), printable(most.field)));
    }
    std::uint64_t trailing = 0;
    for (const auto& [name, unseen] : report.unchecked) {
        trailing += unseen.trailing;
    }
    if (trailing > 0) {
        say(fmt::format("note: bytes after the last known field of {} were wiped",
                        events_in_words(trailing)));
    }
    for (const auto& [field, values] : report.unredacted) {
        say(fmt::format("warning: {} stays: other fields take their size from it",
                        printable(field)));
    }
}

} // namespace cli
