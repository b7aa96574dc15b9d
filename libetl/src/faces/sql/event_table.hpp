// Events as rows: all of them, or those of one kind. Private to sql.
#pragma once

#include "sql/event_plan.hpp"
#include "sql/kinds.hpp"
#include "sql/virtual_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace etl::sql {

/// A table whose rows are events.
class EventTable final : public VirtualTable {
public:
    /// `events`: the table of all events. `inputs` must outlive this.
    explicit EventTable(Inputs& inputs);

    /// The table of one kind.
    EventTable(Inputs& inputs, const Kind& kind);

    const std::vector<Column>& columns() const noexcept override { return columns_; }

    std::string plan(sqlite3_index_info& index) const override {
        return choose_plan(index, sources_);
    }

    std::unique_ptr<Cursor> open() override;

    /// By column.
    const std::vector<ColumnSource>& sources() const noexcept { return sources_; }

    Inputs& inputs() const noexcept { return *inputs_; }

    /// The events of the table; none: all.
    const std::optional<match::Expression>& where() const noexcept { return where_; }

private:
    void add(std::string name, std::string_view type, ColumnSource source);

    Inputs* inputs_;
    std::vector<Column> columns_;
    std::vector<ColumnSource> sources_; // by column
    std::optional<match::Expression> where_;
};

} // namespace etl::sql
