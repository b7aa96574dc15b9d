#include "outputs/embedding.hpp"

#include "cli/console.hpp"
#include "rewrite/merging.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

void Embedding::add_to(Verb& verb) {
    verb.add_flag("--embed-schemas", wanted_,
                  "embed the schemas of events in the output, as a merge on Windows does");
}

std::uint32_t Embedding::buffer_size(std::uint32_t planned) const noexcept {
    return wanted_ ? std::max(planned, etl::rewrite::embedding_buffer_size) : planned;
}

etl::flow::Source* Embedding::over(etl::flow::Source& source, const SchemaOptions& schemas,
                                   const Traces& traces,
                                   const etl::decode::EmbeddingOptions& options) {
    if (!wanted_) {
        return &source;
    }
    auto context = context_of(traces, schemas);
    return context ? &over(source, std::move(context->schemas), options) : nullptr;
}

etl::flow::Source& Embedding::over(etl::flow::Source& source, etl::schema::SchemasByTrace schemas,
                                   const etl::decode::EmbeddingOptions& options) {
    if (!wanted_) {
        return source;
    }
    return embedded_.emplace(source, std::move(schemas), options);
}

void Embedding::report_counts() const {
    if (embedded_) {
        report_embedding(embedded_->report());
    }
}

void report_embedding(const etl::decode::EmbeddingReport& report) {
    std::string line = fmt::format("embedded {} and {}", plural(report.events, "schema"),
                                   plural(report.maps, "map"));
    if (report.existing != 0) {
        line += fmt::format("; {} already present", report.existing);
    }
    if (report.unknown != 0) {
        line += fmt::format("; {} without a schema",
                            plural(report.unknown, "kind of event", "kinds of event"));
    }
    if (report.too_large != 0) {
        line += fmt::format("; {} too large for a record", report.too_large);
    }
    if (report.omitted != 0) {
        line += fmt::format("; {} beyond the limits", plural(report.omitted, "event"));
    }
    say(line);
}

} // namespace cli
