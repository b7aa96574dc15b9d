// The origin columns after the first ones. Private to columns.
#pragma once

#include "columns/conversion.hpp"
#include "columns/filling.hpp"
#include "columns/layout.hpp"
#include "decode/decoder.hpp"

#include <span>

namespace etl::columns {

/// Returns the origin columns whose values depend on the kind and the trace of an event alone.
std::span<const Origin> shared_origin(bool has_details) noexcept;

/// Adds the details among them to a row of a layout with details.
void add_shared_details(const decode::DecodedEvent& event, Converter& convert,
                        std::span<Filling> fillings, std::size_t row);

/// Adds the other details of an event to a row of a layout with details. `walked`: after its
/// fields; null: the event has no schema.
void add_details(const decode::DecodedEvent& event, const decode::FieldWalker* walked,
                 Converter& convert, std::span<Filling> fillings, std::size_t row);

} // namespace etl::columns
