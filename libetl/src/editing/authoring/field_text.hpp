// Fields in words, with a choice of how names are spelled. Private to authoring.
#pragma once

#include "base/function_ref.hpp"
#include "schema/event_schema.hpp"

#include <string>

namespace etl::authoring {

struct FieldWords {
    /// How a map or an earlier field is named.
    FunctionRef<std::string(const schema::ValueMap& map)> map;
    FunctionRef<std::string(std::size_t field)> reference;
};

/// As type_text().
std::string type_text(const schema::EventSchema& event, std::size_t field, const FieldWords& words);

} // namespace etl::authoring
