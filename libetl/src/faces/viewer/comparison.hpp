// Answers about two traces: what changed from the other trace to that of the page, in a window of
// each. Private to viewer.
#pragma once

#include <etl/error.hpp>

#include "explore/explorer.hpp"
#include "viewer/request.hpp"

#include <expected>

namespace etl::viewer {

/// A trace, and its times.
struct Side {
    const explore::Explorer* explorer = nullptr;
    Filetime begin{}, end{};
};

/// What is selected of both traces.
struct Selections {
    explore::Selection before, after;
};

/// The selections of a request that compares. Without a window of its own, `before` has that of
/// `after`, whose begin is given; times of both are then after the begins, as `+5s`. Errors:
/// invalid_option: times of one trace alone.
std::expected<Selections, TraceError> selections_of(const Request& request, Filetime begin);

/// The table of `etl diff`: rows, total, and order of a question about both, whatever its own
/// selection is. Errors: those of explore::Explorer::table; invalid_option: a table that cannot be
/// compared.
std::expected<explore::Answer, TraceError> compared_table(const Side& before, const Side& after,
                                                          const Selections& selections,
                                                          explore::TableQuestion question,
                                                          const Stop* stop);

/// The flame graph of `after`, whose nodes have their weights in `before`, too; as above.
std::expected<explore::Answer, TraceError> compared_flame(const Side& before, const Side& after,
                                                          const Selections& selections,
                                                          explore::FlameQuestion question,
                                                          const Stop* stop);

} // namespace etl::viewer
