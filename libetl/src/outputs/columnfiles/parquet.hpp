// Parquet files from batches of typed columns. docs/columns.md#parquet
// Format: github.com/apache/parquet-format (parquet.thrift, Encodings.md, LogicalTypes.md).
#pragma once

#include "columnfiles/table_file.hpp"

#include <span>
#include <string>
#include <vector>

namespace etl::columnfiles {

/// Encodes and compresses the rows of batches. Pure. Thread-safe.
RowGroup encode_row_group(std::span<const columns::BatchColumn> columns,
                          std::span<const columns::Batch> batches);

class ParquetFile final : public TableFile {
public:
    /// `properties` are readable in the file; `creator`: "NAME version VERSION".
    ParquetFile(std::vector<columns::BatchColumn> columns, Properties properties,
                std::string creator);

    std::string head() const override;

    RowGroup encode(std::span<const columns::Batch> batches) const override {
        return encode_row_group(columns_, batches);
    }

    void add(const RowGroup& rows) override;
    std::string tail() override;

private:
    std::vector<columns::BatchColumn> columns_;
    Properties properties_;
    std::string creator_;
    std::string group_entries_; // of the footer
};

} // namespace etl::columnfiles
