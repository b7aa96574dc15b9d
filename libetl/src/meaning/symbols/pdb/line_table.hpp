// C13 line information of one module. Private to symbols. docs/format/pdb.md#lines
#pragma once

#include "symbols/pdb/module.hpp"

#include <cstdint>
#include <vector>

namespace etl::symbols {

/// Where an inlined function begins in its source.
struct Inlinee {
    std::uint32_t item = 0;
    std::uint32_t file = 0; // offset in the stream of names
    std::uint32_t line = 0;
};

/// Names of source files by the offset of their checksums.
class FileTable {
public:
    FileTable() = default;

    explicit FileTable(Bytes checksums) : checksums_(checksums) {}

    /// Returns the offset in the stream of names; 0 if the file is unknown.
    std::uint32_t name_of(std::uint32_t checksum) const noexcept {
        return has_range(checksums_, checksum, 4)
                   ? load_le<std::uint32_t>(checksums_.data() + checksum)
                   : 0;
    }

private:
    Bytes checksums_;
};

struct LineTables {
    FileTable files;
    std::vector<LineRow> rows;     // sorted
    std::vector<Inlinee> inlinees; // sorted by item
};

/// Reads the line information. The result views it.
LineTables read_line_tables(Bytes c13, const AddressSpace& addresses);

} // namespace etl::symbols
