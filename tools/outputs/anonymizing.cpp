#include "outputs/anonymizing.hpp"

#include "anonymize/anonymize.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "rewrite/anonymizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cli {

// The report of --anonymize, as JSON and as messages. docs/anonymize.md#check

/// One object and a newline.
std::string to_json(const etl::anonymize::Report& report);

using etl::anonymize::Report;
using etl::rewrite::Undecodable;

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
    json.number("cleared", report.cleared);
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

void report_unchecked(const Report& report, std::string_view lister) {
    if (report.undecodable > 0) {
        const std::uint64_t gone = report.dropped + report.cleared;
        const std::string became = fmt::format("{} {}", gone == 1 ? "was" : "were",
                                               report.dropped > 0 ? "dropped" : "cleared");
        say(fmt::format("{}: {} could not be decoded and {}: {}", gone > 0 ? "note" : "warning",
                        plural(report.undecodable, "event"),
                        gone > 0 ? became : "may contain personal data (use --drop-undecodable)",
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
                        "{} lists them",
                        plural(report.kept.size(), "field"), lister));
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
                        "{} lists their providers",
                        plural(items, "extended data item"), lister));
    }
    for (const auto& [field, values] : report.unredacted) {
        say(fmt::format("warning: {} was not redacted: other fields derive their size from it",
                        printable(field)));
    }
}

namespace {

constexpr const char* report_option = "--anonymize-report";
constexpr const char* redact_name = "--redact";
constexpr const char* keep_name = "--keep-undecodable";
constexpr const char* clear_name = "--clear-undecodable";

} // namespace

void Anonymizing::add_to(Verb& verb) {
    verb.add_flag("--anonymize", everything_,
                  "replace user and computer names, SIDs, addresses, command lines, scripts, and "
                  "paths with pseudonyms; redact packet payloads (docs/anonymize.md)")
        ->group("Privacy");
    verb.add_flag_callback(
            keep_name, [this] { undecodable_ = Undecodable::keep; },
            "with --anonymize: keep events that cannot be decoded, unchanged (default: fail "
            "without output)")
        ->group("Privacy");
    verb.add_flag_callback(
            clear_name, [this] { undecodable_ = Undecodable::clear; },
            "with --anonymize: keep events that cannot be decoded, their content as zeros")
        ->excludes(verb.get_option(keep_name))
        ->group("Privacy");
    verb.add_option_function<std::vector<std::string>>(
            redact_name,
            [this](const std::vector<std::string>& words) {
                for (const std::string& word : words) {
                    auto redaction = etl::rewrite::parse_redaction(word);
                    if (!redaction) {
                        throw UsageError(
                            redact_name,
                            "'" + printable(word) +
                                "' is not PROVIDER/EVENT/FIELD (example: Process/*/CommandLine)");
                    }
                    options_.redact.push_back(std::move(*redaction));
                    redactions_.push_back(word);
                }
            },
            "redact a field; * and ? match in each part; repeatable")
        ->allow_extra_args(false)
        ->type_name("PROVIDER/EVENT/FIELD")
        ->group("Privacy");
    verb.add_option("--anonymize-key", key_,
                    "key for consistent pseudonyms across files (default: random)")
        ->type_name("FILE|TEXT")
        ->group("Privacy");
    verb.add_option(report_option, report_path_,
                    "write changed and unchecked data as JSON; - for standard error")
        ->type_name("FILE")
        ->group("Privacy");
    verb.parse_complete_callback([this] {
        const char* idle = key_                    ? "--anonymize-key"
                           : !report_path_.empty() ? report_option
                                                   : nullptr;
        if (idle != nullptr && !is_wanted()) {
            throw UsageError(idle, "requires --anonymize or --redact");
        }
        if (undecodable_ != Undecodable::refuse && !everything_) {
            throw UsageError(undecodable_ == Undecodable::keep ? keep_name : clear_name,
                             "requires --anonymize");
        }
    });
}

std::optional<etl::anonymize::Key> find_key(const std::optional<std::string>& name) {
    if (!name) {
        return etl::rewrite::random_key();
    }
    const auto key = etl::rewrite::key_of(*name);
    if (key) {
        return *key;
    }
    if (key.error().detail.empty()) {
        say(*name, key.error());
    } else {
        say(fmt::format("{}: {}", name->empty() ? "--anonymize-key" : printable(*name),
                        key.error().detail));
    }
    return std::nullopt;
}

