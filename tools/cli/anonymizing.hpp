// --anonymize and --redact, for verbs that write traces. docs/anonymize.md
//     anonymizing.add_to(verb);
//     ...
//     if (!anonymizing.prepare(traces, store, threads)) { return ExitCode::failed; }
//     flow::Source& source = anonymizing.over(joined.source());
//     anonymizing.anonymize(recording);
//     trace::copy(source, writer);
//     exit = worst(exit, anonymizing.finish());
#pragma once

#include <etl/anonymize/anonymize.hpp>
#include <etl/trace/recording.hpp>

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

    void add_to(CLI::App& verb);

    /// Schemas are needed then.
    bool is_wanted() const noexcept { return everything_ || !options_.redact.empty(); }

    /// Looks through the traces for names, before their readers go elsewhere. `store` is frozen.
    /// Says on standard error why it cannot be.
    bool prepare(const Traces& traces, std::shared_ptr<const etl::schema::SchemaStore> store,
                 unsigned threads, bool drop_undecodable = false, unsigned pointer_size = 0);

    /// The source with its events changed; `source` itself when nothing is asked for.
    etl::flow::Source& over(etl::flow::Source& source);

    /// What the file will say of itself.
    void anonymize(etl::trace::Recording& recording) const;

    /// Writes the report and says on standard error what was changed and what was not looked into.
    ExitCode finish() const;

private:
    bool find_key();

    bool everything_ = false;
    std::optional<std::string> key_; // the name of a file or the secret itself; none: any
    std::string report_path_;
    etl::anonymize::Options options_;
    std::optional<etl::anonymize::Anonymizer> edit_;
    std::optional<etl::relog::EditedSource> edited_;
};

} // namespace cli
