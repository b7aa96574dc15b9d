// Templates of a WEVT_TEMPLATE resource: the fields of events. Parsed once, when an event points at
// one. One thread. docs/format/images.md#wevt-templates
#pragma once

#include "schema/event_schema.hpp"
#include "schema/image/wevt_names.hpp"
#include "schema/image/wevt_reading.hpp"
#include "schema/property_tree.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace etl::schema {

struct WevtTemplate {
    std::vector<Field> fields;
    std::vector<std::shared_ptr<const ValueMap>> maps;
    std::string user_data;
    std::size_t bytes = 0; // what an event takes that copies it
};

class WevtTemplates {
public:
    WevtTemplates(WevtNames& names, WevtReading& reading) : names_(names), reading_(reading) {}

    /// The template at an offset. One that is damaged is noted, and has a field that cannot be
    /// decoded.
    const WevtTemplate& at(std::uint32_t offset);

private:
    WevtTemplate read(std::uint32_t offset);
    Result<std::vector<Property>> read_properties(std::uint32_t first, std::size_t count);
    Result<void> read_into(std::uint32_t offset, WevtTemplate& to);
    void bind_maps(PropertyTree& tree, WevtTemplate& to);

    WevtNames& names_;
    WevtReading& reading_;
    std::unordered_map<std::uint32_t, WevtTemplate> templates_;
};

} // namespace etl::schema
