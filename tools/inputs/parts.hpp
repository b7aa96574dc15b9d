// Indexes of traces, and the part of them that --part selects. docs/parts.md
#pragma once

#include "cli/verb.hpp"
#include "flow/filters.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "trace/parts.hpp"
#include "trace/window_reader.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cli {

/// `--part K/N`. `use`: what the parts of this verb add up to, for the help.
void add_part(Verb& verb, std::optional<etl::trace::Part>& part, const std::string& use);

/// The index of each reader; null: none.
using TraceIndexes = std::vector<std::shared_ptr<const etl::trace::TraceIndex>>;

/// Reads the index next to each trace, if there is one. If it does not belong to the trace or is
/// damaged, prints why, and that it is ignored.
TraceIndexes read_indexes(const Traces& traces);

/// Reads the traces that have no index yet, and adds theirs.
void complete_indexes(const Traces& traces, TraceIndexes& indexes, unsigned threads);

/// As gather_schemas(), with indexes.
std::optional<etl::gather::Schemas> gather_schemas(const SchemaOptions& options,
                                                   const Traces& traces,
                                                   const TraceIndexes& indexes, unsigned threads,
                                                   etl::facts::OriginCollector* origins);

/// A part of each trace. All traces have an index.
class PartOfTraces {
public:
    /// Null, after printing why, if a trace cannot be opened again. `findings`: of this reading.
    static std::unique_ptr<PartOfTraces>
    open(const TraceOptions& options, const OpenedFiles& opened, Traces& traces,
         const TraceIndexes& indexes, const etl::trace::WantedPart& wanted,
         Traces::Findings findings = Traces::Findings::reported);

    /// The part of the trace of traces.readers()[number].
    etl::flow::Source& source(std::size_t number) noexcept { return *sources_[number]; }

    /// Releases all parts, in the order of the traces, which must outlive them.
    std::vector<std::unique_ptr<etl::trace::WindowReader>> take() { return std::move(sources_); }

    /// When it begins; none: with the traces.
    const std::optional<etl::Filetime>& begin() const noexcept { return begin_; }

private:
    std::optional<etl::Filetime> begin_;
    std::vector<std::unique_ptr<etl::trace::WindowReader>> sources_;
};

} // namespace cli
