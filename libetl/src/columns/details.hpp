// The origin columns after the first ones. Private to columns.
#pragma once

#include <etl/decode/decoder.hpp>

#include "columns/conversion.hpp"
#include "columns/filling.hpp"

#include <span>

namespace etl::columns {

/// Adds the details of an event to a row of a layout with details. `walked`: after its fields;
/// null: the event has no schema.
void add_details(const decode::DecodedEvent& event, const decode::FieldWalker* walked,
                 Converter& convert, std::span<Filling> fillings, std::size_t row);

} // namespace etl::columns
