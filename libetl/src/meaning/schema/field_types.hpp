// Field types, imported into the schema namespace.
#pragma once

#include "format/field_types.hpp"

namespace etl::schema {

using format::default_out_type;
using format::fixed_size;
using format::InType;
using format::name;
using format::OutType;
using format::parse_in_type;
using format::parse_out_type;

} // namespace etl::schema
