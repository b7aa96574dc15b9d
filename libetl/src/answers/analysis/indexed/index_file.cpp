#include "analysis/index_file.hpp"

#include "gather/trace_index.hpp"

#include <utility>

namespace etl::analysis {

const std::string& MadeIndex::name() const {
    return trace.readers().front()->info().name;
}

std::size_t MadeIndex::buffers() {
    return trace.indexes().front()->buffers.size();
}

std::size_t MadeIndex::schema_buffers() {
    return trace.indexes().front()->numbers_of(&trace::IndexedBuffer::has_schemas).size();
}

std::expected<MadeIndex, TraceError> make_index(const dataset::Input& input, unsigned threads,
                                                const StateOptions& options, const Stop* stop) {
    std::size_t findings = 0;
    MadeIndex made{.trace = dataset::Dataset(
                       {.files = {input}, .problems = {}},
                       {.threads = threads,
                        .stop = stop,
                        .findings = [&](const Diagnostic&, const std::string&) { ++findings; }}),
                   .sections = {}};
    if (made.trace.is_empty()) {
        return std::unexpected(TraceError{made.trace.problems().front().error, input.name(), {}});
    }
    const auto is_stopped = [stop] { return stop != nullptr && stop->is_requested(); };
    made.damage = made.trace.make_index(0);
    StateOptions of_tables = options;
    of_tables.has_tables = options.has_tables && made.damage == 0 && findings == 0;
    auto sections = sections_of(made.trace, 0, of_tables); // soon, if it is stopped
    made.trace.silence();                                  // `findings` ends here
    if (is_stopped()) {
        return std::unexpected(
            TraceError{{.code = ErrorCode::stopped, .what = "the index"}, {}, {}});
    }
    if (!sections) {
        return std::unexpected(std::move(sections.error()));
    }
    made.sections = *std::move(sections);
    return made;
}

Result<void> write(MadeIndex made, const trace::IndexKey& key, Output& to) {
    return gather::write_index(*made.trace.readers().front(), *made.trace.inputs().front().file,
                               *made.trace.indexes().front(), key, std::move(made.sections), to);
}

std::vector<std::byte> encode(MadeIndex made, const trace::IndexKey& key) {
    return gather::encoded_index(*made.trace.readers().front(), *made.trace.inputs().front().file,
                                 *made.trace.indexes().front(), key, std::move(made.sections));
}

} // namespace etl::analysis
