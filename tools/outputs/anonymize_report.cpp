#include "outputs/anonymize_report.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/plural.hpp"
#include "rewrite/anonymizing.hpp"

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
    JsonObject json;
    json.number("events", report.events);
    json.number("changed", report.changed);
    json.number("undecodable", report.undecodable);
    json.number("dropped", report.dropped);
    JsonObject values;
    for (std::size_t kind = 0; kind < etl::anonymize::kind_count; ++kind) {
        values.number(etl::anonymize::name(static_cast<etl::anonymize::Kind>(kind)),
                      report.values[kind]);
    }
    json.raw("values", values.take());
    json.raw("fields", json_list(report.fields, [](const Report::Field& field) {
                 JsonObject one;
                 one.text("provider", field.provider);
                 one.text("event", field.event);
                 one.text("field", field.field);
                 one.text("kind", etl::anonymize::name(field.kind));
                 one.number("values", field.values);
                 return one.take();
             }));
    json.raw("binary", json_list(report.binary, [](const Report::Binary& field) {
                 JsonObject one;
                 one.text("provider", field.provider);
                 one.text("event", field.event);
                 one.text("field", field.field);
                 one.number("values", field.values);
                 return one.take();
             }));
    json.raw("kept", json_list(report.kept, [](const Report::Kept& field) {
                 JsonObject one;
                 one.text("provider", field.provider);
                 one.text("event", field.event);
                 one.text("field", field.field);
                 one.number("values", field.values);
                 one.number("partly", field.partly);
                 one.text("shape", field.shape);
                 return one.take();
             }));
    json.raw("unredacted", json_list(report.unredacted, [](const auto& field) {
                 JsonObject one;
                 one.text("field", field.first);
                 one.number("values", field.second);
                 return one.take();
             }));
    json.raw("unchecked", json_list(report.unchecked, [](const auto& provider) {
                 JsonObject one;
                 one.text("provider", provider.first);
                 one.number("undecodable", provider.second.undecodable);
                 one.number("compressed", provider.second.packed);
                 one.number("trailing", provider.second.trailing);
                 one.number("items", provider.second.items);
                 return one.take();
             }));
    return json.take() + "\n";
}

void report_changes(const Report& report) {
    std::string line =
        fmt::format("changed {} of {}", report.changed, plural(report.events, "event"));
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

void report_unchecked(const Report& report) {
    if (report.undecodable > 0) {
        const bool dropped = report.dropped > 0;
        say(fmt::format("{}: {} could not be decoded and {}: {}", dropped ? "note" : "warning",
                        plural(report.undecodable, "event"),
                        dropped ? report.dropped == 1 ? "was dropped" : "were dropped"
                                : "may contain personal data (use --drop-undecodable)",
                        printable(etl::rewrite::undecodable_providers(report))));
    }
    if (!report.binary.empty()) {
        const Report::Binary& most = *std::ranges::max_element(
            report.binary, {}, [](const Report::Binary& field) { return field.values; });
        say(fmt::format("note: redacted {}, for example {}/{}/{}",
                        plural(report.binary.size(), "binary field"), printable(most.provider),
                        printable(most.event), printable(most.field)));
    }
    if (!report.kept.empty()) {
        say(fmt::format("note: {} kept texts in which nothing was recognized; "
                        "--anonymize-report lists them",
                        plural(report.kept.size(), "field")));
    }
    std::uint64_t trailing = 0;
    std::uint64_t items = 0;
    for (const auto& [name, unchecked] : report.unchecked) {
        trailing += unchecked.trailing;
        items += unchecked.items;
    }
    if (trailing > 0) {
        say(fmt::format("note: redacted bytes after the last field of {}",
                        plural(trailing, "event")));
    }
    if (items > 0) {
        say(fmt::format("note: redacted {} of unknown type or invalid size; "
                        "--anonymize-report lists their providers",
                        plural(items, "extended data item")));
    }
    for (const auto& [field, values] : report.unredacted) {
        say(fmt::format("warning: {} was not redacted: other fields derive their size from it",
                        printable(field)));
    }
}

} // namespace cli