void Anonymizing::add_key_to(OutputGuard& guard) const {
    if (key_) {
        guard.consults(*key_);
    }
}

bool Anonymizing::may_report(const OutputGuard& guard, OutputGuard::Existing existing) const {
    return report_path_.empty() || report_path_ == "-" || guard.permits(report_path_, existing);
}

bool Anonymizing::open_report() {
    if (report_path_.empty() || report_path_ == "-") {
        return true;
    }
    report_file_ = std::make_unique<Destination>(report_path_);
    return report_file_->open();
}

bool Anonymizing::collect_names(const Traces& traces, const etl::schema::SchemasByTrace& schemas,
                                unsigned threads) {
    auto names = etl::rewrite::names_of(traces.dataset(), schemas, options_.decoder, threads);
    if (!names) {
        say(fmt::format("--anonymize: {}. Anonymize the traces, or parts of them (`etl split`), "
                        "one by one",
                        names.error().detail));
        return false;
    }
    options_.names = *std::move(names);
    return true;
}

bool Anonymizing::prepare(const Traces& traces, const etl::schema::SchemasByTrace& schemas,
                          unsigned threads, const Surroundings& around) {
    if (!is_wanted()) {
        return true;
    }
    if (!open_report()) {
        return false;
    }
    const auto key = find_key(key_);
    if (!key) {
        return false;
    }
    options_.key = *key;
    options_.scope =
        everything_ ? etl::anonymize::Scope::everything : etl::anonymize::Scope::redactions_only;
    const Undecodable choice = around.drop_undecodable ? Undecodable::drop : undecodable_;
    refuses_undecodable_ = everything_ && choice == Undecodable::refuse;
    options_.undecodable = etl::rewrite::undecodable_of(choice, options_.scope);
    options_.keep_fragments = around.keep_fragments;
    options_.decoder.pointer_size = around.pointer_size;
    if (everything_ && !collect_names(traces, schemas, threads)) {
        return false;
    }
    edit_.emplace(schemas, options_);
    return true;
}

etl::flow::Source& Anonymizing::over(etl::flow::Source& source) {
    if (!edit_) {
        return source;
    }
    edited_.emplace(source, *edit_);
    return *edited_;
}

void Anonymizing::anonymize(etl::trace::Recording& recording) const {
    if (edit_) {
        edit_->anonymize(recording.header);
    }
}

ExitCode Anonymizing::write_report(const Report& report) {
    const std::string json = to_json(report);
    if (report_path_ == "-") {
        say_plainly(json);
    }
    if (!report_file_) {
        return ExitCode::well;
    }
    if (const auto written = report_file_->output().write(json); !written) {
        report_file_->report(written.error());
        return ExitCode::failed;
    }
    return report_file_->commit();
}

ExitCode Anonymizing::report_unmatched_redactions(const Report& report) const {
    ExitCode exit = ExitCode::well;
    for (std::size_t i = 0; i < redactions_.size(); ++i) {
        if (i >= report.redactions.size() || report.redactions[i] == 0) {
            say(fmt::format("warning: {} {} matches no field", redact_name,
                            printable(redactions_[i])));
            exit = ExitCode::damaged;
        }
    }
    return exit;
}

bool Anonymizing::accepts(const std::string& output) const {
    if (!edit_ || !refuses_undecodable_) {
        return true;
    }
    const Report report = edit_->report();
    if (report.undecodable == 0) {
        return true;
    }
    say(fmt::format(
        "{}: not written: {} could not be decoded and cannot be anonymized: {}; use --schema to "
        "decode, --drop-undecodable to drop, --clear-undecodable to clear, or --keep-undecodable "
        "to keep them",
        output == "-" ? "standard output" : printable(output), plural(report.undecodable, "event"),
        printable(etl::rewrite::undecodable_providers(report))));
    return false;
}

ExitCode Anonymizing::finish(ExitCode output) {
    if (!edit_ || output == ExitCode::failed) {
        return ExitCode::well;
    }
    const Report report = edit_->report();
    report_changes(report);
    report_unchecked(report, report_option);
    const ExitCode idle = report_unmatched_redactions(report);
    return worst(idle, write_report(report));
}

} // namespace cli
