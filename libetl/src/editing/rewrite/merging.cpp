#include "rewrite/merging.hpp"

#include "base/file_name.hpp"

#include <algorithm>

namespace etl::rewrite {

std::expected<void, TraceError> place_offsets(const std::vector<Offset>& offsets,
                                              const dataset::Dataset& traces, merge::Options& how) {
    how.offsets.assign(traces.readers().size(), 0);
    for (const Offset& offset : offsets) {
        bool found = false;
        for (std::size_t i = 0; i < traces.readers().size(); ++i) {
            const std::string& name = traces.readers()[i]->info().name;
            if (offset.input == name || offset.input == file_name_of(name)) {
                how.offsets[i] = offset.ticks;
                found = true;
            }
        }
        if (!found) {
            return std::unexpected(
                TraceError{{.code = ErrorCode::not_found, .what = "input of an offset"},
                           offset.input,
                           "not an input"});
        }
    }
    return {};
}

std::expected<Merged, MergeError> merge(dataset::Dataset& traces, const Merging& what) {
    schema::SchemasByTrace schemas;
    if (what.embedded) {
        auto context = traces.context({.schemas = what.embedded});
        if (!context) {
            return std::unexpected(MergeError{std::move(context.error())});
        }
        schemas = std::move(context->schemas);
    }
    auto joined = Joined::join(traces, what.how);
    if (!joined) {
        return std::unexpected(std::move(joined.error()));
    }
    OutputOptions options = what.output;
    if (!options.buffer_size) {
        options.buffer_size = what.embedded ? std::max(joined->buffer_size(), embedding_buffer_size)
                                            : joined->buffer_size();
    }
    auto output =
        Output::open(options, traces.options().worker_threads(), joined->writer_options());
    if (!output) {
        return std::unexpected(MergeError{std::move(output.error())});
    }
    std::optional<decode::EmbeddedSource> embedded;
    if (what.embedded) {
        embedded.emplace(
            joined->source(), std::move(schemas),
            decode::EmbeddingOptions{.by_logger = joined->writer_options().keep_logger_ids});
    }
    flow::Source& source = embedded ? static_cast<flow::Source&>(*embedded) : joined->source();
    const auto copied = joined->copy(source, *output, what.progress);
    if (!copied) {
        return std::unexpected(MergeError{{copied.error(), {}}});
    }
    return Merged{.written = output->finish(),
                  .replaces = output->replaces(),
                  .embedded = embedded ? std::optional(embedded->report()) : std::nullopt,
                  .repeated_context = joined->repeated_context()};
}

} // namespace etl::rewrite
