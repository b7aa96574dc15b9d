// Exported symbols of executables. Private to symbols. docs/format/pdb.md#exports
#pragma once

#include "symbols/image/function_ranges.hpp"
#include "symbols/pe_file.hpp"
#include "symbols/source/source.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace etl::symbols {

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
