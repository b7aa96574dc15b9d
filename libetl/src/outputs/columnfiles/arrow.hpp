// Arrow IPC files from batches of typed columns, which have the memory layout of Arrow.
// docs/columns.md#arrow. Format: github.com/apache/arrow, docs/source/format/Columnar.rst and
// format/{Schema,Message,File}.fbs.
#pragma once

#include "columnfiles/table_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace etl::columnfiles {

class ArrowLabels;

/// Each row group is a record batch. Dictionaries of labels follow the rows that refer to them.
class ArrowFile final : public TableFile {
public:
    /// `properties` are metadata of the schema; `creator` is one of them.
    ArrowFile(std::vector<columns::BatchColumn> columns, Properties properties,
              std::string creator);
    ~ArrowFile() override;

    std::string head() const override { return head_; }

    Result<void> prepare(columns::Batch& batch) override;
    RowGroup encode(std::span<const columns::Batch> batches) const override;
    void add(const RowGroup& rows) override;
    std::size_t memory() const noexcept override;
    std::string spill() override;
    std::string tail() override;

private:
    /// The place of a message in the file.
    struct Block {
        std::uint64_t offset, metadata_size, body_size;
    };

    static std::string structures_of(const std::vector<Block>& blocks);
    std::string dictionaries(bool is_end);

    std::vector<columns::BatchColumn> columns_;
    Properties properties_;
    std::string head_;
    std::vector<std::unique_ptr<ArrowLabels>> labels_; // by column; null: other types
    std::vector<Block> dictionaries_, batches_;
};

} // namespace etl::columnfiles
