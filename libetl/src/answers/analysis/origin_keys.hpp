// Tables of several machines and boots: which one a row is of. docs/analysis.md#machines
//
//     const OriginKeys keys(scopes.origins(readers, origins));
//     keys.add_to(table, scope); // of each scope, before the tables are added
#pragma once

#include "analysis/table.hpp"
#include "facts/origins.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace etl::analysis {

/// The first key columns of such tables: `machine`; `boot`, if that does not tell them apart;
/// `trace` (facts::Origin::trace), if that does not, either. Immutable; thread-safe.
class OriginKeys {
public:
    /// Of one machine and boot: no columns.
    OriginKeys() = default;

    /// By scope. Scopes whose machine and boot are recorded and equal are one.
    explicit OriginKeys(std::vector<facts::Origin> origins);

    const std::vector<Column>& columns() const noexcept { return columns_; }

    /// Adds the columns, with the values of a scope in all rows, and puts stacks under a frame of
    /// the scope.
    void add_to(Table& table, std::size_t scope) const;

private:
    std::vector<Cell> cells_of(const facts::Origin& origin) const;
    std::string label_of(const facts::Origin& origin) const;

    std::vector<facts::Origin> origins_;
    std::vector<Column> columns_;
};

} // namespace etl::analysis
