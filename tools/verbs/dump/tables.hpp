// `etl dump --split-by event`: a file for each kind of event, and an index, in one directory.
// docs/output.md#split
#pragma once

#include "base/output.hpp"
#include "outputs/staged_folder.hpp"
#include "sink/csv.hpp"
#include "sink/event_kinds.hpp"
#include "verbs/dump/options.hpp"

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace cli {

/// The names of the files: those of the kinds, and the index.
std::vector<std::string> table_files(const DumpOptions& options,
                                     const std::vector<etl::sink::EventKind>& kinds);

/// The index as a table: file, provider, provider_guid, id, version, event, events.
std::string index_of_tables(const std::vector<etl::sink::EventKind>& kinds,
                            const std::vector<std::string>& names,
                            const etl::sink::CsvOptions& options);

/// Files that appear in their directory when all are complete. Rows are buffered in memory, within
/// a limit; no file stays open. One thread.
class TableFiles final : public etl::Output {
public:
    struct Table {
        std::string name; // in the directory
        std::string head;
    };

    /// Creates the directory if it does not exist. Errors: io_failure.
    static etl::Result<std::unique_ptr<TableFiles>> create(const std::string& folder,
                                                           std::vector<Table> tables);
    TableFiles(const TableFiles&) = delete;
    TableFiles& operator=(const TableFiles&) = delete;
    ~TableFiles() override = default;

    /// Takes the output of etl::sink::CsvTables.
    etl::Result<void> write(std::string_view rows) override;

    /// Moves the files to their places. Do not write afterwards.
    etl::Result<void> commit();

private:
    TableFiles(std::unique_ptr<StagedFolder> folder, std::vector<Table> tables);

    etl::Result<void> flush(std::size_t table);
    etl::Result<void> flush_all();

    std::unique_ptr<StagedFolder> folder_;
    std::vector<Table> tables_;
    std::vector<std::string> rows_; // by table: not written yet
    std::size_t held_ = 0;          // bytes of all of them
};

} // namespace cli
