#include "encode/layout.hpp"

#include "format/limits.hpp"

#include <algorithm>
#include <array>

namespace etl::encode {

using schema::Extent;
using schema::Field;

Layout::Layout(const schema::EventSchema& schema, std::uint32_t pointer_size)
    : names_(schema::unique_names(schema)) {
    fields_.reserve(schema.fields.size());
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        fields_.push_back(field_of(schema, i, pointer_size));
    }
    check_structures();
}

LayoutField Layout::field_of(const schema::EventSchema& schema, std::size_t index,
                             std::uint32_t pointer_size) {
    const Field& field = schema.fields[index];
    LayoutField made;
    made.name = names_[index];
    made.shape = schema::shape_of(field);
    made.size = schema::wire_size(field.in_type, pointer_size);
    made.form = schema::form_of(field.in_type, field.out_type, pointer_size);
    made.is_error_code = schema::error_space_of(field.out_type) != schema::ErrorSpace::none;
    made.unit = schema::unit_size(made.form);
    made.members = made.shape == Shape::structure ? field.members : std::uint16_t{0};
    made.count = resolved(field.count);
    made.length = resolved(field.length);
    if (field.map < schema.maps.size() && schema::is_integer(made.form)) {
        made.map = schema.maps[field.map].get();
    }
    const bool one_number = made.shape == Shape::fixed && made.size <= sizeof(std::uint64_t) &&
                            field.count.kind == Extent::Kind::natural;
    if (field.referenced && one_number) {
        made.slot = slots_++;
    }
    return made;
}

// Turns a field number into the slot where that field is remembered.
Extent Layout::resolved(const Extent& extent) const noexcept {
    if (extent.kind != Extent::Kind::field) {
        return extent;
    }
    if (extent.value >= fields_.size() || fields_[extent.value].slot == LayoutField::no_slot) {
        return {Extent::Kind::unknown, extent.value};
    }
    return {Extent::Kind::field, fields_[extent.value].slot};
}

// Members must lie inside the structure around them, and not too deep.
void Layout::check_structures() {
    std::array<std::size_t, format::max_struct_depth> ends{};
    std::size_t depth = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        while (depth > 0 && ends[depth - 1] == i) {
            --depth;
        }
        LayoutField& field = fields_[i];
        if (field.shape != Shape::structure) {
            continue;
        }
        const std::size_t around = depth > 0 ? ends[depth - 1] : fields_.size();
        const std::size_t end = i + 1 + field.members;
        if (end > around || depth == ends.size()) {
            field.shape = Shape::unknown;
            field.members = static_cast<std::uint16_t>(std::min(end, around) - i - 1);
            continue;
        }
        ends[depth++] = end;
    }
}

} // namespace etl::encode
