// xperf -merge IN... OUT [-compress], over the code of `etl merge`.
#include "outputs/merging.hpp"

#include "outputs/output_guard.hpp"
#include "verbs/xperf/options.hpp"

namespace cli::xperf {

ExitCode merge(const Options& options) {
    MergingOptions how;
    how.traces = options.traces;
    how.traces.arguments.assign(options.merge.begin(), options.merge.end() - 1);
    how.output.path = options.merge.back();
    how.output.replaces = options.replaces;
    how.output.is_atomic = true;
    how.schemas = options.schemas;
    how.progress = options.progress();
    if (options.compresses) {
        how.output.file.compression = etl::codec::Format::xpress;
    }
    OutputGuard guard("-y");
    guard.reads(how.traces);
    guard.reads(how.schemas);
    if (!is_clear(how.output, guard)) {
        return ExitCode::failed;
    }
    Traces traces(how.traces);
    if (!traces.all_opened()) {
        return ExitCode::failed;
    }
    return merge_into_file(how, traces, {});
}

} // namespace cli::xperf
