// Columns as structures of the Arrow C data interface. Private to capi.
#pragma once

#include <etl/etl.h>

#include "columns/array_builder.hpp"

#include <memory>
#include <span>

namespace etl::capi {

/// Fills a schema of a structure with these columns, for its caller to release.
void export_schema(std::span<const columns::BatchColumn> columns, ArrowSchema& to);

/// Fills an array of a structure with the columns of a batch, for its caller to release: their
/// memory then goes to `spare`.
void export_batch(std::span<const columns::BatchColumn> columns, columns::Batch&& batch,
                  const std::shared_ptr<columns::SpareMemory>& spare, ArrowArray& to);

} // namespace etl::capi
