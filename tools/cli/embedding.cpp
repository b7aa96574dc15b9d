#include "cli/embedding.hpp"

#include "cli/console.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

void Embedding::add_to(CLI::App& verb) {
    verb.add_flag("--embed-schemas", wanted_,
                  "put the schemas of the events that occur into the output, as a merge on Windows "
                  "does: it decodes anywhere then. They come from --schema and from where that is "
                  "searched");
}

std::uint32_t Embedding::buffer_size(std::uint32_t planned) const noexcept {
    constexpr std::uint32_t room_for_any = 128U << 10U; // a record has at most 64 KB
    return wanted_ ? std::max(planned, room_for_any) : planned;
}

etl::flow::Source* Embedding::over(etl::flow::Source& source, const SchemaOptions& schemas,
                                   const Traces& traces, unsigned threads,
                                   const etl::decode::EmbeddingOptions& options) {
    if (!wanted_) {
        return &source;
    }
    auto gathered = gather_schemas(schemas, traces, threads);
    return gathered ? &over(source, *std::move(gathered), options) : nullptr;
}

etl::flow::Source& Embedding::over(etl::flow::Source& source, etl::schema::SchemasByTrace schemas,
                                   const etl::decode::EmbeddingOptions& options) {
    if (!wanted_) {
        return source;
    }
    return embedded_.emplace(source, std::move(schemas), options);
}

void Embedding::tell() const {
    if (!embedded_) {
        return;
    }
    const etl::decode::EmbeddingReport& report = embedded_->report();
    std::string line = fmt::format("embedded: {} schemas, {} maps", report.events, report.maps);
    if (report.existing != 0) {
        line += fmt::format("; {} were there", report.existing);
    }
    if (report.unknown != 0) {
        line += fmt::format("; {} kinds of event are unknown", report.unknown);
    }
    if (report.too_large != 0) {
        line += fmt::format("; {} do not fit into a record", report.too_large);
    }
    if (report.omitted != 0) {
        line += fmt::format("; {} events left out beyond the limits", report.omitted);
    }
    say(line);
}

} // namespace cli
