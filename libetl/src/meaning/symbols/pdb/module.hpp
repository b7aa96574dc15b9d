// The parsed symbols of one module: sorted tables. Private to symbols. docs/format/pdb.md#symbols
#pragma once

#include "symbols/address_index.hpp"
#include "symbols/pdb/debug_info.hpp"
#include "symbols/pdb/publics.hpp"
#include "symbols/pdb/type_names.hpp"
#include "symbols/source.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace etl::symbols {

/// A text of Module::texts.
struct TextPart {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
};

/// Code with a name. Half of a cache line: what a lookup reads comes first.
struct Procedure {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    TextPart name;                // empty: that of the procedure at `target`
    std::uint32_t target = 0;     // of a jump to another module
    std::uint32_t first_span = 0; // of inlined functions
    std::uint32_t spans = 0;
};

/// From here to the next row.
struct LineRow {
    std::uint32_t begin = 0;
    std::uint32_t line = 0; // 0: none
    std::uint32_t file = 0; // offset in the stream of names
};

/// An inlined call.
struct InlineSite {
    std::uint32_t parent = 0; // its index + 1; 0: the procedure
    TextPart name;
    std::uint32_t first_row = 0;
    std::uint32_t rows = 0;
};

struct InlineRow {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t line = 0;
    std::uint32_t file = 0;
};

/// From here to the next span, the innermost site: its index + 1; 0: none.
struct InlineSpan {
    std::uint32_t begin = 0;
    std::uint32_t site = 0;
};

/// The public symbol at the beginning of a procedure.
struct Linkage {
    PublicName name;
    std::uint32_t others = 0; // further names
};

struct ManagedMethod {
    std::uint32_t token = 0;
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
};

using ProcedureIndex = AddressIndex<Procedure, &Procedure::begin>;

/// The procedures of a module and their names.
struct ProcedureTable {
    ProcedureIndex::View procedures;
    std::string_view texts;

    /// Returns the procedure that contains an address; null if there is none.
    const Procedure* at(std::uint32_t rva) const noexcept {
        const Procedure* const found = procedures.find(rva);
        return found != nullptr && rva < found->end ? found : nullptr;
    }

    std::string_view text(TextPart part) const noexcept {
        return texts.substr(part.offset, part.size);
    }
};

class Module {
public:
    std::string_view text(TextPart part) const noexcept {
        return std::string_view(texts).substr(part.offset, part.size);
    }

    /// Views the procedures. Valid as long as the module.
    ProcedureTable procedure_table() const noexcept {
        return {procedure_index_.view(procedures), texts};
    }

    /// Returns the row that applies to an address; null if there is none.
    const LineRow* line_at(std::uint32_t rva) const noexcept;

    /// Returns the innermost site at an address of `procedure`: its index + 1; 0 if there is none.
    std::uint32_t site_at(const Procedure& procedure, std::uint32_t rva) const noexcept;

    /// Returns the row of a site that covers an address, otherwise the one before it; null if there
    /// is none.
    const InlineRow* row_of(const InlineSite& site, std::uint32_t rva) const noexcept;

    /// Returns the public symbol of a procedure. Finds all of the module at the first call.
    const Linkage& linkage_of(const Procedure& procedure, const Publics& publics) const;

    /// Completes the tables after their last change.
    void finish();

    std::size_t memory() const noexcept;

    std::string texts;
    std::vector<Procedure> procedures; // sorted
    std::vector<std::uint32_t> others; // of each procedure: further ones at its address
    std::vector<LineRow> lines;        // sorted
    std::vector<InlineSite> sites;     // outer ones first
    std::vector<InlineRow> rows;       // sorted for each site
    std::vector<InlineSpan> spans;     // sorted for each procedure
    std::vector<ManagedMethod> methods;

private:
    ProcedureIndex procedure_index_;
    AddressIndex<LineRow, &LineRow::begin> line_index_;
    mutable std::once_flag linkage_once_;
    mutable std::vector<Linkage> linkage_; // of each procedure
};

/// Parses a module. Whatever is damaged is omitted.
std::unique_ptr<Module> parse_module(const StreamFile& file, const ModuleStream& stream,
                                     const AddressSpace& addresses, const TypeNames& types);

} // namespace etl::symbols
