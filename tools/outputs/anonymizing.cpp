#include "outputs/anonymizing.hpp"

#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "outputs/anonymize_report.hpp"
#include "rewrite/anonymizing.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

using etl::anonymize::Report;

constexpr const char* redact_name = "--redact";

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
        options_.key = etl::rewrite::random_key();
        return true;
    }
    const auto key = etl::rewrite::key_of(*key_);
    if (key) {
        options_.key = *key;
    } else if (key.error().detail.empty()) {
        say(*key_, key.error());
    } else {
        say(fmt::format("{}: {}", key_->empty() ? "--anonymize-key" : printable(*key_),
                        key.error().detail));
    }
    return key.has_value();
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
    if (!open_report() || !find_key()) {
        return false;
    }
    options_.scope =
        everything_ ? etl::anonymize::Scope::everything : etl::anonymize::Scope::redactions_only;
    refuses_undecodable_ = everything_ && !around.drop_undecodable && !keep_undecodable_;
    options_.drop_undecodable = around.drop_undecodable || refuses_undecodable_;
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
        "decode, --drop-undecodable to drop, or --keep-undecodable to keep them",
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
    report_unchecked(report);
    const ExitCode idle = report_unmatched_redactions(report);
    return worst(idle, write_report(report));
}

} // namespace cli
