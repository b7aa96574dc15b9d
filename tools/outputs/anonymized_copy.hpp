// --anonymize, for verbs that show traces: they read an anonymized copy, which is what
// `etl relog --anonymize --clear-undecodable` writes. docs/anonymize.md#show
//     copy.add_to(verb);
//     ...
//     if (!copy.find_key()) { return failed; }
//     auto input = copy.make(traces, schemas, {});
#pragma once

#include "anonymize/anonymize.hpp"
#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "outputs/output_guard.hpp"
#include "rewrite/merging.hpp"

#include <expected>
#include <optional>
#include <string>

namespace cli {

class AnonymizedCopy {
public:
    /// The name of the copy: those of its inputs are personal data, too.
    static constexpr const char* name = "trace.etl";

    struct How {
        unsigned pointer_size = 0;
        etl::rewrite::Progress progress{}; // may be empty
    };

    /// Adds the options.
    void add_to(Verb& verb);

    bool is_wanted() const noexcept { return is_wanted_; }

    /// Registers the key as an input, if it is a file.
    void add_key_to(OutputGuard& guard) const;

    /// If the key cannot be used, prints why and returns false. Without one, makes a random one.
    bool find_key();

    /// Merges the traces into a file without a name that ends with its last reader. Uses up their
    /// readers. Prints what was changed and what was not checked, or why there is no copy. Call
    /// find_key() first. Nothing is printed, and the error is `well`, if Options::stop was
    /// requested.
    std::expected<etl::dataset::Input, ExitCode> make(Traces& traces, const SchemaOptions& schemas,
                                                      const How& how) const;

private:
    bool is_wanted_ = false;
    std::optional<std::string> key_name_; // a file name or the secret itself; none: random
    etl::anonymize::Key key_{};
};

} // namespace cli
