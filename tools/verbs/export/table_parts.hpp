// Events as rows of tables, one table for each kind of event. docs/columns.md
#pragma once

#include "columns/batch.hpp"
#include "flow/pipeline.hpp"
#include "sink/event_kinds.hpp"
#include "sink/options.hpp"

#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cli {

/// What all rows of a table have in common.
struct TableOfKind {
    std::string key; // of the kind, and of its columns: layouts that differ are separate tables
    /// Without a number of events and fields.
    etl::sink::EventKind kind;
    bool is_decoded = true; // false: the table of all events without a schema
    std::vector<etl::columns::BatchColumn> columns;
    std::size_t omitted = 0; // fields that have no column
};

struct TablePart {
    std::shared_ptr<const TableOfKind> table;
    etl::columns::Batch rows;
};

/// The rows of a batch of events.
class TableParts final : public etl::flow::BatchResult {
public:
    std::vector<TablePart> parts;
    std::uint64_t errors = 0;          // payloads that contradict their schema
    std::uint64_t unrepresentable = 0; // times outside the range of nanoseconds
    std::uint64_t unset_times = 0;     // of which all bytes are 0
    std::uint64_t with_items = 0;      // events with items that have no column, such as stacks
    std::bitset<32> item_types;        // of these items, by format::ItemType; the last: others
};

/// Returns a worker whose results are TableParts. `options`: schemas, filters, code page, tally.
std::unique_ptr<etl::flow::BatchWorker> make_table_worker(const etl::sink::Options& options);

} // namespace cli
