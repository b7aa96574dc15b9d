// The key of the indexes that a user trusts. docs/parts.md#key
#pragma once

#include <etl/error.hpp>

#include "trace/trace_index.hpp"

#include <string>

namespace etl::gather {

/// Returns the path of the key: that in ETL_INDEX_KEY, else etl/index.key in the user's directory
/// of state; empty if that is unknown.
std::string index_key_path();

/// Returns the key. Errors: not_found (no file, or no path); io_failure; invalid_option: others may
/// read or change the file; malformed (its size).
Result<trace::IndexKey> index_key();

/// As index_key(). If there is no key, and ETL_INDEX_KEY does not name its place, makes one of
/// random bytes.
Result<trace::IndexKey> index_key_or_new();

/// Returns "KEY-PATH: why it cannot be used", for an error of the functions above.
std::string describe_key_error(const Error& error);

} // namespace etl::gather
