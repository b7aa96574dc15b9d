#include "analysis/index_file.hpp"

#include "gather/trace_index.hpp"

#include <utility>

namespace etl::analysis {

std::expected<IndexFile, TraceError> make_index_file(const dataset::Input& input,
                                                     const trace::IndexKey& key, unsigned threads,
                                                     const StateOptions& options,
                                                     const Stop* stop) {
    std::size_t findings = 0;
    dataset::Dataset traces(
        {.files = {input}, .problems = {}},
        {.threads = threads,
         .is_single_pass = true,
         .stop = stop,
         .findings = [&](const Diagnostic&, const std::string&) { ++findings; }});
    if (traces.is_empty()) {
        return std::unexpected(TraceError{traces.problems().front().error, input.name(), {}});
    }
    const auto is_stopped = [stop] { return stop != nullptr && stop->is_requested(); };
    const auto stopped = [] {
        return std::unexpected(
            TraceError{{.code = ErrorCode::stopped, .what = "the index"}, {}, {}});
    };
    IndexFile made{.trace = traces.readers().front()->info().name};
    made.damage = traces.make_index(0);
    if (is_stopped()) {
        return stopped();
    }
    StateOptions of_tables = options;
    of_tables.has_tables = options.has_tables && made.damage == 0 && findings == 0;
    auto sections = sections_of(traces, 0, of_tables);
    if (is_stopped()) {
        return stopped();
    }
    if (!sections) {
        return std::unexpected(std::move(sections.error()));
    }
    const trace::TraceIndex& index = *traces.indexes().front();
    made.buffers = index.buffers.size();
    made.schema_buffers = index.numbers_of(&trace::IndexedBuffer::has_schemas).size();
    made.bytes = gather::encoded_index(*traces.readers().front(), *input.file, index, key,
                                       *std::move(sections));
    return made;
}

} // namespace etl::analysis
