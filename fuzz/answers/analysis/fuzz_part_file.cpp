// The file of a part of a table. Properties: what is accepted is the same when it is written again,
// and combining it with itself fails or returns rows with a cell for each column.
#include "analysis/parts.hpp"
#include "fuzz/require.hpp"

#include <vector>

using namespace etl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes content = std::as_bytes(std::span(data, size));
    const auto part = analysis::parse_part_file(analysis::with_checksum(content));
    if (!part) {
        return 0;
    }
    const std::vector<std::byte> written = analysis::encode(*part);
    const auto again = analysis::parse_part_file(written);
    fuzz::require(again && analysis::encode(*again) == written);
    const auto* const kind = analysis::find_table(part->table, part->by);
    if (kind == nullptr || kind->parts == analysis::PartsOf::none) {
        return 0;
    }
    for (const analysis::TablePart& one : part->traces) {
        const analysis::TablePart twice[] = {one, one};
        const auto table = analysis::combine(*kind, part->options, twice);
        for (const analysis::Row& row : table ? table->rows : std::vector<analysis::Row>{}) {
            fuzz::require(row.cells.size() == table->columns.size());
        }
    }
    return 0;
}
