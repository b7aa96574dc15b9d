// Tables as Parquet files in a directory, with a list of them. docs/columns.md#parquet
#pragma once

#include <etl/base/task_pool.hpp>
#include <etl/columnfiles/parquet.hpp>

#include "outputs/kind_file_names.hpp"
#include "outputs/staged_folder.hpp"
#include "verbs/export/table_parts.hpp"

#include <cstdint>
#include <deque>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// Rows wait in memory, within a limit, until they make a row group. Row groups are encoded in the
/// threads of a pool, and are the same for any number of them. One thread.
class ParquetTables {
public:
    /// All arguments outlive this.
    ParquetTables(StagedFolder& folder, etl::TaskPool& pool) : folder_(&folder), pool_(&pool) {}

    /// Adds rows, which follow those of earlier calls. Errors: io_failure.
    etl::Result<void> add(TableParts& parts);

    /// Completes all files, and makes them appear. `traces`: names of the inputs, for the list of
    /// tables. Errors: io_failure.
    etl::Result<void> commit(const std::vector<std::string>& traces);

    std::uint64_t rows() const noexcept { return rows_; }

    /// Returns the number of fields without a column.
    std::size_t omitted() const noexcept { return omitted_; }

    /// The name of the list of tables; readers of a directory skip names with an underscore.
    static constexpr const char* list_name = "_tables.json";

private:
    struct Table {
        std::shared_ptr<const TableOfKind> shared;
        std::string name; // of the file
        etl::columnfiles::ParquetFile file;
        etl::columns::Batch pending{};
        std::size_t pending_bytes = 0;
        std::uint64_t bytes = 0;                     // of the complete file
        std::optional<std::int64_t> first{}, last{}; // times in nanoseconds
    };

    struct Encoding {
        Table* table;
        std::future<etl::columnfiles::RowGroup> rows;
    };

    Table& table_of(const std::shared_ptr<const TableOfKind>& shared);
    void flush(Table& table);
    void flush_largest();
    etl::Result<void> write_encoded(std::size_t most);
    etl::Result<void> write(Table& table, const etl::columnfiles::RowGroup& rows);
    std::string list_of_tables(const std::vector<std::string>& traces) const;

    StagedFolder* folder_;
    etl::TaskPool* pool_;
    KindFileNames names_{".parquet"};
    std::map<std::string, Table> tables_; // by key
    std::deque<Encoding> encodings_;      // under way, oldest first
    std::size_t pending_bytes_ = 0;       // of all tables
    std::uint64_t rows_ = 0;
    std::size_t omitted_ = 0;
};

} // namespace cli
