// A schema made ready for encoding: what each field needs, worked out once per schema and pointer
// size. Immutable; lives no longer than its schema. Private to encode.
#pragma once

#include "schema/value_form.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace etl::encode {

/// How the bytes of a value are bounded, and what they mean: what decoding goes by.
using Shape = schema::WireShape;
using Form = schema::ValueForm;

struct LayoutField {
    static constexpr std::uint16_t no_slot = 0xFFFF;

    std::string_view name; // as a key, with its number if it is repeated; of the layout
    Shape shape = Shape::unknown;
    Form form = Form::null;
    bool is_error_code = false; // a name may stand before the number
    std::uint8_t size = 0;      // of a fixed value; of a word before a WBEM SID
    std::uint8_t unit = 1;
    std::uint16_t slot = no_slot; // where it is remembered for the fields that refer to it
    std::uint16_t members = 0;    // of a structure, nested ones included
    schema::Extent count;         // kind field: `value` is a slot
    schema::Extent length;        // likewise
    const schema::ValueMap* map = nullptr;
};

class Layout {
public:
    /// What makes no sense (a reference to a later field, members beyond the end, nesting beyond
    /// format::max_struct_depth) becomes a field that cannot be encoded.
    Layout(const schema::EventSchema& schema, std::uint32_t pointer_size);

    const std::vector<LayoutField>& fields() const noexcept { return fields_; }

    std::size_t slots() const noexcept { return slots_; }

private:
    LayoutField field_of(const schema::EventSchema& schema, std::size_t index,
                         std::uint32_t pointer_size);
    schema::Extent resolved(const schema::Extent& extent) const noexcept;
    void check_structures();

    std::vector<std::string> names_;
    std::vector<LayoutField> fields_;
    std::uint16_t slots_ = 0;
};

} // namespace etl::encode
