// The file of an index: what reading a trace shows about its buffers, and what tables need to
// answer questions about windows of it. docs/parts.md#index
//
//     auto made = analysis::make_index(input, threads);
//     const auto written = analysis::write(*std::move(made), key, output);
#pragma once

#include "analysis/states.hpp"
#include "base/output.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace etl::analysis {

/// The index of a trace, which is open.
struct MadeIndex {
    dataset::Dataset trace; // alone
    std::vector<trace::IndexSection> sections;
    std::uint64_t damage = 0; // findings in buffers

    const std::string& name() const;
    std::size_t buffers();
    std::size_t schema_buffers(); // those that are read for schemas
};

/// Reads a trace, twice. `options.has_tables` is taken as false for a damaged one. Errors: those of
/// opening, of schema files, and of reading; stopped, if `stop`, which may be null, is requested
/// meanwhile.
std::expected<MadeIndex, TraceError> make_index(const dataset::Input& input, unsigned threads,
                                                const StateOptions& options = {},
                                                const Stop* stop = nullptr);

/// Writes the content of its file, of which no copy is made. Errors: those of the output.
Result<void> write(MadeIndex made, const trace::IndexKey& key, Output& to);

/// Returns the content of its file.
std::vector<std::byte> encode(MadeIndex made, const trace::IndexKey& key);

} // namespace etl::analysis
