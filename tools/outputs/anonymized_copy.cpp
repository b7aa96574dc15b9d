#include "outputs/anonymized_copy.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "io/byte_stream.hpp"
#include "io/temporary_file.hpp"
#include "outputs/anonymizing.hpp"
#include "outputs/merging.hpp"
#include "rewrite/anonymizing.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

ExitCode say_no_copy(const etl::Error& error) {
    say(fmt::format("the anonymized copy in {}", etl::io::spool_directory()), error);
    return ExitCode::failed;
}

} // namespace

void AnonymizedCopy::add_to(Verb& verb) {
    verb.add_flag("--anonymize", is_wanted_,
                  "show pseudonyms instead of user and computer names, SIDs, addresses, command "
                  "lines, scripts, and paths, as `etl relog --anonymize` (docs/anonymize.md)")
        ->group("Privacy");
    verb.add_option("--anonymize-key", key_name_,
                    "key for consistent pseudonyms across files (default: random)")
        ->type_name("FILE|TEXT")
        ->group("Privacy");
    verb.parse_complete_callback([this] {
        if (key_name_ && !is_wanted_) {
            throw UsageError("--anonymize-key", "requires --anonymize");
        }
    });
}

void AnonymizedCopy::add_key_to(OutputGuard& guard) const {
    if (key_name_) {
        guard.consults(*key_name_);
    }
}

bool AnonymizedCopy::find_key() {
    const auto key = cli::find_key(key_name_);
    key_ = key.value_or(key_);
    return key.has_value();
}

std::expected<etl::dataset::Input, ExitCode>
AnonymizedCopy::make(Traces& traces, const SchemaOptions& schemas, const How& how) const {
    auto file = etl::io::TemporaryFile::create();
    if (!file) {
        return std::unexpected(say_no_copy(file.error()));
    }
    prepare(traces, schemas);
    TraceOutputOptions output;
    output.path = name;
    output.files = &*file;
    const auto made = etl::rewrite::anonymize(
        traces.dataset(), {.how = {.key = key_, .decoder = {.pointer_size = how.pointer_size}},
                           .undecodable = etl::rewrite::Undecodable::clear,
                           .output = output,
                           .progress = how.progress});
    if (const etl::Stop* const stop = traces.dataset().options().stop;
        stop != nullptr && stop->is_requested()) {
        return std::unexpected(ExitCode::well);
    }
    if (!made) {
        return std::unexpected(report(made.error(), traces, output));
    }
    if (made->written.failure) {
        return std::unexpected(say_no_copy(*made->written.failure));
    }
    if (made->written.events_lost > 0) {
        say(fmt::format("warning: lost {} too large for a buffer",
                        plural(made->written.events_lost, "event")));
    }
    report_changes(made->report);
    report_unchecked(made->report, "`etl relog --anonymize-report`");
    auto input = file->input(name);
    if (!input) {
        return std::unexpected(say_no_copy(input.error()));
    }
    return etl::dataset::Input{.file = *std::move(input)};
}

} // namespace cli
