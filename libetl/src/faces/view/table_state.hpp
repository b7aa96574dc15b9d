// What a Table consists of. Private to view.
#pragma once

#include <etl/table.hpp>

#include "analysis/table.hpp"
#include "dataset/dataset.hpp"
#include "rows/writer.hpp"

#include <memory>

namespace etl::inline view {

struct Table::State {
    analysis::Table table;
    std::vector<std::string> remarks{};
    std::vector<std::uint32_t> shown{}; // columns that are not hidden

    static Table of(analysis::Table table, std::vector<std::string> remarks = {});

    /// Opens traces, and computes a table of them.
    template <typename Compute>
    static std::expected<Table, TraceError> computed(const std::vector<std::string>& paths,
                                                     const dataset::Options& options,
                                                     Compute compute);

    /// The rows in a format.
    std::string text(rows::Format format) const;
};

} // namespace etl::inline view
