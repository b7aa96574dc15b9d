// Exported symbols of executables. Private to symbols. docs/format/pdb.md#exports
#pragma once

#include "symbols/pe_file.hpp"
#include "symbols/source.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace etl::symbols {

/// Ranges of functions from the unwind information of x64 and ARM64. docs/format/pdb.md#exports
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

struct Export {
    std::uint32_t rva = 0;
    std::uint32_t ordinal = 0;
    std::string_view name; // empty: by ordinal only
};

/// Returns the exports in the order of their addresses, without those that forward to another
/// executable. The names view the file.
std::vector<Export> read_exports(const PeFile& file);

/// An executable as a source of symbols.
class ImageSource final : public Source {
public:
    explicit ImageSource(PeFile file, std::unique_ptr<const Source> embedded);

    Identity identity() const noexcept override { return identity_; }

    void resolve(std::uint32_t rva, Detail detail, Scratch& scratch) const override;

    std::optional<SourceLine> managed_line(std::uint32_t method_token,
                                           std::uint32_t il_offset) const override {
        return embedded_ ? embedded_->managed_line(method_token, il_offset) : std::nullopt;
    }

    bool names_functions() const override { return !exports_.empty(); }

private:
    const Export* nearest(std::uint32_t rva) const noexcept;

    PeFile file_;
    Identity identity_;
    std::unique_ptr<const Source> embedded_; // portable database; null: none
    std::vector<Export> exports_;
    FunctionRanges functions_;
};

} // namespace etl::symbols
