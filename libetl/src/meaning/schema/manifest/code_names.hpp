// Code names of one provider of a manifest. One thread. docs/format/decoding.md#code-names
#pragma once

#include "schema/code_names.hpp"
#include "schema/manifest/names.hpp"

namespace etl::schema {

/// `index`: the position of the provider in its file, which its message IDs contain.
CodeNames read_code_names(const pugi::xml_node& provider, std::size_t index,
                          const ManifestNames& names, ManifestReading& reading);

} // namespace etl::schema
