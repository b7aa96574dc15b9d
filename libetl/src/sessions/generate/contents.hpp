// The contents of generated traces, and what they share. One thread.
#pragma once

#include "generate/generate.hpp"

namespace etl::generate {

// Each adds what a valid recipe specifies, as generate::write does.

Report write_mixture(const Recipe& recipe, trace::Writer& writer, const Progress& progress);
Report write_workload(const Recipe& recipe, trace::Writer& writer, const Progress& progress);
Report write_capture(const Recipe& recipe, trace::Writer& writer, const Progress& progress);

/// Whether a recipe ends after this number of events, or at a time after the start, in 100 ns.
bool is_over(const Recipe& recipe, std::uint64_t events, std::int64_t elapsed) noexcept;

/// The completed fraction, 0 to 1.
double fraction_done(const Recipe& recipe, std::uint64_t events, std::int64_t elapsed) noexcept;

/// Calls contents.next() until it returns false, and `progress` every 1024 events or so.
template <typename Contents>
void add_all(Contents& contents, const Recipe& recipe, const Progress& progress) {
    constexpr std::uint64_t batch = 1024;
    std::uint64_t next = batch;
    while (contents.next()) {
        if (progress && contents.events() >= next) {
            next = contents.events() + batch;
            progress(fraction_done(recipe, contents.events(), contents.elapsed()),
                     contents.events());
        }
    }
}

} // namespace etl::generate
