// Tables that are computed as a whole, such as those of etl::analysis. Private to sql.
#pragma once

#include "sql/virtual_table.hpp"

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace etl::sql {

class ComputedRows final : public VirtualTable {
public:
    explicit ComputedRows(const ComputedTable& table);

    const std::vector<Column>& columns() const noexcept override { return columns_; }

    std::unique_ptr<Cursor> open() override;

    /// Computes the table, if it was not computed before.
    const std::expected<analysis::Table, std::string>& result();

private:
    const ComputedTable* table_;
    std::vector<Column> columns_;
    std::optional<std::expected<analysis::Table, std::string>> result_;
};

} // namespace etl::sql
