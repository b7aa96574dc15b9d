// Answers about two traces: what changed from the other trace to that of the page, in windows that
// begin equally long after the begins of both. Private to viewer.
#pragma once

#include <etl/error.hpp>

#include "explore/explorer.hpp"

#include <expected>

namespace etl::viewer {

/// A trace, and its times.
struct Side {
    const explore::Explorer* explorer = nullptr;
    Filetime begin{}, end{};
};

/// A selection whose times, as far as they are FILETIMEs, are after the begin of a trace: `+5s`.
explore::Selection relative(explore::Selection selection, Filetime begin);

/// The table of `etl diff`: rows, total, and order of a question about both. Errors: those of
/// explore::Explorer::table; invalid_option: a table that cannot be compared.
std::expected<explore::Answer, TraceError> compared_table(const Side& before, const Side& after,
                                                          explore::TableQuestion question,
                                                          const Stop* stop);

/// The flame graph of `after`, whose nodes have their weights in `before`, too.
std::expected<explore::Answer, TraceError> compared_flame(const Side& before, const Side& after,
                                                          explore::FlameQuestion question,
                                                          const Stop* stop);

} // namespace etl::viewer
