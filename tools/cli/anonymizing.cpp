#include "cli/anonymizing.hpp"

#include <etl/io/input_file.hpp>
#include <etl/io/output_file.hpp>

#include "cli/console.hpp"
#include "cli/json_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace cli {

namespace {

using etl::anonymize::Report;

constexpr const char* redact_name = "--redact";
constexpr std::size_t shown_providers = 5;

// PROVIDER/EVENT/FIELD: events have slashes in their names, fields and providers have none.
std::optional<etl::anonymize::Redaction> parse_redaction(const std::string& word) {
    const std::size_t first = word.find('/');
    const std::size_t last = word.rfind('/');
    const bool is_one =
        first != std::string::npos && first > 0 && last > first + 1 && last + 1 < word.size();
    if (!is_one) {
        return {};
    }
    return etl::anonymize::Redaction{
        word.substr(0, first), word.substr(first + 1, last - first - 1), word.substr(last + 1)};
}

etl::anonymize::Key random_key() {
    std::random_device device;
    etl::anonymize::Key key{};
    std::ranges::generate(key, [&] { return static_cast<std::uint8_t>(device()); });
    return key;
}

template <typename List, typename Entry>
std::string json_list(const List& list, Entry entry) {
    std::string text = "[";
    for (const auto& one : list) {
        text += text.size() > 1 ? ",\n  " : "\n  ";
        text += entry(one);
    }
    return text + "]";
}

std::string to_json(const Report& report) {
    JsonObject whole;
    whole.number("events", report.events);
    whole.number("changed", report.changed);
    whole.number("undecodable", report.undecodable);
    whole.number("dropped", report.dropped);
    JsonObject values;
    for (std::size_t kind = 0; kind < etl::anonymize::kinds; ++kind) {
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
    whole.raw("unseen", json_list(report.unseen, [](const auto& provider) {
                  JsonObject one;
                  one.text("provider", provider.first);
                  one.number("undecodable", provider.second.undecodable);
                  one.number("packed", provider.second.packed);
                  one.number("trailing", provider.second.trailing);
                  return one.take();
              }));
    return whole.take() + "\n";
}

bool write_report(const std::string& path, const std::string& json) {
    auto file = etl::io::AtomicFile::create(path);
    if (!file) {
        say(path, file.error());
        return false;
    }
    auto done = (*file)->write(json);
    done = done ? (*file)->commit() : done;
    if (!done) {
        say(path, done.error());
    }
    return done.has_value();
}

void tell_changes(const Report& report) {
    std::string line = fmt::format("changed {} of {} events", report.changed, report.events);
    const char* before = ": ";
    for (std::size_t kind = 0; kind < etl::anonymize::kinds; ++kind) {
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
        std::vector<std::pair<std::uint64_t, std::string>> providers;
        for (const auto& [name, unseen] : report.unseen) {
            if (unseen.undecodable + unseen.packed > 0) {
                providers.emplace_back(unseen.undecodable + unseen.packed, name);
            }
        }
        std::ranges::sort(providers, std::greater<>());
        std::string line = fmt::format(
            "{}: {} events could not be decoded and {}:", report.dropped > 0 ? "note" : "warning",
            report.undecodable,
            report.dropped > 0 ? "were dropped" : "may hold anything (--drop-undecodable)");
        for (std::size_t i = 0; i < std::min(shown_providers, providers.size()); ++i) {
            line += fmt::format("{} {} of {}", i > 0 ? "," : "", providers[i].first,
                                printable(providers[i].second));
        }
        line += providers.size() > shown_providers ? ", ..." : "";
        say(line);
    }
    if (!report.binary.empty()) {
        const Report::Binary& most = *std::ranges::max_element(
            report.binary, {}, [](const Report::Binary& field) { return field.values; });
        say(fmt::format("warning: {} binary fields were not looked into, as {}/{}/{} (--redact)",
                        report.binary.size(), printable(most.provider), printable(most.event),
                        printable(most.field)));
    }
    for (const auto& [field, values] : report.unredacted) {
        say(fmt::format("warning: {} stays: other fields take their size from it",
                        printable(field)));
    }
}

} // namespace

void Anonymizing::add_to(CLI::App& verb) {
    verb.add_flag("--anonymize", everything_,
                  "replace names of users and computers, SIDs, addresses, command lines and paths "
                  "by pseudonyms (docs/anonymize.md)")
        ->group("Privacy");
    verb.add_option_function<std::vector<std::string>>(
            redact_name,
            [this](const std::vector<std::string>& words) {
                for (const std::string& word : words) {
                    auto redaction = parse_redaction(word);
                    if (!redaction) {
                        throw CLI::ValidationError(
                            redact_name, "'" + printable(word) + "' is not PROVIDER/EVENT/FIELD");
                    }
                    options_.redact.push_back(std::move(*redaction));
                }
            },
            "wipe a field, with * and ? in each part; may be repeated")
        ->allow_extra_args(false)
        ->type_name("PROVIDER/EVENT/FIELD")
        ->group("Privacy");
    verb.add_option("--anonymize-key", key_,
                    "the same key gives the same pseudonyms in other files (default: any key)")
        ->type_name("FILE|TEXT")
        ->group("Privacy");
    verb.add_option("--anonymize-report", report_path_,
                    "write what was changed and what was not looked into, as JSON; -: to standard "
                    "error")
        ->type_name("FILE")
        ->group("Privacy");
}

bool Anonymizing::find_key() {
    if (!key_) {
        options_.key = random_key();
        return true;
    }
    const auto file = etl::io::InputFile::map(*key_);
    if (file) {
        options_.key = etl::anonymize::key_of((*file)->bytes());
        return true;
    }
    if (file.error().code != etl::ErrorCode::not_found) {
        say(*key_, file.error());
        return false;
    }
    options_.key = etl::anonymize::key_of(std::as_bytes(std::span(*key_)));
    return true;
}

bool Anonymizing::prepare(const Traces& traces,
                          std::shared_ptr<const etl::schema::SchemaStore> store, unsigned threads,
                          bool drop_undecodable, unsigned pointer_size) {
    using etl::anonymize::NameCollector;
    if (!is_wanted()) {
        return true;
    }
    if (!find_key()) {
        return false;
    }
    options_.scope =
        everything_ ? etl::anonymize::Scope::everything : etl::anonymize::Scope::redactions_only;
    options_.drop_undecodable = drop_undecodable;
    options_.decoder.pointer_size = pointer_size;
    if (everything_) {
        std::vector<NameCollector> collectors;
        for (unsigned i = 0; i < threads; ++i) {
            collectors.emplace_back(store, options_.decoder);
        }
        for (const auto& reader : traces.readers()) {
            collectors.front().add(reader->info().header);
            reader->for_each_buffer(threads,
                                    [&](unsigned worker, const etl::trace::BufferEntry&,
                                        etl::flow::Run run) { collectors[worker].add(run); });
        }
        for (NameCollector& collector : collectors) {
            options_.names.combine(collector.take());
        }
    }
    edit_.emplace(std::move(store), options_);
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

ExitCode Anonymizing::finish() const {
    if (!edit_) {
        return ExitCode::well;
    }
    const Report report = edit_->report();
    tell_changes(report);
    if (everything_) {
        tell_unseen(report);
    }
    if (report_path_ == "-") {
        say_plainly(to_json(report));
        return ExitCode::well;
    }
    return report_path_.empty() || write_report(report_path_, to_json(report)) ? ExitCode::well
                                                                               : ExitCode::failed;
}

} // namespace cli
