// The indexes of traces: made by one pass over each, and used to gather schemas and facts from the
// buffers that contain them. docs/parts.md#index
#pragma once

#include <etl/error.hpp>

#include "base/function_ref.hpp"
#include "base/output.hpp"
#include "gather/facts.hpp"
#include "gather/schemas.hpp"
#include "trace/trace_index.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::gather {

/// An index, and how much damage was found while it was made.
struct MadeIndex {
    trace::TraceIndex index;
    std::uint64_t damage = 0; // findings of Severity::warning in buffers
};

/// Reads a trace once and returns its index, which depends on the trace alone. `threads` is at
/// least 1.
MadeIndex index_of(trace::Reader& reader, unsigned threads);

/// Returns the content of an index file of a trace.
std::vector<std::byte> encoded_index(const trace::Reader& reader, const io::InputFile& file,
                                     trace::TraceIndex index, const trace::IndexKey& key,
                                     std::vector<trace::IndexSection> sections = {});

/// Writes it, of which no copy is made. Errors: those of the output.
Result<void> write_index(const trace::Reader& reader, const io::InputFile& file,
                         trace::TraceIndex index, const trace::IndexKey& key,
                         std::vector<trace::IndexSection> sections, Output& to);

/// Returns the path of the index of a trace: that of the trace, with `.index`.
std::string index_path(std::string_view trace);

/// Returns the index next to a trace, else that in the cache (index_cache.hpp); null if there is
/// none, or, after a remark about the one next to it, if it is damaged or that of another trace.
std::shared_ptr<const trace::TraceIndex> read_index(const trace::Reader& reader,
                                                    RemarkSink remarks);

/// Returns the index next to a file, or in the cache, of which nothing is known but its size and
/// io::InputFile::changed(); null: there is none of this state of it. What is wrong with it,
/// read_index() says.
std::shared_ptr<const trace::TraceIndex> index_of_state(const io::InputFile& file);

/// Returns which buffers contain events of kinds of which `is_wanted`, which is called with one
/// event of each, is true. Nothing: the index does not know the kinds, or there is little to leave
/// out.
std::optional<std::vector<bool>>
buffers_of_kinds(trace::Reader& reader, const trace::TraceIndex& index,
                 FunctionRef<bool(const flow::Event& event)> is_wanted);

/// Leaves out, from the events of a reader, the buffers that contain only events of kinds of which
/// `may_match`, which is called with one event of each, is false. As trace::Reader::keep_only();
/// does nothing if the index does not know the kinds, or if there is little to leave out.
void skip_kinds(trace::Reader& reader, const trace::TraceIndex& index,
                FunctionRef<bool(const flow::Event& event)> may_match);

/// The index of each reader, in the same order; null: none. Empty: none at all.
using Indexes = std::span<const std::shared_ptr<const trace::TraceIndex>>;

/// As schemas_of() without indexes, with the same result. Traces with an index are read only where
/// they contain schemas or origins.
std::expected<Schemas, catalog::PathError> schemas_of(Readers readers, Indexes indexes,
                                                      const SchemaOptions& options,
                                                      RemarkSink remarks,
                                                      facts::OriginCollector* origins = nullptr);

/// As facts_of() without indexes, with the same result. Traces with an index are read only where
/// they contain facts. `stacks`: of other events, stacks are not needed.
std::shared_ptr<const facts::FactsByTrace> facts_of(Readers readers, Indexes indexes,
                                                    const schema::SchemasByTrace& schemas,
                                                    const facts::CollectorOptions& options,
                                                    unsigned threads, RemarkSink remarks,
                                                    const flow::TimeFilter::Window& stacks = {});

// The key of the indexes that a user trusts. docs/parts.md#key

/// Returns the path of the key: that in ETL_INDEX_KEY, else etl/index.key in the user's directory
/// of state; empty if that is unknown.
std::string index_key_path();

/// Returns the key. Errors: not_found (no file, or no path); io_failure; invalid_option: others may
/// read or change the file; malformed (its size).
Result<trace::IndexKey> index_key();

/// As index_key(). If there is no key, and ETL_INDEX_KEY does not name its place, makes one of
/// random bytes.
Result<trace::IndexKey> index_key_or_new();

/// Returns "KEY-PATH: why it cannot be used", for an error of the functions above.
std::string describe_key_error(const Error& error);

} // namespace etl::gather
