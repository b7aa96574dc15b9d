// Types of MOF properties. Pure; any thread. docs/format/decoding.md#mof-properties
#pragma once

#include "schema/mof/syntax.hpp"

namespace etl::schema {

/// What a property's type and qualifiers say about one value of it.
struct MofType {
    InType in = InType::null;
    OutType out = OutType::none;
    bool is_one_value = false; // an array is one value: a text, which a NUL may end, or an address
    bool is_known = true;      // false: a type of no known name
    std::string_view remark;   // what could not be understood; empty: nothing
};

MofType type_of(const MofProperty& property) noexcept;

} // namespace etl::schema
