#include "outputs/anonymizing.hpp"

#include "anonymize/limits.hpp"
#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "io/input_file.hpp"
#include "outputs/anonymize_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace cli {

namespace {

using etl::anonymize::Report;

constexpr const char* redact_name = "--redact";

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

bool looks_like_path(const std::string& text) {
    return text.find_first_of("/\\") != std::string::npos || text.ends_with(".key");
}

} // namespace

void Anonymizing::add_to(Verb& verb) {
    verb.add_flag("--anonymize", everything_,
                  "replace user and computer names, SIDs, addresses, command lines, scripts, and "
                  "paths with pseudonyms; redact packet payloads (docs/anonymize.md)")
        ->group("Privacy");
    verb.add_flag("--keep-undecodable", keep_undecodable_,
                  "with --anonymize: keep events that cannot be decoded, unchanged (default: fail "
                  "without output)")
        ->group("Privacy");
    verb.add_option_function<std::vector<std::string>>(
            redact_name,
            [this](const std::vector<std::string>& words) {
                for (const std::string& word : words) {
                    auto redaction = parse_redaction(word);
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
    verb.add_option("--anonymize-report", report_path_,
                    "write changed and unchecked data as JSON; - for standard error")
        ->type_name("FILE")
        ->group("Privacy");
    verb.parse_complete_callback([this] {
        const char* idle = key_                    ? "--anonymize-key"
                           : !report_path_.empty() ? "--anonymize-report"
                                                   : nullptr;
        if (idle != nullptr && !is_wanted()) {
            throw UsageError(idle, "requires --anonymize or --redact");
        }
        if (keep_undecodable_ && !everything_) {
            throw UsageError("--keep-undecodable", "requires --anonymize");
        }
    });
}

bool Anonymizing::find_key() {
    if (!key_) {
        options_.key = random_key();
        return true;
    }
    const auto file = etl::io::InputFile::map(*key_);
    const bool is_text =
        !file && file.error().code == etl::ErrorCode::not_found && !looks_like_path(*key_);
    if (key_->empty() || (file && (*file)->bytes().empty())) {
        say(key_->empty() ? "--anonymize-key: empty key"
                          : fmt::format("{}: empty key", printable(*key_)));
        return false;
    }
    if (file) {
        options_.key = etl::anonymize::key_of((*file)->bytes());
        return true;
    }
    if (!is_text) {
        say(*key_, file.error());
        return false;
    }
    options_.key = etl::anonymize::key_of(std::as_bytes(std::span(*key_)));
    return true;
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

void Anonymizing::collect_names(const Traces& traces, const etl::schema::SchemasByTrace& schemas,
                                unsigned threads) {
    using etl::anonymize::NameCollector;
    std::vector<NameCollector> collectors;
    for (unsigned i = 0; i < threads; ++i) {
        collectors.emplace_back(schemas, options_.decoder);
    }
    for (const auto& reader : traces.readers()) {
        collectors.front().add(reader->info().header);
        reader->for_each_buffer(threads, [&](unsigned worker, const etl::trace::BufferEntry&,
                                             etl::flow::Run run) { collectors[worker].add(run); });
    }
    for (NameCollector& collector : collectors) {
        options_.names.combine(collector.take());
    }
}

bool Anonymizing::prepare(const Traces& traces, const etl::schema::SchemasByTrace& schemas,
                          unsigned threads, const Surroundings& around) {
    if (!is_wanted()) {
        return true;
    }
    if (!open_report() || !find_key()) {
        return false;
    }
    options_.scope =
        everything_ ? etl::anonymize::Scope::everything : etl::anonymize::Scope::redactions_only;
    refuses_undecodable_ = everything_ && !around.drop_undecodable && !keep_undecodable_;
    options_.drop_undecodable = around.drop_undecodable || refuses_undecodable_;
    options_.keep_fragments = around.keep_fragments;
    options_.decoder.pointer_size = around.pointer_size;
    if (everything_) {
        collect_names(traces, schemas, threads);
    }
    if (options_.names.has_omitted()) {
        say(fmt::format(
            "--anonymize: more than {} names of users or computers; the rest would not be "
            "replaced. Anonymize the traces, or parts of them (`etl split`), one by one",
            etl::anonymize::limits::private_names));
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
        "decode, --drop-undecodable to drop, or --keep-undecodable to keep them",
        output == "-" ? "standard output" : printable(output), plural(report.undecodable, "event"),
        undecodable_providers(report)));
    return false;
}

ExitCode Anonymizing::finish(ExitCode output) {
    if (!edit_ || output == ExitCode::failed) {
        return ExitCode::well;
    }
    const Report report = edit_->report();
    report_changes(report);
    report_unchecked(report);
    const ExitCode idle = report_unmatched_redactions(report);
    return worst(idle, write_report(report));
}

} // namespace cli
