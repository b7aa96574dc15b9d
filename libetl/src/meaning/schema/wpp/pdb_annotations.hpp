// Annotations among the symbols of a program database. Private to schema. docs/format/wpp.md#pdb
#pragma once

#include "base/function_ref.hpp"
#include "symbols/stream_file.hpp"

#include <span>
#include <string_view>

namespace etl::schema {

/// One S_ANNOTATION. Valid for the call only.
struct PdbAnnotation {
    std::span<const std::string_view> texts;
    std::string_view function; // around it; empty: none
};

/// Calls `each` for every annotation of every module, in order. Damaged modules are passed over.
/// False: the list of modules cannot be read.
bool for_each_annotation(const symbols::StreamFile& file,
                         FunctionRef<void(const PdbAnnotation&)> each);

} // namespace etl::schema
