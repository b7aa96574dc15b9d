// Tables as files of columns in a directory, with a list of them. docs/columns.md
#pragma once

#include "base/task_pool.hpp"
#include "columnfiles/table_file.hpp"
#include "outputs/staged_folder.hpp"
#include "verbs/export/table_parts.hpp"

#include <cstdint>
#include <deque>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

/// Rows wait in memory, within a limit, until they make a row group. Row groups are encoded in the
/// threads of a pool, and are the same for any number of them. One thread.
class ColumnTables {
public:
    /// `format`: parquet or arrow, also the extension of the files. All arguments outlive this.
    ColumnTables(StagedFolder& folder, etl::TaskPool& pool, std::string_view format);

    /// Adds rows, which follow those of earlier calls. Errors: io_failure, limit.
    etl::Result<void> add(TableParts& parts);

    /// Completes all files, makes them appear, and removes the `outdated` ones. `traces`: names of
    /// the inputs, for the list of tables. Errors: io_failure.
    etl::Result<void> commit(const std::vector<std::string>& traces,
                             const std::vector<std::string>& outdated);

    std::uint64_t rows() const noexcept { return rows_; }

    /// Returns the number of fields without a column.
    std::size_t omitted() const noexcept { return omitted_; }

    /// The name of the list of tables; readers of a directory skip names with an underscore.
    static constexpr const char* list_name = "_tables.json";

private:
    struct Table {
        std::shared_ptr<const TableOfKind> shared;
        std::string name; // of the file
        std::shared_ptr<etl::columnfiles::TableFile> file;
        std::vector<etl::columns::Batch> pending{}; // rows that wait
        std::size_t pending_rows = 0;
        std::size_t pending_bytes = 0;
        bool has_begun = false;                      // the first bytes are written
        std::optional<std::int64_t> first{}, last{}; // times in nanoseconds
    };

    struct Encoded {
        etl::columnfiles::RowGroup rows;
        std::optional<std::pair<std::int64_t, std::int64_t>> times{}; // first and last
    };

    struct Encoding {
        Table* table;
        std::future<Encoded> rows;
    };

    Table& table_of(const std::shared_ptr<const TableOfKind>& shared);
    static void keep(Table& table, etl::columns::Batch&& rows);
    etl::Result<void> flush(Table& table);
    etl::Result<void> flush_largest();
    etl::Result<void> spill_largest();
    etl::Result<void> write_encoded(std::size_t most);
    etl::Result<void> write(Table& table, const Encoded& encoded);
    etl::Result<void> append(Table& table, std::string_view bytes);
    etl::Result<void> write_list(const std::vector<std::string>& traces);

    StagedFolder* folder_;
    etl::TaskPool* pool_;
    std::string_view format_;
    KindFileNames names_;
    std::map<std::string, Table> tables_; // by key
    std::deque<Encoding> encodings_;      // under way, oldest first
    std::size_t pending_bytes_ = 0;       // of all tables
    std::size_t kept_bytes_ = 0;          // TableFile::memory() of all tables
    std::uint64_t rows_ = 0;
    std::size_t omitted_ = 0;
};

} // namespace cli
