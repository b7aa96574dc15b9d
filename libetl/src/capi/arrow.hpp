// Columns as structures of the Arrow C data interface. Private to capi.
#pragma once

#include <etl/capi/columns.h>
#include <etl/columns/batch.hpp>

#include <span>

namespace etl::capi {

/// Fills a schema of a structure with these columns, for its caller to release.
void export_schema(std::span<const columns::Column> columns, ArrowSchema& to);

/// Fills an array of a structure with the columns of a batch, for its caller to release.
void export_batch(std::span<const columns::Column> columns, columns::Batch&& batch, ArrowArray& to);

} // namespace etl::capi
