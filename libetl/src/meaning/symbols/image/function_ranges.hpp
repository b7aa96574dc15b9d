// Ranges of functions from the unwind information of x64 and ARM64. Private to symbols.
// docs/format/pdb.md#exports
#pragma once

#include "symbols/pe_file.hpp"

#include <cstdint>
#include <vector>

namespace etl::symbols {

class FunctionRanges {
public:
    FunctionRanges() = default;
    explicit FunctionRanges(const PeFile& file);

    /// Returns the last range that begins at or below an address; null if there is none.
    const AddressRange* at_or_below(std::uint32_t rva) const noexcept;

    /// Returns the range in which the function of a range begins: unwind information of separated
    /// parts is chained to it.
    AddressRange primary(const PeFile& file, const AddressRange& range) const noexcept;

private:
    void read_x64(const PeFile& file, Bytes table);
    void read_arm64(const PeFile& file, Bytes table);

    /// Sorted.
    std::vector<AddressRange> ranges_;
    std::vector<std::uint32_t> unwind_; // x64: their unwind information, in the same order
};

} // namespace etl::symbols
