// --anonymize and --redact, for verbs that write traces. docs/anonymize.md
//     anonymizing.add_to(verb);
//     ...
//     anonymizing.add_key_to(guard);
//     if (!anonymizing.may_report(guard, existing)) { return failed; }
//     ...
//     if (!anonymizing.prepare(traces, store, threads, {})) { return failed; }
//     flow::Source& source = anonymizing.over(joined.source());
//     anonymizing.anonymize(recording);
//     trace::copy(source, writer);
//     exit = worst(exit, anonymizing.finish(exit));
#pragma once

#include <etl/rewrite.hpp>

#include "anonymize/anonymize.hpp"
#include "cli/destination.hpp"
#include "cli/verb.hpp"
#include "inputs/traces.hpp"
#include "outputs/output_guard.hpp"
#include "trace/recording.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The key that an argument of --anonymize-key stands for, a random one without it. If it cannot be
/// used, prints why and returns nothing.
std::optional<etl::anonymize::Key> find_key(const std::optional<std::string>& name);

/// Print to standard error what was changed, and what was dropped, redacted, or not checked.
/// `lister` lists what the notes only count.
void report_changes(const etl::anonymize::Report& report);
void report_unchecked(const etl::anonymize::Report& report, std::string_view lister);

/// Members refer to each other: not moved.
class Anonymizing {
public:
    Anonymizing() = default;
    Anonymizing(const Anonymizing&) = delete;
    Anonymizing& operator=(const Anonymizing&) = delete;
    ~Anonymizing() = default;

    /// Options of the verb.
    struct Surroundings {
        bool drop_undecodable = false;
        bool keep_fragments = false; // of packets: the verb joins and scrubs them
        unsigned pointer_size = 0;
    };

    /// Adds the options. Those that require --anonymize or --redact are a usage error without it.
    void add_to(Verb& verb);

    /// Whether it handles undecodable events itself: it parses packets without a schema.
    bool drops_by_itself() const noexcept { return everything_; }

    /// Whether it is requested; schemas are needed then.
    bool is_wanted() const noexcept { return everything_ || !options_.redact.empty(); }

    /// Whether payloads of packets become zeros.
    bool wipes_payloads() const noexcept { return everything_; }

    /// Registers the key as an input, if it is a file.
    void add_key_to(OutputGuard& guard) const;

    /// Returns whether the report may be written. If not, prints why. `guard` must have the
    /// other output registered.
    bool may_report(const OutputGuard& guard, OutputGuard::Existing existing) const;

    /// Opens the report and collects names from the traces. Call before the readers are released.
    /// On failure prints the reason to standard error and returns false.
    bool prepare(const Traces& traces, const etl::schema::SchemasByTrace& schemas, unsigned threads,
                 const Surroundings& around);

    /// What changes events; null if nothing is requested.
    etl::anonymize::Anonymizer* edit() noexcept { return edit_ ? &*edit_ : nullptr; }

    /// The source with its events changed; `source` itself if nothing is requested.
    etl::flow::Source& over(etl::flow::Source& source);

    /// Anonymizes the header of the output.
    void anonymize(etl::trace::Recording& recording) const;

    /// Call after the copy. If events could not be anonymized, and none of --keep-undecodable,
    /// --clear-undecodable, and --drop-undecodable is set, prints that and returns false: discard
    /// the output.
    bool accepts(const std::string& output) const;

    /// Writes the report and prints to standard error what was changed and what was not checked.
    /// Returns damaged if a redaction matches no field. Does nothing if the output failed.
    ExitCode finish(ExitCode output);

private:
    bool open_report();
    bool collect_names(const Traces& traces, const etl::schema::SchemasByTrace& schemas,
                       unsigned threads);
    ExitCode write_report(const etl::anonymize::Report& report);
    ExitCode report_unmatched_redactions(const etl::anonymize::Report& report) const;

    bool everything_ = false;
    etl::rewrite::Undecodable undecodable_ = etl::rewrite::Undecodable::refuse;
    bool refuses_undecodable_ = false;
    std::optional<std::string> key_; // a file name or the secret itself; none: random
    std::string report_path_;
    std::unique_ptr<Destination> report_file_;
    std::vector<std::string> redactions_; // as given
    etl::anonymize::Options options_;
    std::optional<etl::anonymize::Anonymizer> edit_;
    std::optional<etl::relog::EditedSource> edited_;
};

} // namespace cli
