// Tracks of a dataset, for pictures of any window: read from the levels of detail that an index
// has, and from the few buffers at its edges. docs/analysis.md#tracks
#pragma once

#include "analysis/tracks.hpp"
#include "dataset/dataset.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <vector>

namespace etl::analysis {

struct TracksRequest {
    std::uint64_t bins = 1000;            // at least so many, less than twice as many
    std::vector<TrackKind> kinds{};       // empty: all
    std::vector<std::string> processes{}; // as facts::parse_process_selection; empty: all
    /// Whether a track is wanted; empty: all are.
    std::function<bool(const Track&)> wants{};
    bool ignores_levels = false; // reads the events instead, for tests
};

/// Returns the tracks of each machine and boot, of the window that the options of the dataset
/// choose. Of one trace with levels (`etl index`), the costs do not depend on the window; otherwise
/// they are those of the table `tracks`, which has the same bins. Errors: those of table_of().
std::expected<std::vector<TrackBins>, TraceError> tracks_of(dataset::Dataset& traces,
                                                            const TracksRequest& request = {});

} // namespace etl::analysis
