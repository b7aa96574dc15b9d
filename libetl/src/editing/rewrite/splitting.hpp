// A trace split into several. docs/split.md
#pragma once

#include "dataset/dataset.hpp"
#include "relog/split.hpp"
#include "rewrite/named_files.hpp"
#include "rewrite/output.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace etl::rewrite {

struct Splitting {
    relog::SplitBy by = relog::SplitBy::size;
    std::uint64_t limit = 0; // as relog::SplitOptions::limit
    relog::SplitContext context = relog::SplitContext::copied;
    gather::SchemaScope schemas = gather::SchemaScope::everything; // for SplitBy::process
    /// The path contains `%d`. Parts always appear together, on completion.
    OutputOptions output{};
    /// Makes a source of the events to split out of a reader, once for each pass, always the same.
    /// Empty: all events.
    std::function<std::unique_ptr<flow::Source>(std::unique_ptr<trace::Reader>)> chosen{};
    dataset::FindingSink findings{}; // of the first pass; may be empty
    std::function<void(const relog::SplitForecast& forecast)> planned{}; // may be empty
    std::function<void(double done)> progress{}; // with 0 to 1; may be empty
    /// Refuses to write a part to this path, before any part appears. May be empty.
    Permits permits{};
};

struct SplitParts {
    std::vector<relog::Part> parts;
    /// Names of processes, by PartKey::Process::life; empty, but for SplitBy::process.
    std::vector<std::string> processes;
};

/// What the events of a part have in common: `process 4 System`, `events 1 to 100`. `processes`: as
/// in SplitParts.
std::string text_of(const relog::PartKey& key, const std::vector<std::string>& processes);

/// Splits the only trace of the dataset, which is opened again for each pass. SplitBy::process
/// finds the facts of the trace first. Errors: those of relog::split, about a part or the pattern;
/// of schema files and of reading; of Splitting::permits.
std::expected<SplitParts, TraceError> split(dataset::Dataset& trace, const Splitting& what);

} // namespace etl::rewrite
