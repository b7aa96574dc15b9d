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

#include <etl/anonymize/anonymize.hpp>
#include <etl/io/output_file.hpp>
#include <etl/trace/recording.hpp>

#include "cli/output_guard.hpp"
#include "cli/traces.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// Members refer to each other: not moved.
class Anonymizing {
public:
    Anonymizing() = default;
    Anonymizing(const Anonymizing&) = delete;
    Anonymizing& operator=(const Anonymizing&) = delete;
    ~Anonymizing() = default;

    /// What the verb is about to do otherwise.
    struct Surroundings {
        bool drop_undecodable = false;
        unsigned pointer_size = 0;
    };

    /// Options that say nothing without --anonymize or --redact are a usage error.
    void add_to(CLI::App& verb);

    /// Events that cannot be decoded are its own business: packets are understood without a schema.
    bool drops_by_itself() const noexcept { return everything_; }

    /// Schemas are needed then.
    bool is_wanted() const noexcept { return everything_ || !options_.redact.empty(); }

    /// Registers the file of the key, if it is one.
    void add_key_to(OutputGuard& guard) const;

    /// Returns whether the report may be written, which needs `guard` to know the other output. If
    /// not, prints why.
    bool may_report(const OutputGuard& guard, OutputGuard::Existing existing) const;

    /// Opens the report and looks through the traces for names, before their readers go elsewhere.
    /// `store` is frozen. Says on standard error why it cannot be.
    bool prepare(const Traces& traces, const etl::schema::SchemasByTrace& schemas, unsigned threads,
                 const Surroundings& around);

    /// The source with its events changed; `source` itself when nothing is asked for.
    etl::flow::Source& over(etl::flow::Source& source);

    /// What the file will say of itself.
    void anonymize(etl::trace::Recording& recording) const;

    /// After the copy: false, and said why, when events could not be anonymized and nobody accepted
    /// that. None of them was given; what there is of the output is not to appear.
    bool accepts(const std::string& output) const;

    /// Writes the report and says on standard error what was changed and what was not looked into:
    /// damaged when a redaction fits no field. Nothing of it when there is no output.
    ExitCode finish(ExitCode output);

private:
    bool find_key();
    bool open_report();
    void learn(const Traces& traces, const etl::schema::SchemasByTrace& schemas, unsigned threads);
    ExitCode write_report(const etl::anonymize::Report& report);
    ExitCode tell_idle_redactions(const etl::anonymize::Report& report) const;

    bool everything_ = false;
    bool keep_undecodable_ = false;
    bool refuses_undecodable_ = false;
    std::optional<std::string> key_; // the name of a file or the secret itself; none: any
    std::string report_path_;
    std::unique_ptr<etl::io::AtomicFile> report_file_;
    std::vector<std::string> redactions_; // as they were given
    etl::anonymize::Options options_;
    std::optional<etl::anonymize::Anonymizer> edit_;
    std::optional<etl::relog::EditedSource> edited_;
};

} // namespace cli
