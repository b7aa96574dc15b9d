// Inlined calls of one procedure. Private to symbols. docs/format/pdb.md#inlined-functions
#pragma once

#include "symbols/pdb/line_table.hpp"

#include <cstdint>
#include <vector>

namespace etl::symbols {

/// Appends the rows of a site: what its annotations say about code from `procedure` on.
void append_inline_rows(Bytes annotations, const Procedure& procedure, const Inlinee& inlinee,
                        const FileTable& files, std::vector<InlineRow>& to);

/// Appends the spans of the sites `first_site` to the last: which of them is the innermost one.
void append_inline_spans(std::size_t first_site, Module& module);

} // namespace etl::symbols
