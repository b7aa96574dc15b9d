// Public symbols by address. Private to symbols. docs/format/pdb.md#publics
#pragma once

#include "symbols/address_index.hpp"
#include "symbols/pdb/debug_info.hpp"
#include "symbols/source.hpp"
#include "symbols/stream_file.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace etl::symbols {

/// Where the name of a public symbol is in the stream of symbol records.
struct PublicName {
    std::uint32_t offset = 0;
    std::uint32_t size = 0; // 0: there is none
};

struct PublicSymbol {
    std::uint32_t rva = 0;
    std::uint32_t record = 0; // offset in the stream of symbol records
};

class Publics {
public:
    Publics() = default;

    /// Both must outlive the result.
    Publics(const StreamFile& file, const DebugInfo& info);

    /// Returns those at exactly this address.
    std::span<const PublicSymbol> at(std::uint32_t rva) const noexcept;

    /// Returns the nearest one at or below; null if there is none.
    const PublicSymbol* nearest(std::uint32_t rva) const noexcept;

    /// Returns a text: a view of the file or of `scratch`.
    std::string_view text(PublicName name, std::vector<std::byte>& scratch) const;

    /// Returns the name among those at one address that matches a procedure name, otherwise the
    /// shortest one (of several, the first in byte order).
    PublicName best(std::span<const PublicSymbol> symbols, std::string_view procedure,
                    NameScratch& scratch) const;

    bool is_empty() const noexcept { return symbols_.empty(); }

private:
    std::string_view name_of(const PublicSymbol& symbol, std::vector<std::byte>& scratch) const;
    void add(std::uint32_t record, const DebugInfo& info, std::vector<std::byte>& scratch);

    const StreamFile* file_ = nullptr;
    std::uint16_t stream_ = no_stream;  // of the records
    std::vector<PublicSymbol> symbols_; // sorted
    AddressIndex<PublicSymbol, &PublicSymbol::rva> index_;
};

} // namespace etl::symbols
