// Events as rows: all of them, or those of one kind. Private to sql.
#pragma once

#include "match/kind_filter.hpp"
#include "sql/event_plan.hpp"
#include "sql/kinds.hpp"
#include "sql/row_batches.hpp"
#include "sql/virtual_table.hpp"

#include <atomic>
#include <memory>
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

    const std::vector<ColumnInfo>& columns() const noexcept override { return columns_; }

    bool has_events_column() const noexcept override { return true; }

    std::string plan(sqlite3_index_info& index) const override;

    std::unique_ptr<Cursor> open() override;

    /// By column.
    const std::vector<ColumnSource>& sources() const noexcept { return sources_; }

    Inputs& inputs() const noexcept { return *inputs_; }

    /// The events of the table; none: all.
    const std::optional<match::Expression>& where() const noexcept { return where_; }

private:
    void add(std::string name, std::string_view type, ColumnSource source);

    Inputs* inputs_;
    std::vector<ColumnInfo> columns_;
    std::vector<ColumnSource> sources_; // by column
    std::optional<match::Expression> where_;
};

// One pass over the events of the traces.

class EventCursor final : public Cursor {
public:
    explicit EventCursor(const EventTable& table) : table_(&table) {}

    int start(std::string_view plan, std::span<sqlite3_value*> values) override;
    int next() override;

    bool at_end() const noexcept override { return rows_ == nullptr; }

    void value(sqlite3_context* to, std::size_t column) override;

private:
    bool open_events(const EventPlan& plan, const std::optional<match::Condition>& where);
    std::shared_ptr<RowOptions> options_of(const EventPlan& plan,
                                           std::optional<match::Condition> where);
    dataset::Selection selection_of(const match::Condition& where, const EventPlan& plan);
    void forget_events();
    std::unique_ptr<flow::BatchResult> next_batch();
    std::unique_ptr<RowBatch> next_rows();
    std::unique_ptr<RowBatch> next_groups();
    std::unique_ptr<RowBatch> rows_of_groups();
    void add_scan(const EventPlan& plan, RowOptions& options) const;
    int pass_on(RowScan& scan);
    int fail_at_end();

    const EventTable* table_;
    std::unique_ptr<TaskPool> pool_;
    // Members refer to those before them.
    std::unique_ptr<match::KindFilter> kinds_;
    std::shared_ptr<dataset::Dataset> traces_;
    std::optional<dataset::Events> source_; // of traces_
    std::shared_ptr<const RowOptions> options_;
    std::optional<RowWorker> worker_;
    std::optional<flow::BatchReader> reader_;
    std::vector<ValueSource> values_; // by column
    std::unique_ptr<RowBatch> rows_;  // null: at the end
    std::size_t row_ = 0;
    CountedTexts groups_; // that are not yet passed on
    std::uint64_t events_ = 0;
    std::string scratch_;
    std::optional<match::Condition> where_;
    std::atomic<std::uint64_t> untimed_ = 0; // left out of the window
    bool has_match_ = false, is_stopped_ = false;
};

} // namespace etl::sql
